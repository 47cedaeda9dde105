/**
 * Real calls in a real browser: Debian's Chromium, the server's own binary, speech that is made when
 * the tests run. The server is started by the tests themselves, see `e2e/server.ts`.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, devices } from "@playwright/test";
import type { OfAProject } from "./e2e/fixtures.ts";

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

const SPECIFICATIONS = path.join(import.meta.dirname, "e2e");
type Kind = "desk" | "calls" | "lines" | "pages";

/**
 * A caller talks with officers; or with the assistant alone; or has trouble with the line, to a server of the test's own; or a
 * page is looked at, a desk's too.
 */
function kindOf(file: string): Kind {
  const imports = readFileSync(path.join(SPECIFICATIONS, file), "utf8");
  if (!imports.includes('from "./call-page.ts"')) return "pages";
  if (/from "\.\/(desk-fixtures|duty-officer)\.ts"/.test(imports)) return "desk";
  return imports.includes('from "./server.ts"') ? "lines" : "calls";
}

const specifications = (kind: Kind) =>
  readdirSync(SPECIFICATIONS).filter((file) => file.endsWith(".spec.ts") && kindOf(file) === kind);

export default defineConfig<object, OfAProject>({
  testDir: SPECIFICATIONS,
  outputDir: "test-results",
  // Two calls at a time, in which people talk and machines wait; and pages as soon as one of the two lanes is done. Whoever
  // meets an officer has the machine alone: their browsers all sound at once.
  workers: 2,
  fullyParallel: false,
  projects: [
    { name: "calls", testMatch: specifications("calls"), workers: 1 },
    { name: "lines", testMatch: specifications("lines"), workers: 1 },
    // What a voice sounds like is no matter here, so it is one that is there at once.
    { name: "pages", testMatch: specifications("pages"), use: { settings: { VOICE: "slt" } } },
    {
      name: "desk",
      testMatch: specifications("desk"),
      workers: 1,
      dependencies: ["calls", "lines", "pages"],
    },
  ],
  // A test that passes at a second try is to be mended, not tried again.
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [["list"], ["html", { open: "never" }]] : "list",
  use: {
    ...devices["Desktop Chrome"],
    launchOptions: CHROMIUM,
    // No trace: to keep one, each action and each picture of a page is written down, also of a test that passes, and the
    // calls beside it wait for the machine. `npm run e2e -- --trace retain-on-failure NAME` makes one of what has failed.
    screenshot: "only-on-failure",
  },
});
