/** The microphone check: offered before a call, never in its way. */
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

test("shows that it hears, and lets another device be chosen", async ({ page, server }) => {
  await page.goto(`${server.url}/Demo`);
  await page.getByRole("button", { name: "Check your microphone" }).click();
  const check = page.getByRole("dialog", { name: "Check your microphone" });
  await expect(check.getByText("Nightlight will hear you")).toBeVisible();
  await expectAccessibleByDayAndNight(page);
  const device = check.getByRole("combobox", { name: "Microphone" });
  const other = await device.getByRole("option").nth(1).getAttribute("value");
  await device.selectOption(other);
  await expect(check.getByText("Nightlight will hear you")).toBeVisible();
  await check.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Check your microphone again" })).toBeFocused();

  // Remembered: the next call opens it.
  await page.reload();
  await page.evaluate(() => {
    const native = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await native(constraints);
      document.body.dataset.opened = stream.getAudioTracks()[0]?.getSettings().deviceId ?? "";
      return stream;
    };
  });
  await page.getByRole("button", { name: "Talk to Nightlight" }).click();
  await expect(page.getByRole("button", { name: "End Call" })).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate(() => document.body.dataset.opened)).toBe(other);
});

test("leads straight into the call, and lets the microphone go when closed", async ({ page, server }) => {
  await page.addInitScript(() => {
    const native = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const tracks: MediaStreamTrack[] = [];
    Object.assign(window, { tracks });
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await native(constraints);
      tracks.push(...stream.getAudioTracks());
      return stream;
    };
  });
  const live = () =>
    page.evaluate(
      () =>
        (window as unknown as { tracks: MediaStreamTrack[] }).tracks.filter(
          (track) => track.readyState === "live",
        ).length,
    );
  await page.goto(`${server.url}/Demo`);
  await page.getByRole("button", { name: "Check your microphone" }).click();
  const check = page.getByRole("dialog", { name: "Check your microphone" });
  await expect(check.getByText("Nightlight will hear you")).toBeVisible();
  expect(await live()).toBe(1);
  await page.keyboard.press("Escape");
  await expect(check).toBeHidden();
  expect(await live()).toBe(0);

  await page.getByRole("button", { name: "Check your microphone" }).click();
  await check.getByRole("button", { name: "Talk to Nightlight" }).click();
  await expect(page.getByRole("button", { name: "End Call" })).toBeVisible({ timeout: 30_000 });
});
