/** Landing page A: the specification's words, its links, the marquee, the cards and their modals. */
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";
import { untilHydrated } from "./hydrated.ts";

const MODALS = [
  ["For Victims of Abuse", "Learn how Nightlight comforts in crisis moments"],
  ["For Response Teams", "See how Nightlight amplifies responder readiness"],
  ["For Protection Centres", "Explore how Nightlight powers next-day continuity"],
] as const;

const STEPS = [
  "It listens",
  "It works out the danger",
  "It brings in the right agency",
  "The note is on the desk",
];

const SCREENS = [
  { width: 360, height: 740 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
];

test.beforeEach(async ({ page, server }) => {
  await page.goto(server.url);
  await untilHydrated(page);
});

test("its links lead to the demonstration", async ({ page }) => {
  for (const name of ["Explore our demo", "Try our Demo", "Interact with our dashboard"]) {
    await expect(page.getByRole("link", { name })).toHaveAttribute("href", "/demo");
  }
  await page.getByRole("link", { name: "Explore our demo" }).click();
  await expect(page).toHaveURL(/\/demo$/);
  await expect(page.getByRole("button", { name: "Talk to Nightlight" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

test("its sections stand in order", async ({ page }) => {
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "Built for Modern Crisis Response",
    "What happens in a call",
    "Hear one call",
    "The night, ready to read in the morning",
    "What has been measured",
    "Powered by Vapi’s voice platform",
    "This is a demonstration",
    "If someone may look at this device",
  ]);
  await expect(page.getByRole("banner")).toContainText("Building with Vapi’s voice platform");
  await expect(page.getByRole("heading", { level: 3 })).toHaveText([
    ...MODALS.map(([card]) => card),
    ...STEPS,
    "Call summaries",
    "Risk prioritisation",
    "Safe data handling",
  ]);
  await expect(page.getByRole("img", { name: "The dashboard" })).toBeAttached();
});

test("the mission link scrolls smoothly to the segment section", async ({ page }) => {
  const section = page.getByRole("region", { name: "Built for Modern Crisis Response" });
  await expect(section).toHaveAttribute("id", "segment");
  await page.getByRole("link", { name: "Read about our mission" }).click();
  await expect(section.getByRole("heading", { level: 2 })).toBeInViewport();
  await expect(page).toHaveURL(/#segment$/);
  const behaviour = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  expect(await behaviour()).toBe("smooth");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await behaviour()).toBe("auto");
});

test("the marquee moves, stands still on request, and for those who asked for less motion", async ({
  page,
}) => {
  await expect(page.getByText("Someone to talk with, Even After Hours").first()).toBeAttached();
  const states = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((animation) => (animation as CSSAnimation).animationName === "marquee")
        .map(({ playState }) => playState),
    );
  expect(await states()).toEqual(["running"]);
  await page.getByRole("button", { name: "Pause the moving text" }).click();
  expect(await states()).toEqual(["paused"]);
  await page.getByRole("button", { name: "Play the moving text" }).click();
  expect(await states()).toEqual(["running"]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(states).toEqual([]);
  await expect(page.getByRole("button", { name: "Pause the moving text" })).toBeHidden();
});

for (const [card, title] of MODALS) {
  test(`the card "${card}" opens a modal, which holds the page still and gives the focus back`, async ({
    page,
  }) => {
    const modal = page.getByRole("dialog");
    await expect(modal).toBeHidden();
    const expand = page.getByRole("button", { name: `Expand ${card}` });
    await expand.click();
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    await expect(modal.getByRole("heading", { name: title })).toBeVisible();
    await expect(modal.getByRole("img")).toBeVisible();
    await expect(modal.getByRole("link", { name: /demo$/ })).toHaveAttribute("href", "/demo");
    await expect(modal.getByRole("link", { name: "Exit this page" })).toBeVisible();
    await expect(modal.getByRole("button", { name: "Close" })).toBeFocused();
    await expectAccessible(page);

    const scrolled = () => page.evaluate(() => window.scrollY);
    const before = await scrolled();
    await page.mouse.move(5, 400);
    await page.mouse.wheel(0, 900);
    await page.keyboard.press("End");
    expect(await scrolled()).toBe(before);

    await modal.getByRole("button", { name: "Close" }).click();
    await expect(modal).toBeHidden();
    await expect(expand).toBeFocused();
    await page.mouse.wheel(0, 900);
    await expect.poll(scrolled).toBeGreaterThan(before);
  });
}

test("a modal closes on Escape and on a click beside it; its link leads on and frees the page", async ({
  page,
}) => {
  const expand = page.getByRole("button", { name: "Expand For Response Teams" });
  const modal = page.getByRole("dialog");
  await expand.click();
  await page.keyboard.press("Escape");
  await expect(modal).toBeHidden();
  await expect(expand).toBeFocused();
  await expand.click();
  await page.mouse.click(8, 300);
  await expect(modal).toBeHidden();
  await expand.click();
  await modal.getByRole("link", { name: "See a high-risk call in the demo" }).click();
  await expect(page).toHaveURL(/\/demo$/);
  await expect(page.getByRole("button", { name: "Talk to Nightlight" })).toBeVisible();
  expect(await page.evaluate(() => document.body.style.overflow)).toBe("");
});

test("in a modal the Tab key stays inside", async ({ page }) => {
  await page.getByRole("button", { name: "Expand For Victims of Abuse" }).click();
  const modal = page.getByRole("dialog");
  await expect(modal.getByRole("button", { name: "Close" })).toBeFocused();
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press("Tab");
    // The browser's own bars, which show as the body, are the only other place.
    const place = await page.evaluate(() => {
      const focused = document.activeElement;
      return focused === document.body || focused?.closest("dialog") !== null;
    });
    expect(place).toBe(true);
  }
});

test("Explore opens the platform's site in a new tab without access back", async ({ page, server }) => {
  const explore = page.getByRole("link", { name: "Explore Vapi (opens in a new tab)" });
  await expect(explore).toHaveAttribute("href", "https://vapi.ai");
  await expect(explore).toHaveAttribute("target", "_blank");
  await expect(explore).toHaveAttribute("rel", /noopener/);
  await page.route("**/api/config", (route) =>
    route.fulfill({
      json: { links: { platform: "https://voice.example/", feedback: "https://forms.example/" } },
    }),
  );
  await page.goto(server.url);
  await expect(explore).toHaveAttribute("href", "https://voice.example/");
});

test("the steps of a call say 24/7, and what a warm transfer is, on the page itself", async ({ page }) => {
  const steps = page.getByRole("region", { name: "What happens in a call" });
  await expect(steps.getByRole("listitem")).toHaveCount(STEPS.length);
  await expect(steps).toContainText("It answers 24/7");
  await expect(steps).toContainText(
    "warm transfer: it says who is being connected, and the caller stays on the line",
  );
});

test("what has been measured stands with its number of simulated callers, its false alarms and its date", async ({
  page,
}) => {
  const measured = page.getByRole("region", { name: "What has been measured" });
  await expect(measured).toContainText("simulated callers");
  await expect(measured.getByRole("definition")).toHaveText([
    /^\d+ of \d+$/,
    /^\d+ of \d+$/,
    /^\d+ of \d+$/,
    /^\d\.\d seconds$/,
  ]);
  await expect(measured.getByRole("term")).toContainText([
    /right agency/,
    /life at risk/,
    /false alarm/,
    /reply/,
  ]);
  await expect(measured).toContainText(/Measured on \d{1,2} \w+ 20\d\d/);
});

test("what is deleted, and when, is told as it is here", async ({ page }) => {
  const insights = page.getByRole("region", { name: "The night, ready to read in the morning" });
  await expect(insights).toContainText("deletes words and notes by itself a set time after the call");
  await expect(insights).toContainText("30 days, unless its operator sets another");
});

test("whoever comes from another page of the site reads the same", async ({ page, server }) => {
  await page.goto(`${server.url}/nowhere`);
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "About Nightlight" })
    .click();
  for (const name of [...STEPS, "Call summaries"]) {
    await expect(page.getByRole("heading", { level: 3, name })).toBeVisible();
  }
  await expect(page.getByRole("region", { name: "What has been measured" })).toBeVisible();
});

test.describe("the sample call", () => {
  test("is heard and read in step, on every screen, by day and by night", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Play the sample call" }).press("Enter");
    const sound = page.getByLabel("The sample call");
    await expect(sound).toBeFocused();
    const captions = page.getByRole("region", { name: "Hear one call" }).getByRole("listitem");
    const said = captions.locator('[aria-current="true"]');
    await expect(said).toHaveText("Hello, this is Nightlight.");
    // On by itself, and to wherever the sound is moved.
    await expect(said).not.toHaveText("Hello, this is Nightlight.");
    await sound.evaluate((audio: HTMLAudioElement) => {
      audio.currentTime = audio.duration - 1;
    });
    await expect(said).toHaveText(/goodbye\.$/);
    await expect(captions.first()).toContainText("Nightlight");
    const note = page.getByRole("article", { name: "The case note that came of it" });
    await expect(note).toContainText("Caller reports violence by a spouse");
    await expect(note).toContainText("DVERT");
    for (const screen of SCREENS) {
      await test.step(`on ${screen.width} pixels`, async () => {
        await page.setViewportSize(screen);
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
          .toBeLessThanOrEqual(0);
        await expectAccessible(page);
      });
    }
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "light" });
    await expectAccessible(page);
  });

  test("costs nothing before it is asked for", async ({ page, server }) => {
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(request.url()));
    await page.goto(server.url);
    const button = page.getByRole("button", { name: "Play the sample call" });
    await button.scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle");
    expect(fetched.filter((url) => /SamplePlayer|\.webm/.test(url))).toEqual([]);
    await button.click();
    await expect(page.getByLabel("The sample call")).toBeFocused();
    await expect.poll(() => fetched.some((url) => url.endsWith(".webm"))).toBe(true);
  });

  test("says so when it cannot be fetched, and can be asked for again", async ({ page }) => {
    await page.route("**/SamplePlayer-*.js", (route) => route.abort(), { times: 1 });
    const button = page.getByRole("button", { name: "Play the sample call" });
    await button.click();
    await expect(page.getByText("The call could not be fetched.")).toBeVisible();
    await expectAccessible(page);
    await expect(button).toBeFocused();
    await button.click();
    await expect(page.getByLabel("The sample call")).toBeFocused();
  });
});
