/** The companion's mock: five steps, a connecting step of one second, and what is not built. */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";
import { untilHydrated } from "./hydrated.ts";

test.beforeEach(async ({ page, server }) => {
  await page.goto(`${server.url}/Candle`);
  await untilHydrated(page);
});

async function alertOf(page: Page, press: () => Promise<void>): Promise<string> {
  const said = page.waitForEvent("dialog").then(async (dialog) => {
    await dialog.accept();
    return dialog.message();
  });
  await press();
  return said;
}

for (const persona of ["Ember", "Lumi"]) {
  test(`a call with ${persona}, from the first step to the first step`, async ({ page }) => {
    await page.clock.install({ time: "2026-11-20T03:00:00" });
    const asked: string[] = [];
    await page.exposeFunction("microphoneAsked", () => asked.push("microphone"));
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        await (window as unknown as { microphoneAsked(): Promise<void> }).microphoneAsked();
        throw new Error("not in this test");
      };
    });

    await page.getByRole("button", { name: new RegExp(`^${persona}`) }).click();
    const card = page.getByRole("button", {
      name: `To chat with ${persona} please allow us to use your microphone (click here)`,
    });
    await expect(card).toBeVisible();

    await page.clock.pauseAt("2026-11-20T04:00:00");
    await card.click();
    await expect(page.getByRole("heading", { name: `Connecting to ${persona}` })).toBeVisible();
    await page.clock.runFor(999);
    await expect(page.getByRole("heading", { name: `Connecting to ${persona}` })).toBeVisible();
    await page.clock.runFor(1);
    await expect(page.getByRole("heading", { name: persona, exact: true })).toBeVisible();
    await expect(page.getByText("00:08")).toBeVisible();
    await expect(page.getByText("by Candle")).toBeVisible();
    await page.clock.runFor(5000);
    await expect(page.getByText("00:08")).toBeVisible();
    // The accessibility check waits by the clock.
    await page.clock.resume();
    await expectAccessible(page);
    expect(await alertOf(page, () => page.getByRole("button", { name: "Mute" }).click())).toBe(
      "To add feature",
    );

    await page.getByRole("button", { name: "End Call" }).click();
    await expect(
      page.getByRole("heading", { name: "Login for a better personalised experience" }),
    ).toBeVisible();
    await expect(
      page.getByText("Includes long-term memory, and access to longer sessions.", { exact: true }),
    ).toBeVisible();
    await expectAccessible(page);
    const google = page.getByRole("button", { name: "Continue with Google" });
    expect(await alertOf(page, () => google.click())).toBe("to add feature");
    const feedback = page.getByRole("link", { name: "Leave feedback here" });
    await expect(feedback).toHaveAttribute("target", "_blank");
    await expect(feedback).toHaveAttribute("rel", /noopener/);

    await page.getByRole("button", { name: "Start a new conversation" }).click();
    await expect(page.getByRole("heading", { name: "Who would you like to talk to?" })).toBeVisible();
    expect(asked).toEqual([]);
  });
}

test("before the microphone there is a way back to the choice", async ({ page }) => {
  await page.getByRole("button", { name: /^Ember/ }).click();
  await page.getByRole("button", { name: "Choose another voice" }).click();
  await expect(page.getByRole("heading", { name: "Who would you like to talk to?" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^Ember/ })).toBeFocused();
  await page.getByRole("button", { name: /^Lumi/ }).click();
  await expect(page.getByRole("button", { name: /^To chat with Lumi/ })).toBeVisible();
});

test("axe finds nothing on the way to the call", async ({ page, server }) => {
  // The connecting step is held: its second never ends.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    const held = (task: () => void, ms?: number) => (ms === 1000 ? 0 : setTimeout(task, ms));
    window.setTimeout = held as typeof window.setTimeout;
  });
  await page.goto(`${server.url}/Candle`);
  await page.getByRole("button", { name: /^Lumi/ }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: /^To chat with Lumi/ }).click();
  await expect(page.getByRole("heading", { name: "Connecting to Lumi" })).toBeVisible();
  await expectAccessible(page);
});

test("by keyboard alone: each step takes the focus, so that Tab goes on from there", async ({ page }) => {
  await page.clock.install({ time: "2026-11-20T03:00:00" });
  await page.getByRole("button", { name: /^Ember/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^To chat with Ember/ })).toBeFocused();
  await page.clock.pauseAt("2026-11-20T04:00:00");
  await page.keyboard.press("Enter");
  await page.clock.runFor(1000);
  await expect(page.getByRole("heading", { name: "Ember", exact: true })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Mute" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Continue with Google" })).toBeFocused();
});

test("Login and the documents are not built, and say so", async ({ page }) => {
  const login = page.getByRole("banner").getByRole("button", { name: "Login" });
  expect(await alertOf(page, () => login.click())).toBe("to add feature");
  for (const name of ["Privacy Policy", "Terms of Use"]) {
    expect(await alertOf(page, () => page.getByRole("link", { name }).click())).toBe("To be added!");
  }
});
