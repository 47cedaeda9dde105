/** When a page that was there before its script can be used. */
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Waits until the script has taken the page over: only the script counts presses of Shift, and what is pressed before is lost. */
export async function untilHydrated(page: Page): Promise<void> {
  await expect(async () => {
    // Another key ends the count, so that no try leads away from the page.
    await page.keyboard.press("Control");
    await page.keyboard.press("Shift");
    await expect(page.getByText("Shift, press 2 more times to exit.")).toBeAttached({ timeout: 1_000 });
  }).toPass();
}
