/**
 * Real calls in a real browser: Debian's Chromium, the server's own binary, speech that is made when
 * the tests run. The server is started by the tests themselves, see `e2e/server.ts`.
 */
import { defineConfig, devices } from "@playwright/test";

/** Chromium for machines without a screen, a sound card or, maybe, any network but loopback. */
export const CHROMIUM = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-loopback-in-peer-connection",
    "--autoplay-policy=no-user-gesture-required",
  ],
};

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  // A call loads the transcriber and is timed: one at a time.
  workers: 1,
  fullyParallel: false,
  // A test that passes at a second try is to be mended, not tried again.
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [["list"], ["html", { open: "never" }]] : "list",
  use: {
    ...devices["Desktop Chrome"],
    launchOptions: CHROMIUM,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
