/** The samples of the voices: real sound, heard before a call and never in its way. */
import type { Page } from "@playwright/test";
import { CHROMIUM } from "../playwright.config.ts";
import { expectAccessibleByDayAndNight } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";

// Chromium's own fake microphones, which beep once a second.
test.use({
  launchOptions: {
    ...CHROMIUM,
    args: [...CHROMIUM.args, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
  },
});

const NAMES = ["Heart", "Bella", "Michael", "Emma", "George", "Joe", "Slt"];

/** Opens them with the keyboard alone. */
async function openTheVoices(page: Page, url: string) {
  await page.goto(`${url}/Demo`);
  await page.getByRole("button", { name: "Check your microphone" }).click();
  const check = page.getByRole("dialog", { name: "Check your microphone" });
  await expect(check.getByRole("button", { name: "Play Heart" })).toBeHidden();
  await check.getByText("Hear the voices").focus();
  await page.keyboard.press("Enter");
  await expect(check.getByRole("button", { name: "Play Heart" })).toBeVisible();
  return check;
}

test("every sample is fetched when it is played, and is seconds of speech", async ({ page, server }) => {
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".webm")) fetched.push(request.url());
  });
  const check = await openTheVoices(page, server.url);
  await page.waitForLoadState("networkidle");
  expect(fetched).toEqual([]);

  const audio = check.locator("audio");
  for (const [i, name] of NAMES.entries()) {
    await check.getByRole("button", { name: `Play ${name}` }).press("Enter");
    await expect(check.getByRole("button", { name: /^Stop/ })).toHaveAccessibleName(`Stop ${name}`);
    await expect
      .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
      .toBeGreaterThan(0.2);
    expect(await audio.evaluate((element: HTMLAudioElement) => element.duration)).toBeGreaterThan(3);
    // Played, but is it sound?
    const { seconds, loudest } = await audio.evaluate(async (element: HTMLAudioElement) => {
      const bytes = await (await fetch(element.src)).arrayBuffer();
      const decoded = await new AudioContext().decodeAudioData(bytes);
      const loudest = decoded.getChannelData(0).reduce((most, each) => Math.max(most, Math.abs(each)), 0);
      return { seconds: decoded.duration, loudest };
    });
    expect(seconds, name).toBeGreaterThan(3);
    expect(loudest, name).toBeGreaterThan(0.1);
    expect(new Set(fetched).size).toBe(i + 1);
  }
});

test("the one that answers is marked, as the server tells it", async ({ page, server }) => {
  const { voice } = await (await page.request.get(`${server.url}/api/config`)).json();
  const check = await openTheVoices(page, server.url);
  const marked = check.getByRole("listitem").filter({ hasText: "Answers now" });
  const name = { af_heart: "Heart", joe: "Joe", slt: "Slt" }[voice as string];
  await expect(marked).toHaveCount(1);
  await expect(marked.getByRole("button")).toHaveAccessibleName(`Play ${name}`);
});

test("they can be read and reached by everyone", async ({ page, server }) => {
  await openTheVoices(page, server.url);
  await expectAccessibleByDayAndNight(page);
});

test("a sample stops when a call begins", async ({ page, server }) => {
  const check = await openTheVoices(page, server.url);
  await check.getByRole("button", { name: "Play Heart" }).click();
  await expect(check.getByRole("button", { name: "Stop Heart" })).toBeVisible();
  const audio = await check.locator("audio").elementHandle();
  await expect.poll(() => audio?.evaluate((element) => (element as HTMLAudioElement).paused)).toBe(false);
  await check.getByRole("button", { name: "Talk to Nightlight" }).click();
  await expect.poll(() => audio?.evaluate((element) => (element as HTMLAudioElement).paused)).toBe(true);
  await expect(page.getByRole("button", { name: "End Call" })).toBeVisible({ timeout: 30_000 });
});

test("a sample that cannot be had is told in plain words", async ({ page, server }) => {
  await page.route("**/*.webm", (route) => route.abort());
  const check = await openTheVoices(page, server.url);
  await check.getByRole("button", { name: "Play Emma" }).click();
  await expect(check.getByRole("status").filter({ hasText: "Emma" })).toHaveText(
    "Emma could not be fetched. Please try again.",
  );
});
