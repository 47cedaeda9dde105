/** What holds on every page: the way out, the numbers, accessibility, small screens, life without scripts. */
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expectAccessibleByDayAndNight } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";
import { untilHydrated } from "./hydrated.ts";

const PAGES = [
  { path: "/", heading: "Voice AI Support for Singapore's Crisis Landscape" },
  { path: "/Companion", heading: "Your 24/7 AI Friend for Life's Ups and Downs" },
  { path: "/Candle", heading: "Who would you like to talk to?" },
  { path: "/Demo", heading: "A light is on for you" },
  { path: "/Status", heading: "How the line is" },
  { path: "/Docs/API", heading: "The API" },
  { path: "/nowhere", heading: "There is nothing at this address" },
];

const NEUTRAL = "https://www.weather.gov.sg/**";
const NUMBERS = [
  "999 Police",
  "995 Ambulance",
  "70999 SMS police",
  "1767 Suicide helpline",
  "1800 777 0000 Violence or abuse",
];

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

for (const { path, heading: name } of PAGES) {
  test.describe(path, () => {
    test("is taken over by the script without an error, and axe finds nothing by day and by night", async ({
      page,
      server,
    }) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !message.location().url.endsWith(path)) errors.push(message.text());
      });
      await page.goto(server.url + path);
      await expect(heading(page, name)).toBeVisible();
      await untilHydrated(page);
      expect(errors).toEqual([]);
      await expectAccessibleByDayAndNight(page);
    });

    test("leads to every other page and to the numbers, keeps the way out in view, and is no wider than a screen of 320 pixels", async ({
      page,
      server,
    }) => {
      await page.goto(server.url + path);
      await test.step("leads to every other page from its foot", async () => {
        const pages = page
          .getByRole("contentinfo")
          .getByRole("navigation", { name: "Pages" })
          .getByRole("link");
        await expect(pages).toHaveText([
          "About Nightlight",
          "Nightlight demo",
          "About Candle",
          "Candle preview",
        ]);
        const leads = await pages.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
        expect(leads).toEqual(["/", "/demo", "/companion", "/candle"]);
        const shown = leads.indexOf(path.toLowerCase());
        await expect(pages.and(page.locator('[aria-current="page"]'))).toHaveCount(shown < 0 ? 0 : 1);
        if (shown >= 0) await expect(pages.nth(shown)).toHaveAttribute("aria-current", "page");
      });
      await test.step("keeps the way out in view, and the numbers where they always are", async () => {
        const numbers = page.getByRole("complementary", { name: "Emergency numbers" }).getByRole("link");
        await expect(numbers).toHaveText(NUMBERS);
        await expect(page.getByText("It cannot erase the browser’s history")).toBeVisible();
        await page.mouse.wheel(0, 4000);
        await expect(page.getByRole("banner").getByRole("link", { name: "Exit this page" })).toBeInViewport();
      });
      await test.step("is no wider than a screen of 320 pixels", async () => {
        await page.setViewportSize({ width: 320, height: 640 });
        await expect(heading(page, name)).toBeVisible();
        // The script lays some pages out anew.
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
          .toBeLessThanOrEqual(0);
      });
    });
  });
}

test("each page has a title and a description of its own, and what a link preview shows", async ({
  page,
  server,
}) => {
  const seen = new Set<string | null>();
  for (const { path } of PAGES) {
    await page.goto(server.url + path);
    const content = (selector: string) => page.locator(selector).getAttribute("content");
    const title = await page.title();
    const description = await content('meta[name="description"]');
    expect(await content('meta[property="og:title"]')).toBe(title);
    expect(await content('meta[property="og:description"]')).toBe(description);
    seen.add(title).add(description);
  }
  expect(seen.size).toBe(2 * PAGES.length);
  for (const file of ["/social-card.png", "/favicon.svg", "/manifest.webmanifest", "/icons/icon-192.png"]) {
    const answer = await page.request.get(server.url + file);
    expect(answer.status(), file).toBe(200);
  }
});

test("paths match in any letter case, and an unknown one leads to the numbers", async ({ page, server }) => {
  await page.goto(`${server.url}/dEMO`);
  await expect(page.getByRole("button", { name: "Talk to Nightlight" })).toBeVisible();
  await page.goto(`${server.url}/CANDLE/`);
  await expect(heading(page, "Who would you like to talk to?")).toBeVisible();
  const answer = await page.goto(`${server.url}/nowhere`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("main").getByRole("link", { name: /^999 / })).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  for (const { path, heading: name } of PAGES) {
    test(`${path} can be read, and left`, async ({ page, server }) => {
      await page.goto(server.url + path);
      await expect(heading(page, name)).toBeVisible();
      const exit = page.getByRole("banner").getByRole("link", { name: "Exit this page" });
      // The destination may be out of reach of this machine; that the browser asks for it is enough.
      const asked = page.waitForRequest(NEUTRAL);
      await exit.click({ noWaitAfter: true });
      expect((await asked).redirectedFrom()?.url()).toBe(`${server.url}/leave`);
      await expect.poll(() => page.context().cookies(server.url)).toEqual([]);
    });
  }

  test("the landing page says all it has to say", async ({ page, server }) => {
    await page.goto(server.url);
    for (const name of ["For Victims of Abuse", "For Response Teams", "For Protection Centres"]) {
      await expect(page.getByRole("heading", { name })).toBeVisible();
    }
    for (const name of ["What happens in a call", "Safe data handling", "What has been measured"]) {
      await expect(page.getByRole("heading", { name })).toBeVisible();
    }
    await expect(page.getByRole("button", { name: "Play the sample call" })).toBeHidden();
    await expect(page.locator("noscript p")).toContainText("It needs JavaScript");
  });

  test("the demonstration says that calls need scripts", async ({ page, server }) => {
    await page.goto(`${server.url}/demo`);
    await expect(page.locator("noscript p")).toContainText("Voice calls need JavaScript");
  });
});

test("the start page costs at most 90 KB of compressed script and 1 MB in all", async ({ page, server }) => {
  let script = 0;
  let all = 0;
  const counted: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    const count = async () => {
      const answer = await request.response();
      all += (await request.sizes()).responseBodySize;
      if (request.resourceType() === "script") script += gzipSync((await answer?.body()) ?? "").length;
    };
    if (request.url().startsWith(server.url)) counted.push(count());
  });
  await page.goto(server.url);
  // Every picture further down too.
  for (const picture of await page.getByRole("img").all()) await picture.scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  await Promise.all(counted);
  expect(script).toBeGreaterThan(0);
  expect(script).toBeLessThanOrEqual(90_000);
  expect(all).toBeLessThanOrEqual(1_000_000);
});

test("Exit this page clears what the site stored also before the script has come", async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/404`);
  await page.evaluate(() => {
    localStorage.setItem("call-records", "[]");
    sessionStorage.setItem("draft", "…");
  });
  await page.route("**/assets/*.js", () => {});
  await page.goto(`${server.url}/Demo`, { waitUntil: "commit" });
  expect(await page.context().cookies(server.url)).toHaveLength(1);
  const asked = page.waitForRequest(NEUTRAL);
  await page.getByRole("banner").getByRole("link", { name: "Exit this page" }).click({ noWaitAfter: true });
  await asked;
  await expect.poll(() => page.context().cookies(server.url)).toEqual([]);
  // Which page the tab is on by now depends on the network; from any, one may come back.
  await expect(() => page.goto(`${server.url}/404`, { waitUntil: "commit" })).toPass();
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
});

test.describe("leaving", () => {
  test.beforeEach(async ({ page, server }) => {
    await page.route(NEUTRAL, (route) => route.fulfill({ body: "weather" }));
    await page.goto("about:blank");
    await page.goto(`${server.url}/Demo`);
    // Written by the script, which has then taken the page over: until then the button is a plain link.
    await expect(page.getByRole("row")).toHaveCount(11);
  });

  test("Shift three times leads away, and Back does not lead here again", async ({ page }) => {
    await page.keyboard.press("Shift");
    await expect(page.getByText("Shift, press 2 more times to exit.")).toBeAttached();
    await page.keyboard.press("Shift");
    await expect(page.getByText("Shift, press 1 more time to exit.")).toBeAttached();
    await page.keyboard.press("Shift");
    await page.waitForURL(NEUTRAL);
    await page.goBack();
    expect(page.url()).toBe("about:blank");
  });

  test("capital letters lead nowhere", async ({ page }) => {
    for (let i = 0; i < 4; i++) await page.keyboard.press("Shift+A");
    await page.keyboard.press("Shift");
    await expect(page.getByText("Shift, press 2 more times to exit.")).toBeAttached();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });

  test("the button clears what the site stored, and the server takes the session back", async ({
    page,
    server,
  }) => {
    await page.evaluate(() => {
      localStorage.setItem("call-records", "[]");
      sessionStorage.setItem("draft", "…");
    });
    // Of the API alone, which is what gives a session: scripts are fetched when the browser is idle, which
    // on a busy machine is as late as this.
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().startsWith(`${server.url}/api/`)) asked.push(`${request.method()} ${request.url()}`);
    });
    await page.getByRole("banner").getByRole("link", { name: "Exit this page" }).click();
    await page.waitForURL(NEUTRAL);
    expect(asked).toEqual([`DELETE ${server.url}/api/session`]);
    await expect.poll(async () => (await page.context().cookies(server.url)).length).toBe(0);
    await page.goto(`${server.url}/404`);
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  });

  test("the second stop of the Tab key leaves at once", async ({ page }) => {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to the page" })).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(NEUTRAL);
  });

  test("the page is blank while the next one is on its way", async ({ page }) => {
    // Looked at before the browser can have gone anywhere.
    const shown = await page.evaluate(() => {
      document.querySelector<HTMLAnchorElement>(".exit a")?.click();
      // biome-ignore lint/performance/useDomNodeTextContent: only what can be seen
      return [document.title, document.body.innerText.trim()];
    });
    expect(shown).toEqual(["Loading", "Leaving this page"]);
    await page.waitForURL(NEUTRAL);
  });
});

test("on paper the words are dark, and what moves or is pressed is left out", async ({ page, server }) => {
  await page.goto(server.url);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Pause the moving text" })).toBeHidden();
  await expect(page.getByRole("banner").getByRole("link", { name: "Exit this page" })).toBeHidden();
  const { color } = await heading(page, PAGES[0]?.heading ?? "").evaluate((words) => getComputedStyle(words));
  expect(color).toBe("rgb(23, 32, 59)");
});

test("on 320 pixels the talk button keeps to the middle of its card", async ({ page, server }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${server.url}/Demo`);
  const talk = page.getByRole("button", { name: "Talk to Nightlight" });
  // Until then it is the prerendered page's, which the script puts its own in the place of.
  await expect(talk).toBeEnabled();
  const card = await page.getByRole("region", { name: "A light is on for you" }).boundingBox();
  const button = await talk.boundingBox();
  if (!card || !button) throw new Error("card or button is not shown");
  const right = card.x + card.width - (button.x + button.width);
  expect(Math.abs(button.x - card.x - right)).toBeLessThanOrEqual(1);
});
