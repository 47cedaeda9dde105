/**
 * What comes after a call: the case is in the queue, is taken, edited, acted on and closed, and a colleague's desk follows.
 * What the desk does without a call is in `desk-places.spec.ts`.
 */
import { expectAccessible } from "./accessible.ts";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./desk-fixtures.ts";
import { fieldIn, goTo, press, queueOf } from "./desk-places.ts";

test("a case is in the queue when its call has ended, is taken, edited, acted on and closed, and a colleague's desk follows", async ({
  page,
  desk,
  officer,
}) => {
  const [mei, ravi] = await Promise.all([officer("Mei"), officer("Ravi")]);
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
  // Heard in one turn or in two.
  await expect(transcript.getByText(/person/i).last()).toBeVisible();

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
