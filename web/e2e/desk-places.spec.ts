/** What the desk does without a call: one taken elsewhere is entered, colleagues edit its note, the morning has its report. */
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./desk-fixtures.ts";
import { fieldIn, goTo, press, queueOf } from "./desk-places.ts";
import type { DutyOfficer } from "./duty-officer.ts";

test("of two people who edit a note the second is shown what the first wrote, and loses nothing", async ({
  officer,
}) => {
  const [mei, sam] = await Promise.all([officer("Mei"), officer("Sam", "supervisor")]);
  await enterCall(mei, "Afraid of her son");
  await goTo(sam, "Cases");
  await queueOf(sam).first().click();
  await press(sam, "Edit the note");
  await sam.page.getByLabel("Summary").fill("He is away until Thursday.");
  await press(mei, "Edit the note");
  await mei.page.getByLabel("Summary").fill("He drinks, and shouts at night.");
  await press(mei, "Save the note");
  await expect(sam.page.getByText(/changed while you were writing/)).toBeVisible();
  await expect(sam.page.getByRole("alert").getByText("He drinks, and shouts at night.")).toBeVisible();
  await expect(sam.page.getByLabel("Summary")).toHaveValue("He is away until Thursday.");
  await press(sam, "Keep mine, to save over it");
  await press(sam, "Save the note");
  await expect(mei.page.getByText("He is away until Thursday.")).toBeVisible();
});

test("the morning has its report, the week its shifts, a caller's records are handed over as a file, and each place is accessible", async ({
  officer,
}) => {
  const [mei, sam] = await Promise.all([officer("Mei"), officer("Sam", "supervisor")]);
  // In a night that is over, whatever the hour is now.
  const evening = fieldIn(-48).slice(0, 10);
  await enterCall(mei, "Afraid of her son", `${evening}T23:00`);
  await goTo(sam, "Report");
  await expect(sam.page.getByRole("region", { name: "The night at a glance" })).toBeVisible();
  await sam.page.getByLabel("Night of").fill(evening);
  const cases = sam.page.getByRole("region", { name: "Cases of the night" }).getByRole("table");
  await expect(cases).toContainText("Afraid of her son");
  await expectAccessible(sam.page);
  await sam.page.emulateMedia({ media: "print" });
  await expect(sam.page.getByRole("button"), "on paper there is nothing to press").toHaveCount(0);
  await expect(cases).toBeVisible();
  await sam.page.emulateMedia({ media: "screen" });
  const file = sam.page.waitForEvent("download");
  await sam.page.getByRole("link", { name: "Download as CSV" }).click();
  expect((await file).suggestedFilename()).toMatch(/\.csv$/);

  await goTo(sam, "Shifts");
  await sam.page.getByLabel("Who").selectOption({ label: "Mei, duty officer" });
  await press(sam, "Plan it");
  await expect(sam.page.getByRole("list", { name: "Days" })).toContainText("10:00 PM – 6:00 AM Mei");
  await expectAccessible(sam.page);
  await goTo(mei, "Shifts");
  await expect(mei.page.getByRole("list", { name: "Days" })).toContainText("10:00 PM – 6:00 AM Mei");
  await expect(mei.page.getByRole("button", { name: /Remove/ })).toHaveCount(0);

  // Where nothing was deleted the receipts say so.
  await goTo(sam, "Records");
  await expect(sam.page.getByText("Nothing has been deleted yet.")).toBeVisible();
  await expectAccessible(sam.page);
  await sam.page.getByLabel("Caller’s number").fill("9123 4567");
  const handed = sam.page.waitForEvent("download");
  await press(sam, "Download the file");
  expect((await handed).suggestedFilename()).toMatch(/access-request.*\.json$/);
});

/** A call that was taken by telephone, two hours ago or then. */
async function enterCall(officer: DutyOfficer, title: string, began = fieldIn(-2)): Promise<void> {
  const { page } = officer;
  await goTo(officer, "Cases");
  await page.getByRole("link", { name: "Enter a call taken elsewhere" }).click();
  await page.getByLabel("It began").fill(began);
  await page.getByLabel("Minutes").fill("12");
  await page.getByLabel("Caller’s number").fill("9123 4567");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Summary").fill("She is at her sister’s tonight.");
  await page.getByLabel("Agency", { exact: true }).selectOption("SPF");
  await page.getByRole("checkbox", { name: "Urgent" }).check();
  await expectAccessible(page);
  await press(officer, "Enter the call");
  await expect(page.getByRole("heading", { level: 2, name: title })).toBeVisible();
  await expect(queueOf(officer).first()).toContainText(title);
}
