/**
 * One real call on the hosted platform, with a live key: what no stand-in proves. It is left out unless the settings of a
 * hosted line are in the environment (docs/hosted.md), and then takes a minute and what such a call costs.
 */

import { expect, test } from "@playwright/test";
import { CallPage } from "./call-page.ts";
import { startServer } from "./server.ts";

const NEEDED = [
  "NIGHTLIGHT_HOSTED_PUBLIC_KEY",
  "NIGHTLIGHT_HOSTED_SQUAD_ID",
  "NIGHTLIGHT_WEBHOOK_SECRET",
  // Where the platform reaches this machine, and the port that leads to it.
  "NIGHTLIGHT_PUBLIC_ORIGIN",
  "NIGHTLIGHT_E2E_PORT",
] as const;
const missing = NEEDED.filter((name) => !process.env[name]);

test.skip(missing.length > 0, `a live key is needed: set ${missing.join(", ")}`);

test("a call on the hosted platform is heard, captioned, and on record", async ({ page }) => {
  const server = await startServer({ VOICE_PLATFORM: "hosted", LOG: "info" });
  try {
    const refused: string[] = [];
    page.on("console", (line) => {
      if (line.text().includes("Content Security Policy")) refused.push(line.text());
      if (line.text().includes("goes on without a part of the call library")) refused.push(line.text());
    });
    const call = await CallPage.open(page, server.url);
    await call.start();
    await expect(call.speaking).toBeVisible({ timeout: 30_000 });
    await expect(call.captions.first()).toBeVisible({ timeout: 30_000 });
    await call.say("I have been feeling lonely lately.");
    await expect(call.captions.filter({ hasText: /lonely/i })).toBeVisible({ timeout: 30_000 });
    await call.end.click();
    await expect(page.getByRole("heading", { name: "You ended the call" })).toBeVisible();
    // Analysed by the platform, which takes its time.
    await expect(async () => {
      const info = await (await page.request.get(`${server.url}/api/getCallInfo`)).json();
      expect(info.endedReason).toBe("customer-ended-call");
      expect(info.messages.length).toBeGreaterThan(1);
    }).toPass({ timeout: 120_000 });
    expect(refused, "the noise canceller works, and nothing it needs is kept out").toEqual([]);
  } finally {
    await server.stop();
  }
});
