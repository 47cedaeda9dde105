/** The conversation in writing: for those who cannot speak, or must not be heard. */
import { expectAccessible, expectAccessibleByDayAndNight } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";

test("a written conversation, by keyboard alone, and its record", async ({ page, server }) => {
  await page.goto(`${server.url}/Demo?sort=-date`);
  await expect(page.getByRole("row")).toHaveCount(11);
  await page.getByRole("button", { name: "Write instead" }).focus();
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Your message" });
  await expect(field).toBeFocused();
  const log = page.getByRole("log", { name: "Conversation" });
  await expect(log.getByRole("listitem").first()).toContainText(/AI/);
  await expect(page.getByRole("row").nth(1)).toContainText("Ongoing");

  await page.keyboard.type("I am fine, I just need to talk.");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("It was a long day.");
  await page.keyboard.press("Enter");
  await expect(log.getByRole("listitem")).toHaveCount(3);
  await expect(log.getByRole("listitem").nth(1)).toContainText("It was a long day.");
  await expect(field).toBeFocused();
  await page.keyboard.type("I don't want to live any more.");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^The conversation was handed over/)).toBeVisible();
  // What the end means is read next, and the number to ring is one Tab away.
  await expect(
    page.getByRole("heading", { name: "Handed over to Samaritans of Singapore (SOS)" }),
  ).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: /^Ring 1767/ })).toBeFocused();
  await expect(page.getByRole("button", { name: "Write to Nightlight" })).toBeVisible();

  const record = page.getByRole("row").nth(1);
  await expect(record).toContainText("Completed");
  await expect(record).toContainText("SOS");
  await record.getByRole("button", { name: /Expand View/ }).click();
  const panel = page.getByRole("dialog", { name: "Call Log" });
  const flag = panel.getByRole("region", { name: "Words that raised the flag" });
  await flag.getByRole("button", { name: /live/ }).first().click();
  await expect(panel.locator(":focus")).toContainText("I don't want to live any more.");
});

test("the caller ends it, and may talk instead", async ({ page, server }) => {
  await page.goto(`${server.url}/demo?by=writing&sort=-date`);
  await page.getByRole("button", { name: "Write to Nightlight" }).click();
  await expect(page.getByRole("textbox", { name: "Your message" })).toBeFocused();
  await page.getByRole("button", { name: "End conversation" }).click();
  await expect(page.getByText("The conversation has ended. You can write again at any time")).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toContainText("Completed");
  await page.getByRole("button", { name: "Talk instead" }).click();
  await expect(page.getByRole("button", { name: "Talk to Nightlight" })).toBeFocused();
});

test("what cannot be sent is kept, with the numbers to ring, and sent again", async ({
  page,
  context,
  server,
}) => {
  await page.goto(`${server.url}/Demo`);
  await page.getByRole("button", { name: "Write instead" }).click();
  const field = page.getByRole("textbox", { name: "Your message" });
  await field.fill("He is outside the door.");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Send" }).click();
  const notice = page.getByRole("alert");
  await expect(notice.getByRole("heading", { name: "Your message was not sent" })).toBeVisible();
  for (const number of ["999", "70999"]) {
    await expect(notice.getByRole("link", { name: new RegExp(`^${number} `) })).toBeVisible();
  }
  await expect(field).toHaveValue("He is outside the door.");
  await expectAccessible(page);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole("log", { name: "Conversation" }).getByRole("listitem")).toHaveCount(3);
});

test("axe finds nothing: before, within and after", async ({ page, server }) => {
  await page.goto(`${server.url}/Demo?by=writing`);
  await expectAccessibleByDayAndNight(page);
  await page.getByRole("button", { name: "Write to Nightlight" }).click();
  await page.getByRole("textbox", { name: "Your message" }).fill("Hello");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log", { name: "Conversation" }).getByRole("listitem")).toHaveCount(3);
  await expectAccessibleByDayAndNight(page);
  await page.getByRole("button", { name: "End conversation" }).click();
  await expectAccessibleByDayAndNight(page);
});
