/**
 * Measures whether the desk stutters: opens it in a real browser at a server that has its calls already, and tells figures
 * of each view as one line of JSON. `bench/run --only desk` starts the server and the calls, and runs this.
 *
 * `node build/run.js stutter/measure.ts ORIGIN SECONDS`, with the cookie of somebody who is signed in in
 * NIGHTLIGHT_DESK_COOKIE.
 */
import { chromium, type Locator, type Page } from "@playwright/test";
import { CHROMIUM } from "../playwright.config.ts";
import { DEVICES, type Device, freshOn, slowDown, weigh } from "./devices.ts";
import { type Figures, figuresOf } from "./figures.ts";

const KEY_EVERY_MS = 250;
const ANOTHER_CALL_EVERY_MS = 5000;
const TRIES = 5;
/** What opening a page, or weighing it, brings about is over by then. */
const SETTLES_WITHIN_MS = 3000;
const ROW = 'ul[aria-label="Live calls"] > li > button';
/** The last of an open call's ways. */
const CLOSE = 'article[aria-labelledby="call"] > header button:last-child';

interface Told extends Figures {
  device: string;
  view: "list" | "call";
  heapMb: { before: number; after: number };
  nodes: { before: number; after: number };
}

const [origin, seconds] = process.argv.slice(3);
const cookie = process.env.NIGHTLIGHT_DESK_COOKIE;
if (!origin || !Number(seconds) || !cookie)
  throw new Error("name the server's origin and the seconds, and set NIGHTLIGHT_DESK_COOKIE");
const lastsMs = Number(seconds) * 1000;

const browser = await chromium.launch(CHROMIUM);
const told: Told[] = [];
try {
  for (const device of DEVICES) told.push(...(await measureOn(device, origin, cookie)));
} finally {
  await browser.close();
}
process.stdout.write(`${JSON.stringify(told)}\n`);

async function measureOn(device: Device, at: string, signedIn: string): Promise<Told[]> {
  const { context, page, cdp } = await freshOn(browser, device, at, signedIn);
  await page.goto(`${at}/desk`);
  await rowsOf(page).first().waitFor();
  await slowDown(cdp, device);
  const one = async (view: Told["view"], act: () => Promise<void>): Promise<Told> => {
    await page.waitForTimeout(SETTLES_WITHIN_MS);
    const before = await weigh(cdp);
    await page.waitForTimeout(SETTLES_WITHIN_MS);
    const startedAt = new Map<string, number>();
    await learnStarts(page, at, startedAt);
    await page.evaluate(() => window.stutter.begin());
    await act();
    const measured = await page.evaluate(() => window.stutter.end());
    const after = await weigh(cdp);
    await learnStarts(page, at, startedAt);
    return {
      device: device.name,
      view,
      ...figuresOf(measured, startedAt),
      heapMb: { before: before.heapMb, after: after.heapMb },
      nodes: { before: before.nodes, after: after.nodes },
    };
  };
  const list = await one("list", () => moveInTheList(page));
  const call = await one("call", () => openOneAfterAnother(page));
  await context.close();
  return [list, call];
}

function rowsOf(page: Page): Locator {
  return page.getByRole("list", { name: "Live calls" }).getByRole("button");
}

/**
 * By a selector of the page's own: to find an element by its role Playwright looks at each there is and its style, which in a page of
 * a hundred rows, on a slowed-down processor, is a long task, and none of the page's.
 */
async function focus(page: Page, selector: string, at = 0): Promise<void> {
  const found = await page.evaluate(
    ([which, i]) => {
      const element = document.querySelectorAll<HTMLElement>(which)[i];
      element?.focus();
      return element !== undefined && element === document.activeElement;
    },
    [selector, at] as const,
  );
  if (!found) throw new Error(`nothing to be focused: ${selector}, ${at}`);
}

/** Down the list and up again, by the keys. */
async function moveInTheList(page: Page): Promise<void> {
  await focus(page, ROW);
  const until = Date.now() + lastsMs;
  for (let i = 0; Date.now() < until; i++) {
    await page.keyboard.press(i % 100 < 50 ? "ArrowDown" : "ArrowUp");
    await page.waitForTimeout(KEY_EVERY_MS);
  }
}

/** Opens a call, reads on while its captions come, moves meanwhile, closes it, and opens the next. */
async function openOneAfterAnother(page: Page): Promise<void> {
  const until = Date.now() + lastsMs;
  for (let i = 0; Date.now() < until; i++) {
    await focus(page, ROW, i % 50);
    await page.keyboard.press("Enter");
    await page.waitForTimeout(ANOTHER_CALL_EVERY_MS);
    await focus(page, CLOSE);
    await page.keyboard.press("Enter");
    await page.waitForTimeout(KEY_EVERY_MS);
  }
}

/** Of the calls that are live now: some begin and end while it is measured. */
async function learnStarts(page: Page, at: string, startedAt: Map<string, number>): Promise<void> {
  let answer = await page.request.get(`${at}/api/desk/live`);
  // A machine that is busy with a hundred calls may be too busy for one of its answers.
  for (let again = 0; !answer.ok() && again < TRIES; again++) {
    console.warn(`the live calls could not be read: ${answer.status()} ${await answer.text()}`);
    await page.waitForTimeout(KEY_EVERY_MS);
    answer = await page.request.get(`${at}/api/desk/live`);
  }
  if (!answer.ok()) throw new Error(`the live calls cannot be read: ${answer.status()}`);
  const { calls } = (await answer.json()) as { calls: { callId: string; startedAt: string }[] };
  for (const call of calls) startedAt.set(call.callId, Date.parse(call.startedAt));
}
