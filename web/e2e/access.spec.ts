/** The demonstration for those who use it by keyboard or by screen reader. */
import type { Page } from "@playwright/test";
import { expectAccessibleByDayAndNight } from "./accessible.ts";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";

test("axe finds nothing: idle, in a call, and with the panel open", async ({ page, server }) => {
  const call = await CallPage.open(page, server.url);
  await expectAccessibleByDayAndNight(page);
  await call.start();
  await call.hearTurn();
  await expectAccessibleByDayAndNight(page);
  await call.end.click();
  await expect(call.talk).toBeVisible();

  await page.getByRole("button", { name: "Expand View of case 10" }).click();
  await expect(page.getByRole("dialog", { name: "Call Log" })).toBeVisible();
  await expectAccessibleByDayAndNight(page);
  await page.getByRole("button", { name: "Transcript" }).click();
  await expectAccessibleByDayAndNight(page);
});

test("a call and a record, by keyboard alone, each change of the call announced", async ({
  page,
  server,
}) => {
  const call = await CallPage.open(page, server.url);
  const announced = (words: string) => page.getByRole("status").filter({ hasText: words });
  await tabTo(page, "Talk to Nightlight");
  await page.keyboard.press("Enter");
  await expect(call.end).toBeVisible();
  // The button is the same one, and keeps the focus.
  await expect(call.end).toBeFocused();
  await expect(announced("Connected to Nightlight")).toBeVisible();
  await tabTo(page, "Mute");
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Mute", pressed: true })).toBeVisible();
  await page.keyboard.press("Shift+Tab");
  await expect(call.end).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(call.talk).toBeFocused();
  await expect(announced("The call has ended. You can call again at any time")).toBeVisible();

  await tabTo(page, "Expand View of case 10");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Call Log" });
  await expect(panel).toBeVisible();
  // The two toggles are one stop of the Tab key, and the arrows move between them.
  await tabTo(page, "Summary");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(panel.getByText("Caller", { exact: true }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(page.getByRole("button", { name: "Expand View of case 10" })).toBeFocused();
});

async function tabTo(page: Page, name: string): Promise<void> {
  const goal = page.getByRole("button", { name, exact: true });
  for (let presses = 0; presses < 60; presses++) {
    if (await goal.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`"${name}" is not reached by the Tab key`);
}
