/**
 * A caller's browser and officers' browsers, with real sound: the desk rings, a person comes onto the call, and what
 * happens when none does.
 */
import { expectAccessible } from "./accessible.ts";
import { type CallInfo, CallPage, SPEECH_ENERGY } from "./call-page.ts";
import { CuttableLine, ownAddress } from "./cuttable-line.ts";
import { expect, test } from "./desk-fixtures.ts";
import { DutyOfficer, openDesk } from "./duty-officer.ts";
import { glanced } from "./looks.ts";
import { freePort, startServer } from "./server.ts";

/** Comfort noise and clicks: what is far below anything that is said. */
const NOTHING = SPEECH_ENERGY / 4;

/** Between the loudest of the desk's chime, which an urgent call sounds too, and of its ring: 0.043 and 0.065, as they are made. */
const RING = 0.05;

/** How much more reaches somebody while something is done. */
async function heard(
  side: { receivedEnergy(): Promise<number> },
  during: () => Promise<void>,
): Promise<number> {
  const before = await side.receivedEnergy();
  await during();
  return (await side.receivedEnergy()) - before;
}

const aMoment = (page: CallPage["page"], ms: number) => () => page.waitForTimeout(ms);

/** A caller who has said that she does not want to live, and hears that she is being connected. */
async function callerAtRisk(page: CallPage["page"], url: string): Promise<CallPage> {
  const call = await CallPage.open(page, url);
  await call.start();
  await call.hearTurn();
  await call.say("I do not want to live any more.");
  return call;
}

function rolesSaying(record: CallInfo, words: RegExp): string[] {
  return record.messages.filter(({ message }) => words.test(message)).map(({ role }) => role);
}

test.describe("in the natural voice, which makes a briefing for the moment", () => {
  test.use({ deskSettings: {} });

  test("a woman who is being hurt is put through to an officer: they hear each other, the assistant is silent, and the record has all three", async ({
    page,
    desk,
    officer,
  }) => {
    const mei = await officer("Mei");
    await mei.goOnDuty();
    const call = await CallPage.open(page, desk.url);
    await call.start();
    await call.hearTurn();
    await call.tellOfViolenceNow(() => mei.ringing.isVisible());
    await mei.accept();
    await expect(mei.ringing).toHaveCount(0);
    // The briefing, before she is put through; its sentence begins with the note's title. That the caller hears nothing of it is
    // shown in `crates/call`: here the assistant may be talking with her meanwhile.
    await expect.poll(() => mei.receivedEnergy(), { timeout: 15_000 }).toBeGreaterThan(SPEECH_ENERGY);
    await expect(mei.line.getByRole("status")).toContainText("You hear a one-sentence briefing");
    const note = mei.page.getByRole("region", { name: "Note" });
    const title = (await note.getByRole("heading").first().textContent()) ?? "";
    expect(title.length).toBeGreaterThan(5);
    await expect(call.captions.filter({ hasText: title })).toHaveCount(0);
    await expect(mei.captions.filter({ hasText: /knife/i }).last()).toBeVisible();
    await expect(note).toContainText(/SPF|police/i);
    await mei.putThrough();
    await mei.say("Hello, this is Mei, I am a person. You are not alone now.");

    // From her first words on the assistant says nothing.
    await page.waitForTimeout(1_500);
    expect(await heard(call, aMoment(page, 4_000)), "silence").toBeLessThan(NOTHING);
    const caller = await heard(call, () => mei.say("Can you get out of the house with your children?"));
    expect(caller, "the caller hears the officer").toBeGreaterThan(SPEECH_ENERGY);
    const officerHears = await heard(mei, () => call.say("Yes, the back door is open."));
    expect(officerHears, "the officer hears the caller").toBeGreaterThan(SPEECH_ENERGY);
    expect(await heard(call, aMoment(page, 5_000)), "no assistant answers her").toBeLessThan(NOTHING);
    await expect(mei.captions.filter({ hasText: /back door/i }).last()).toBeVisible();
    await glanced(mei.page, "in-talk");

    await mei.line.getByRole("button", { name: "End the call" }).click();
    await mei.line.getByRole("button", { name: "End it now" }).click();
    await expect(call.talk).toBeVisible();
    await expect(
      page.getByRole("heading", { level: 1, name: "The duty officer has ended the call" }),
    ).toBeVisible();
    await expect(page.getByText("nobody was dialled")).toHaveCount(0);
    await glanced(page, "ended-by-officer");
    const record = await call.finishedRecord();
    expect(record.endedReason).toBe("assistant-forwarded-call");
    expect(record.structuredData).toMatchObject({ transfer_to: "SPF", transferred: true, urgent: true });
    expect(record.messages.filter(({ message }) => message.includes(title))).toEqual([]);
    expect(rolesSaying(record, /knife/i)).toContain("user");
    expect(rolesSaying(record, /get out of the house/i)).toEqual(["officer"]);
    expect(rolesSaying(record, /back door/i)).toEqual(["user"]);
    const roles = record.messages.map(({ role }) => role);
    expect(roles.slice(roles.indexOf("officer"))).not.toContain("bot");
  });
});

test.describe("rung for 12 s", () => {
  test.use({ deskSettings: { VOICE: "slt", OFFICERS_ANSWER_WITHIN_SECONDS: "12" } });

  test("when nobody answers, the assistant is back with the number to ring, and the desk is told", async ({
    page,
    desk,
    officer,
  }) => {
    const mei = await officer("Mei");
    await mei.goOnDuty();
    const call = await callerAtRisk(page, desk.url);
    await expect(mei.ringing).toBeVisible({ timeout: 20_000 });
    await expect.poll(() => mei.loudestPlayed(), { message: "the ring sounds" }).toBeGreaterThan(RING);
    // It rings for 12 s: no time to look at it in more than one width.
    await expectAccessible(mei.page);
    await expect(mei.page.getByRole("alert")).toContainText(/nobody|reached/i, { timeout: 40_000 });
    await expect(call.captions.filter({ hasText: /1767/ }).last()).toBeVisible({ timeout: 30_000 });
    await glanced(mei.page, "unreached");
    await call.end.click();
    const record = await call.finishedRecord();
    expect(record.structuredData).toMatchObject({ transferred: false, urgent: true });
  });
});

test("when all decline, the assistant is back at once", async ({ page, desk, officer }) => {
  const mei = await officer("Mei");
  await mei.goOnDuty();
  const call = await callerAtRisk(page, desk.url);
  await expect(mei.ringing).toBeVisible({ timeout: 20_000 });
  await mei.ringing.getByRole("button", { name: "Decline" }).click();
  await expect(mei.page.getByRole("alert")).toBeVisible();
  await expect(call.captions.filter({ hasText: /1767/ }).last()).toBeVisible({ timeout: 30_000 });
  await call.end.click();
  const record = await call.finishedRecord();
  expect(record.structuredData).toMatchObject({ transferred: false, urgent: true });
  expect(record.structuredData.follow_up).toContain("no duty officer reached the caller for SOS");
});

test("of two officers who accept at once one gets the call, and the other sees who has it", async ({
  page,
  desk,
  officer,
}) => {
  const [mei, ravi] = await Promise.all([officer("Mei"), officer("Ravi")]);
  await mei.goOnDuty();
  await ravi.goOnDuty();
  await callerAtRisk(page, desk.url);
  await expect(mei.ringing).toBeVisible({ timeout: 20_000 });
  await expect(ravi.ringing).toBeVisible();
  // On a slow machine one may be told that it is over before they have pressed.
  const press = ({ ringing }: DutyOfficer) =>
    ringing.getByRole("button", { name: "Accept" }).click({ timeout: 10_000 });
  await Promise.allSettled([press(mei), press(ravi)]);
  // As long as a line stands it can be muted, whether the briefing is still heard or over by now.
  const stands = ({ line }: DutyOfficer) => line.getByRole("button", { name: "Mute" });
  await expect(
    stands(mei)
      .or(mei.page.getByText(/Ravi has taken/))
      .first(),
  ).toBeVisible();
  const meiHasIt = await stands(mei).isVisible();
  const [first, second] = meiHasIt ? [mei, ravi] : [ravi, mei];
  await expect(stands(first)).toBeVisible();
  await expect(second.page.getByText(new RegExp(`${first.name} has taken`)).first()).toBeVisible();
  await expect(stands(second)).toHaveCount(0);
});

/** After so much silence an officer's line is lost; two seconds later, at most, the assistant is back. */
const LOST_AFTER_MS = 1_500;
const BACK_WITHIN_MS = 2_000;
/** This machine's, which runs two browsers, the ears and a voice on two cores. */
const MARGIN_MS = 1_500;

test("an officer whose network is cut in mid-call is missed within two seconds: the assistant is back", async ({
  page,
}) => {
  const [address, port] = [ownAddress(), await freePort()];
  const server = await startServer({ MEDIA_BIND: address, MEDIA_PORT: port });
  const line = await CuttableLine.before({ address, port: Number(port) });
  let mei: DutyOfficer | null = null;
  try {
    openDesk(server);
    mei = await DutyOfficer.signedIn(server, { name: "Mei", role: "officer", agencies: "SPF,SOS" });
    await line.carriesLinesOf(mei.page, "**/api/desk/calls/*/line");
    await mei.goOnDuty();
    const call = await callerAtRisk(page, server.url);
    await expect(mei.ringing).toBeVisible({ timeout: 20_000 });
    await mei.accept();
    await mei.putThrough();
    await mei.say("Hello, this is Mei.");
    await page.waitForTimeout(1_000);
    await expect.poll(() => call.speaking.isVisible(), { message: "the assistant is silent" }).toBe(false);
    expect(line.carried, "her line goes by here").toBeGreaterThan(100);
    // Her sound is gone both ways; her page lives, and ends nothing.
    line.cut();
    const cut = Date.now();
    await expect.poll(() => call.speaking.isVisible(), { intervals: [50], timeout: 10_000 }).toBe(true);
    expect(Date.now() - cut).toBeLessThan(LOST_AFTER_MS + BACK_WITHIN_MS + MARGIN_MS);
    await expect(mei.page.getByText("The officer’s line was lost.")).toBeVisible();
    await expect(call.captions.filter({ hasText: /1767/ }).last()).toBeVisible({ timeout: 30_000 });
    await call.end.click();
    const record = await call.finishedRecord();
    expect(record.structuredData).toMatchObject({ transferred: false, urgent: true });
    expect(record.structuredData.follow_up).toContain("the duty officer's line was lost");
  } finally {
    await mei?.close();
    line.close();
    await server.stop();
  }
});

test("a caller on hold hears nothing of the officer, who speaks with a supervisor, and both hear each other again", async ({
  page,
  desk,
  officer,
}) => {
  const [mei, sam] = await Promise.all([officer("Mei"), officer("Sam", "supervisor")]);
  await mei.goOnDuty();
  // Mei is on a phone, from the ring to the end.
  await mei.page.setViewportSize({ width: 390, height: 844 });
  const call = await callerAtRisk(page, desk.url);
  await expect(mei.ringing.getByRole("button", { name: "Accept" })).toBeInViewport({ timeout: 20_000 });
  await mei.accept();
  await mei.putThrough();
  await mei.say("Hello, this is Mei. I am here.");
  await sam.look();
  await sam.page.getByRole("button", { name: "Coach" }).click();
  await expect(sam.line.getByRole("status")).toContainText("You are coaching");

  await mei.line.getByRole("button", { name: "Put the caller on hold" }).press("Enter");
  await expect(mei.line.getByRole("status")).toContainText("The caller is on hold");
  await expect(call.captions.filter({ hasText: /be back/ }).last()).toBeVisible({ timeout: 10_000 });
  // The assistant's words are over, and the next ones are not due before 20 s.
  await expect.poll(() => call.speaking.isVisible(), { timeout: 15_000 }).toBe(false);
  let ofCaller = 0;
  const aside = await heard(sam, async () => {
    ofCaller = await heard(call, () => mei.say("The purple lantern is what I ask about."));
  });
  expect(aside, "the supervisor hears the officer").toBeGreaterThan(SPEECH_ENERGY);
  expect(ofCaller, "the caller hears nothing of it").toBeLessThan(NOTHING);
  await glanced(mei.page, "on-hold");

  await mei.line.getByRole("button", { name: "Take the caller back" }).press("Enter");
  await expect(mei.line.getByRole("status")).toContainText("You are talking with the caller");
  // From her first words on the assistant is silent again.
  await mei.say("I am back with you.");
  await page.waitForTimeout(1_500);
  const caller = await heard(call, () => mei.say("Thank you for waiting. Tell me where you are."));
  expect(caller, "the caller hears the officer").toBeGreaterThan(SPEECH_ENERGY);
  const officerHears = await heard(mei, () => call.say("I am in my room at home."));
  expect(officerHears, "the officer hears the caller").toBeGreaterThan(SPEECH_ENERGY);
  await mei.line.getByRole("button", { name: "End the call" }).click();
  await mei.line.getByRole("button", { name: "End it now" }).click();
  const record = await call.finishedRecord();
  expect(rolesSaying(record, /lantern/i), "what is said aside is on no transcript").toEqual([]);
  expect(rolesSaying(record, /be back/i)).toContain("bot");
});

test("a supervisor listens unheard, coaches the officer alone, and takes the call over", async ({
  page,
  desk,
  officer,
}) => {
  const [mei, sam] = await Promise.all([officer("Mei"), officer("Sam", "supervisor")]);
  await mei.goOnDuty();
  const call = await callerAtRisk(page, desk.url);
  await expect(mei.ringing).toBeVisible({ timeout: 20_000 });
  await mei.comeOnByKeys();
  await mei.say("Hello, this is Mei. I am here.");

  await sam.look();
  await sam.page.getByRole("button", { name: "Listen" }).click();
  await expect(sam.line.getByRole("status")).toContainText("You are listening");
  const listened = await heard(sam, () => call.say("I have a rope in my room."));
  expect(listened, "the supervisor hears the caller").toBeGreaterThan(SPEECH_ENERGY);
  await sam.line.getByRole("button", { name: "Stop listening" }).click();

  await sam.page.getByRole("button", { name: "Coach" }).click();
  await expect(sam.line.getByRole("status")).toContainText("You are coaching");
  await page.waitForTimeout(1_000);
  let ofCaller = 0;
  const coached = await heard(mei, async () => {
    ofCaller = await heard(call, () => sam.say("Ask her to put the purple lantern away."));
  });
  expect(coached, "the officer hears the coach").toBeGreaterThan(SPEECH_ENERGY);
  expect(ofCaller, "the caller hears nothing of it").toBeLessThan(NOTHING);
  await glanced(sam.page, "coaching");

  await sam.line.getByRole("button", { name: "Take over" }).click();
  await sam.line.getByRole("button", { name: "Take it over" }).click();
  await expect(sam.line.getByRole("status")).toContainText("You are talking with the caller");
  const took = await heard(call, () => sam.say("This is Sam. I am with you now."));
  expect(took, "the caller hears who took over").toBeGreaterThan(SPEECH_ENERGY);
  const told = call.captions.filter({ hasText: /another duty officer|second person/i });
  await expect(told.last(), "the caller is told").toBeVisible();
  // Mei talks with her too: of the two the last ends the call.
  await sam.endByKeys();
  await expect(mei.line.getByRole("status")).toContainText("You are talking with the caller");
  await mei.endByKeys();
  const record = await call.finishedRecord();
  expect(rolesSaying(record, /lantern/i), "a coach is on no transcript").toEqual([]);
});

test("a supervisor's hint is said at the assistant's next turn, in its own words", async ({
  page,
  desk,
  officer,
}) => {
  const hint = "Give the suicide line's number";
  const sam = await officer("Sam", "supervisor");
  const call = await CallPage.open(page, desk.url);
  await call.start();
  await call.hearTurn();
  await sam.look();
  await sam.page.getByLabel("Whisper to the assistant").selectOption({ label: hint });
  await sam.page.getByRole("button", { name: "Whisper", exact: true }).click();
  await expect(sam.page.getByText("The assistant takes it up after the caller’s next words")).toBeVisible();
  const withIt = call.captions.filter({ hasText: /1767/ });
  await expect(withIt, "not before she speaks").toHaveCount(0);
  await call.say("Yes, I am safe, but my days at work are too long.");
  await expect(withIt.last()).toBeVisible({ timeout: 30_000 });
  await expect(call.captions.filter({ hasText: hint })).toHaveCount(0);
  await call.end.click();
  const record = await call.finishedRecord();
  expect(rolesSaying(record, /1767/)).toContain("bot");
  expect(JSON.stringify(record)).not.toContain(hint);
});
