/** Whole calls, spoken and heard, and the records they leave. */
import { chromium } from "@playwright/test";
import { CHROMIUM } from "../playwright.config.ts";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";
import { whyNoNamespace } from "./network-namespace.ts";
import { timelineFile } from "./speech.ts";

test("violence now, safe to talk: the police, by warm transfer", async ({ page, server }) => {
  const noise: string[] = [];
  page.on("console", (told) => told.type() === "error" && noise.push(told.text()));
  page.on("response", (answer) => answer.status() >= 400 && noise.push(`${answer.status()} ${answer.url()}`));
  const call = await CallPage.open(page, server.url, { voice: "slt" });
  await call.start();
  await expect(call.newestRow).toContainText("Ongoing");
  await call.hearTurn();
  await call.tellOfViolenceNow();

  const record = await call.finishedRecord();
  expect(record.structuredData).toMatchObject({ transfer_to: "SPF", transferred: true, urgent: true });
  expect(record.endedReason).toBe("assistant-forwarded-call");
  expect(record.summaryTitle).toMatch(/^Caller [^.]*$/);
  expect(record.messages.some(({ role, message }) => role === "user" && /knife/i.test(message))).toBe(true);
  await call.expectHeardSpeech();
  await expect(call.newestRow).toContainText("Completed");
  await expect(call.newestRow).toContainText("SPF");
  await expect(call.newestRow).toContainText("Transferred");
  expect(noise, "the end of a call is quiet").toEqual([]);
});

test("a wish to die, from a microphone of its own: SOS, by warm transfer", async ({ server }) => {
  const microphone = timelineFile([
    { silence: 16 },
    { say: "I don't want to live any more.", voice: "slt" },
    { silence: 40 },
  ]);
  const browser = await chromium.launch({
    ...CHROMIUM,
    args: [
      ...CHROMIUM.args,
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${microphone}%noloop`,
    ],
  });
  try {
    const context = await browser.newContext({ baseURL: server.url });
    const call = await CallPage.open(await context.newPage(), server.url, { scriptedMicrophone: false });
    await call.start();
    await expect(call.talk).toBeVisible({ timeout: 90_000 });

    const record = await call.finishedRecord();
    expect(record.structuredData).toMatchObject({ transfer_to: "SOS", transferred: true, urgent: true });
    expect(record.endedReason).toBe("assistant-forwarded-call");
    await call.expectHeardSpeech();
    await expect(call.newestRow).toContainText("SOS");
  } finally {
    await browser.close();
  }
});

test("emotional abuse, aged fifteen, consents: child protection, by cold transfer", async ({
  page,
  server,
}) => {
  const call = await CallPage.open(page, server.url, { voice: "slt" });
  await call.start();
  await call.hearTurn();
  await call.say("My mother insults me and calls me worthless every day.");
  await call.converse([
    [/reach you/i, "A message in the evening is fine."],
    [/ending your life|not wanting to live|suicide|dying/i, "No, never."],
    [/hitting or hurting/i, "No, never."],
    [/how old|your age/i, "I am fifteen years old."],
    [/eighteen|nineteen/i, "Yes. I am fifteen years old."],
    [/name|call you/i, "My name is Mary."],
    [/share|pass/i, "Yes, you can share it."],
    [/where are you|address|part of singapore|roughly where/i, "I am at Orchard Road."],
    [/latest|last/i, "It happened yesterday."],
    [/anything else|something more|more support|anything more/i, "No, thank you. Goodbye."],
    [/husband|wife|who is it/i, "It is my mother."],
    [/safe|danger/i, "Yes, I am safe."],
    [/.*/, "My mother insults me and humiliates me every day."],
  ]);

  const record = await call.finishedRecord();
  expect(record.structuredData).toMatchObject({ transfer_to: "CPS", transferred: true });
  expect(record.structuredData.name).toMatch(/mary/i);
  expect(record.structuredData.location).toMatch(/orchard road/i);
  expect(record.structuredData.latest_incident_date).toMatch(/yesterday|20\d\d|\d{1,2}/i);
  expect(record.endedReason).toBe("assistant-ended-call");
  await call.expectHeardSpeech();
  await call.newestRow.getByRole("button", { name: /Expand View/ }).click();
  await expect(page.getByRole("dialog", { name: "Call Log" })).toContainText("CPS");
});

test("the caller takes the floor while the assistant is speaking", async ({ page, server }) => {
  const call = await CallPage.open(page, server.url, { voice: "rms" });
  await call.start();
  await expect(call.speaking).toBeVisible();
  await call.say("Stop. Please wait. I need to say something first.");
  await expect(call.listening).toBeVisible({ timeout: 5000 });
  await expect(call.captions.last()).toContainText(/wait|say something/i);
  // The assistant answers what was said, instead of going on with what it was saying.
  await call.hearTurn();
  await call.end.click();
  await expect(call.talk).toBeVisible();

  const record = await call.finishedRecord();
  expect(record.endedReason).toBe("customer-ended-call");
  // What was not spoken does not stand in the record as spoken.
  const greeting = record.messages.find(({ role }) => role === "bot");
  expect(greeting?.interrupted).toBe(true);
  expect(greeting?.message).not.toMatch(/right now\?$/);
  expect(record.messages.some(({ role, message }) => role === "user" && /wait/i.test(message))).toBe(true);
  await call.expectHeardSpeech();
});

test("without a route for WebRTC the call takes the socket, and still talks", async ({ page, server }) => {
  test.skip(whyNoNamespace() === null, "in udp-blocked.spec.ts a network of its own leaves no route");
  const call = await CallPage.open(page, server.url, { voice: "slt" });
  // Every candidate of the server's answer is taken away, so that nothing can connect.
  await page.route("**/whip", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/^a=candidate:.*\r\n/gm, "");
    await route.fulfill({ response: answer, body });
  });
  await call.start();
  await call.hearTurn();
  await call.say("I don't want to live any more.");
  await call.converse([]);

  const record = await call.finishedRecord();
  expect(record.structuredData).toMatchObject({ transfer_to: "SOS", transferred: true });
  expect(await page.evaluate(() => window.probe.receivedEnergy())).toBe(0);
  expect(await page.evaluate(() => window.probe.loudestPlayed())).toBeGreaterThan(0.02);
});
