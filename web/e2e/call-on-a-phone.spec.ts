/** A conversation on a small screen is the page: its state, its words and its buttons, and nothing to scroll for. */
import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { CALL_LIBRARY, CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";

const PHONES = [
  { width: 360, height: 640 },
  { width: 360, height: 740 },
  // On its side.
  { width: 640, height: 360 },
  { width: 740, height: 360 },
  // A page enlarged to four times, on a screen of 1280 by 1024.
  { width: 320, height: 256 },
];
const WIDE = [
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
];

const exit = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Exit this page" });
const toTheNumbers = (page: Page) => page.getByRole("button", { name: "Emergency numbers" });

async function expectWhollyInView(...parts: Locator[]): Promise<void> {
  for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
}

/** Each begins below where the one before it ends. */
async function expectInThisOrder(...parts: Locator[]): Promise<void> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  for (const [i, box] of boxes.entries()) {
    const before = boxes[i - 1];
    if (before) expect(box?.y).toBeGreaterThanOrEqual(Math.floor(before.y + before.height));
  }
}

test("a call needs no scrolling, from the moment it is asked for", async ({ page, server }) => {
  // A whole call, looked at in eight sizes.
  const ofTheHostedPlatform: string[] = [];
  page.on("request", (request) => {
    if (CALL_LIBRARY.test(request.url())) ofTheHostedPlatform.push(request.url());
  });
  const call = await CallPage.open(page, server.url);
  await page.setViewportSize({ width: 360, height: 640 });
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route("**/call/web", async (route) => {
    await held;
    await route.continue();
  });
  await call.talk.click();
  const connecting = page.getByRole("button", { name: "Connecting..." });
  await expectWhollyInView(page.getByText("Connecting to Nightlight"), connecting, exit(page));
  await expectAccessible(page);
  letThrough();
  await expect(call.end).toBeVisible({ timeout: 30_000 });
  await call.hearTurn();
  await call.say("I feel very low today.");
  await expect(call.captions.nth(1)).toContainText(/low/i);

  const log = page.getByRole("log", { name: "Live captions" });
  const floor = call.speaking.or(call.listening);
  const mute = page.getByRole("button", { name: "Mute" });
  // Silence is then not taken for absence, however long the looking takes.
  await mute.click();
  for (const size of PHONES) {
    await test.step(`${size.width} by ${size.height}`, async () => {
      await page.setViewportSize(size);
      await expectWhollyInView(floor, log, call.end, mute, exit(page), toTheNumbers(page));
      await expectInThisOrder(floor, log, call.end);
      expect((await log.boundingBox())?.height).toBeGreaterThan(50);
      await expectAccessible(page);
    });
  }
  for (const size of WIDE) {
    await test.step(`${size.width} by ${size.height}`, async () => {
      await page.setViewportSize(size);
      const line = page.getByText("Connected to Nightlight");
      await expectWhollyInView(floor, line, log, call.end, mute, exit(page));
      await expectInThisOrder(line, log, call.end);
    });
  }
  expect(ofTheHostedPlatform, "a call that is held here needs no other's library").toHaveLength(0);
});

test("from a call on a phone the emergency numbers are one press away", async ({ page, server }) => {
  const call = await CallPage.open(page, server.url);
  await page.setViewportSize({ width: 360, height: 640 });
  await call.start();
  const numbers = page.getByRole("complementary", { name: "Emergency numbers" });
  await toTheNumbers(page).click();
  await expectWhollyInView(...(await numbers.getByRole("link").all()), exit(page));
  await page.keyboard.press("Tab");
  await expect(numbers.getByRole("link", { name: "999 Police" })).toBeFocused();

  // Who reads further down is not brought back when the browser's own bars come and go.
  const history = page.getByRole("heading", { name: "Call history" });
  await history.scrollIntoViewIfNeeded();
  await page.mouse.move(180, 400);
  await page.mouse.wheel(0, 400);
  await expect(call.end).not.toBeInViewport();
  await page.setViewportSize({ width: 360, height: 696 });
  await expect(call.end).not.toBeInViewport();
  await expect(exit(page)).toBeInViewport({ ratio: 1 });
});

test("in writing the form stays at the bottom, also with a keyboard over the page", async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${server.url}/Demo?by=writing`);
  await page.getByRole("button", { name: "Write to Nightlight" }).click();
  const field = page.getByRole("textbox", { name: "Your message" });
  const send = page.getByRole("button", { name: "Send" });
  const end = page.getByRole("button", { name: "End conversation" });
  const log = page.getByRole("log", { name: "Conversation" });
  await expect(field).toBeFocused();
  await field.fill("I am fine, I just need to talk.");
  await page.keyboard.press("Enter");
  await expect(log.getByRole("listitem")).toHaveCount(3);

  for (const size of [...PHONES, { width: 360, height: 340 }]) {
    await test.step(`${size.width} by ${size.height}`, async () => {
      await page.setViewportSize(size);
      await expectWhollyInView(log, field, send, end, exit(page), toTheNumbers(page));
      await expectInThisOrder(end, log, field);
      expect((await log.boundingBox())?.height).toBeGreaterThan(50);
    });
  }
  await expectAccessible(page);

  // Some browsers lay the keyboard over the page and tell only the visual viewport.
  await page.setViewportSize({ width: 360, height: 640 });
  await page.evaluate(() => {
    Object.defineProperty(window.visualViewport, "height", { configurable: true, value: 340 });
    window.visualViewport?.dispatchEvent(new Event("resize"));
  });
  await expect
    .poll(async () => {
      const box = await send.boundingBox();
      return box && box.y + box.height;
    })
    .toBeLessThanOrEqual(340);
  expect((await log.boundingBox())?.height).toBeGreaterThan(50);
});

test("a message that was not sent keeps its form in view, and its numbers in reach", async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${server.url}/Demo?by=writing`);
  await page.getByRole("button", { name: "Write to Nightlight" }).click();
  const field = page.getByRole("textbox", { name: "Your message" });
  await expect(field).toBeFocused();
  await field.fill("He is outside the door.");
  await context.setOffline(true);
  await page.keyboard.press("Enter");
  const notice = page.getByRole("alert");
  await expectWhollyInView(
    notice.getByRole("heading", { name: "Your message was not sent" }),
    field,
    page.getByRole("button", { name: "Send again" }),
  );
  const last = notice.getByRole("link").last();
  await last.scrollIntoViewIfNeeded();
  await expectWhollyInView(last, field);
  await expectAccessible(page);
});

test("a call that could not start is told in view, with the first numbers to ring", async ({
  page,
  context,
  server,
}) => {
  const call = await CallPage.open(page, server.url);
  await page.setViewportSize({ width: 360, height: 640 });
  await context.setOffline(true);
  await call.talk.click();
  const notice = page.getByRole("alert");
  await expectWhollyInView(
    notice.getByRole("heading", { level: 1, name: "Nightlight cannot be reached" }),
    notice.getByRole("link", { name: /^999 / }),
    notice.getByRole("link", { name: /^70999 / }),
    exit(page),
  );
  await expectAccessible(page);
});
