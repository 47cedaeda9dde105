/** Calls that cannot be: each is told clearly, with the numbers to ring now. */
import { chromium, type Page } from "@playwright/test";
import { CHROMIUM } from "../playwright.config.ts";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";
import { startServer } from "./server.ts";

/** A voice that takes nothing to load: here servers come and go. */
const QUICKLY_THERE = { VOICE: "slt" };

async function expectTrouble(page: Page, title: string, within?: number): Promise<void> {
  const notice = page.getByRole("alert");
  await expect(notice.getByRole("heading", { name: title })).toBeVisible({ timeout: within });
  for (const number of ["999", "995", "1767", "1800 777 0000", "70999"]) {
    await expect(notice.getByRole("link", { name: new RegExp(`^${number} `) })).toBeVisible();
  }
}

test("the microphone is refused", async ({ server }) => {
  // There is a device, and headless Chromium refuses what nobody has granted.
  const browser = await chromium.launch({
    ...CHROMIUM,
    args: [...CHROMIUM.args, "--use-fake-device-for-media-stream"],
  });
  try {
    const page = await browser.newPage();
    const call = await CallPage.open(page, server.url, { scriptedMicrophone: false });
    await call.talk.click();
    await expectTrouble(page, "The microphone is not allowed");
    await expect(call.talk).toBeEnabled();
  } finally {
    await browser.close();
  }
});

test("there is no microphone", async ({ page, context, server }) => {
  await context.grantPermissions(["microphone"]);
  const call = await CallPage.open(page, server.url, { scriptedMicrophone: false });
  await call.talk.click();
  await expectTrouble(page, "No microphone was found");
});

test("the server goes away before the call", async ({ page, context, server }) => {
  const call = await CallPage.open(page, server.url);
  await context.setOffline(true);
  await call.talk.click();
  await expectTrouble(page, "Nightlight cannot be reached");
  await expect(page.getByRole("complementary", { name: "Emergency numbers" })).toBeVisible();
  await context.setOffline(false);
  await call.start();
});

test("all lines are busy", async ({ page, browser }) => {
  const server = await startServer({ ...QUICKLY_THERE, MAX_CALLS: "1" });
  try {
    const first = await CallPage.open(page, server.url);
    await first.start();
    const elsewhere = await browser.newContext();
    const second = await CallPage.open(await elsewhere.newPage(), server.url);
    await second.talk.click();
    await expectTrouble(second.page, "All lines are busy");
    await elsewhere.close();
  } finally {
    await server.stop();
  }
});

test("the server dies during the call, and the line alone tells it", async ({ page }) => {
  await page.route("**/api/calls/events", (route) => route.abort());
  const server = await startServer(QUICKLY_THERE);
  try {
    const call = await CallPage.open(page, server.url);
    await call.start();
    await call.hearTurn();
    server.kill();
    // Left to itself the browser takes 24 s and more to call the connection lost.
    await expectTrouble(page, "The line was cut off", 12_000);
    await expect(page.getByText("Connecting to Nightlight again")).toBeVisible();
    await call.end.click();
    await expect(call.talk).toBeEnabled();
  } finally {
    await server.stop();
  }
});

test("the server dies during the call, which the stream of events tells, and starts again, and the conversation goes on", async ({
  page,
}) => {
  const server = await startServer(QUICKLY_THERE);
  try {
    const call = await CallPage.open(page, server.url);
    await call.start();
    await call.hearTurn();
    await call.say("I have been very lonely since my sister moved away");
    await call.hearTurn();
    server.kill();
    await expectTrouble(page, "The line was cut off", 12_000);
    await expect(page.getByText("Connecting to Nightlight again")).toBeVisible();
    await server.startAgain();
    await expect(page.getByRole("alert")).toBeHidden({ timeout: 15_000 });
    const welcome = page.getByRole("log", { name: "Live captions" });
    await expect(welcome).toContainText(/The line was cut off|We lost the line/);
    await expect(welcome).toContainText("telling me");
    await call.end.click();
    await expect(page.getByRole("heading", { name: "You ended the call" })).toBeVisible();
  } finally {
    await server.stop();
  }
});
