/**
 * What comes after a call: the case is in the queue, is taken, edited, acted on and closed, and a colleague's
 * desk follows; a call taken elsewhere is entered; the morning has its report.
 */
import { expectAccessible } from "./accessible.ts";
import { CallPage } from "./call-page.ts";
import { DutyOfficer, openDesk } from "./duty-officer.ts";
import { test as base, expect } from "./fixtures.ts";
import { type RunningServer, startServer } from "./server.ts";

/** A server with a desk, and whoever comes to it. */
const test = base.extend<{
  desk: RunningServer;
  officer: (name: string, role?: "officer" | "supervisor") => Promise<DutyOfficer>;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  desk: async ({}, use) => {
    const server = await startServer({ OFFICERS_ANSWER_WITHIN_SECONDS: "20" });
    openDesk(server);
    await use(server);
    await server.stop();
  },
  officer: async ({ desk }, use) => {
    const officers: DutyOfficer[] = [];
    await use(async (name, role = "officer") => {
      const agencies = role === "officer" ? "SPF,SOS" : undefined;
      const officer = await DutyOfficer.signedIn(desk, { name, role, ...(agencies && { agencies }) });
      officers.push(officer);
      return officer;
    });
    await Promise.all(officers.map((officer) => officer.close()));
  },
});

const goTo = ({ page }: DutyOfficer, place: string) =>
  page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: place, exact: true }).click();
const queueOf = ({ page }: DutyOfficer) => page.getByRole("list", { name: "Cases" }).getByRole("link");
const press = ({ page }: DutyOfficer, name: string) =>
  page.getByRole("button", { name, exact: true }).click();

/** As a date field takes it, in Singapore. */
const fieldIn = (hours: number) => new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(0, 16);

test("a case is in the queue when its call has ended, is taken, edited, acted on and closed, and a colleague's desk follows", async ({
  page,
  desk,
  officer,
}) => {
  const [mei, ravi] = [await officer("Mei"), await officer("Ravi")];
  await mei.goOnDuty();
  await goTo(ravi, "Cases");
  await expect(ravi.page.getByText("No case is open.")).toBeVisible();
  const call = await CallPage.open(page, desk.url);
  await call.start();
  await call.hearTurn();
  await call.say("I do not want to live any more.");
  await expect(mei.ringing).toBeVisible({ timeout: 20_000 });
  await mei.accept();
  await mei.putThrough();
  await mei.say("Hello, this is Mei, I am a person.");
  await expect(mei.captions.filter({ hasText: /person/i }).last()).toBeVisible();
  await mei.line.getByRole("button", { name: "End the call" }).click();
  await mei.line.getByRole("button", { name: "End it now" }).click();
  await call.finishedRecord();

  // Told to a desk that was looking on, and there for one that comes.
  await expect(queueOf(ravi)).toHaveCount(1, { timeout: 30_000 });
  await goTo(mei, "Cases");
  const row = queueOf(mei).first();
  await expect(row).toContainText("SOS");
  await expect(row).toContainText("Urgent");
  await expectAccessible(mei.page);
  await row.focus();
  await mei.page.keyboard.press("Enter");
  await expect(mei.page.getByRole("heading", { name: "Action taken" })).toBeVisible();
  await expect(mei.page).toHaveURL(/\/desk#cases\/[0-9a-f-]{36}$/);

  const transcript = mei.page.getByRole("region", { name: "Transcript" });
  await mei.page
    .getByRole("region", { name: "Words that raised the flag" })
    .getByRole("button")
    .first()
    .click();
  await expect(transcript.locator("mark")).toContainText(/want to live/i);
  await expect(transcript.getByText(/person/i)).toBeVisible();

  await press(mei, "Take this case");
  await expect(mei.page.getByRole("article").getByText("With you")).toBeVisible();
  await expect(queueOf(ravi).first()).toContainText("with Mei");

  await press(mei, "Edit the note");
  await mei.page.getByLabel("Title").fill("Asked for a talk in the morning");
  await expectAccessible(mei.page);
  await press(mei, "Save the note");
  await expect(mei.page.getByText(/^Edited by Mei on/)).toBeVisible();
  const machine = mei.page.getByText("The assistant’s version, as it was written").locator("visible=true");
  await machine.click();
  await expect(queueOf(ravi).first()).toContainText("Asked for a talk in the morning");

  await press(mei, "Close the case");
  await expect(mei.page.getByRole("heading", { name: "Say first what was done" })).toBeFocused();
  await press(mei, "Go to action taken");
  const done = mei.page.getByRole("form", { name: "Action taken" });
  await done.getByRole("checkbox").first().check();
  await done.getByLabel("In words").fill("Talked for an hour. A friend is with the caller.");
  await press(mei, "Save the action taken");
  await expect(mei.page.getByText(/^By Mei on/)).toBeVisible();

  await press(mei, "Add a task");
  const task = mei.page.getByRole("form", { name: "A task" });
  await task.getByLabel("What is to be done").fill("Ask how the night was");
  await task.getByLabel("By when").fill(fieldIn(8));
  await task.getByLabel("Owner").selectOption({ label: "Ravi" });
  await press(mei, "Add it");
  await expect(mei.page.getByRole("list", { name: "Follow-ups" })).toContainText("Owner: Ravi");

  await press(mei, "Close the case");
  await mei.page.getByRole("radio", { name: /^Helped/ }).check();
  await expectAccessible(mei.page);
  await press(mei, "Close it");
  await expect(mei.page.getByRole("article").getByText("Closed: helped").first()).toBeVisible();
  await expect(mei.page.getByRole("article").getByText(/will be deleted on/)).toBeVisible();
  await expect(ravi.page.getByText("No case is open.")).toBeVisible();
  await press(ravi, "Closed");
  await expect(queueOf(ravi)).toHaveCount(1);
  const timeline = mei.page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("listitem").filter({ hasText: "Mei" }).nth(3)).toBeVisible();
});

test("of two people who edit a note the second is shown what the first wrote, and loses nothing", async ({
  officer,
}) => {
  const [mei, sam] = [await officer("Mei"), await officer("Sam", "supervisor")];
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

test("the morning has its report, the week its shifts, and each place is accessible", async ({ officer }) => {
  const [mei, sam] = [await officer("Mei"), await officer("Sam", "supervisor")];
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
});

test("a caller's records are handed over as a file, and where nothing was deleted the receipts say so", async ({
  officer,
}) => {
  const [mei, sam] = [await officer("Mei"), await officer("Sam", "supervisor")];
  await enterCall(mei, "Afraid of her son");
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
