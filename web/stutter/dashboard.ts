/**
 * Measures whether the page of records is quick for a visitor with a long history: opens it in a real browser at a server that
 * has the history already, and tells figures of each device as one line of JSON. `bench/run --only dashboard` fills the
 * database, starts the server, and runs this.
 *
 * `node build/run.js stutter/dashboard.ts ORIGIN`, with the visitor's cookie in NIGHTLIGHT_VISITOR_COOKIE.
 */
import { chromium, type Page } from "@playwright/test";
import { CHROMIUM } from "../playwright.config.ts";
import { type BroughtAbout, installDashboardProbe } from "./dashboard-probe.ts";
import { DEVICES, type Device, type Fresh, freshOn, slowDown, weigh } from "./devices.ts";
import { type Figures, figuresOf, type Spread, spread } from "./figures.ts";

/** How often the page is opened, by a browser that has nothing of it. */
const ARRIVALS = 10;
const FETCHES = 20;
/** Fewer than a page of the table has. */
const READ = 20;
/** Down, and up again. */
const SCROLLS = 20;
const SCROLL_PX = 240;
const SCROLL_EVERY_MS = 50;
/** What an arrival, or weighing the page, brings about is over by then. */
const SETTLES_WITHIN_MS = 3000;

/** How a stretch of time went by: frames, tasks, and from each key to the next paint. */
type Smoothness = Pick<
  Figures,
  "seconds" | "frames" | "slowFramesPercent" | "longTasks" | "longestFrames"
> & {
  keys: Spread | null;
};

interface Told {
  device: string;
  /** Of a whole arrival also the longest task. */
  arrivals: { firstRows: Spread | null; longestTask: number };
  /** Scrolling, fetching more, and turning the table's pages. */
  list: Smoothness & { more: Spread | null; turned: Spread | null };
  /** Opening records, one after another, and what was said in them. */
  reading: Smoothness & { note: Spread | null; said: Spread | null };
  /** On the page at the end. */
  records: number;
  heapMb: { before: number; after: number };
}

const [origin] = process.argv.slice(3);
const cookie = process.env.NIGHTLIGHT_VISITOR_COOKIE;
if (!origin || !cookie) throw new Error("name the server's origin, and set NIGHTLIGHT_VISITOR_COOKIE");

const browser = await chromium.launch(CHROMIUM);
const told: Told[] = [];
try {
  for (const device of DEVICES) told.push(await measureOn(device, origin, cookie));
} finally {
  await browser.close();
}
process.stdout.write(`${JSON.stringify(told)}\n`);

async function measureOn(device: Device, at: string, visitor: string): Promise<Told> {
  const firstRows: number[] = [];
  const longestTasks: number[] = [];
  for (let i = 1; i < ARRIVALS; i++) {
    const arrival = await arriveOn(device, at, visitor);
    firstRows.push(arrival.firstRows);
    longestTasks.push(arrival.longestTask);
    await arrival.context.close();
  }
  const { context, page, cdp, ...last } = await arriveOn(device, at, visitor);
  firstRows.push(last.firstRows);
  longestTasks.push(last.longestTask);

  const before = await weigh(cdp);
  await page.waitForTimeout(SETTLES_WITHIN_MS);
  const list = await during(page, () => goThroughTheList(page));
  const after = await weigh(cdp);
  const records = await page.evaluate(() => window.dashboard.records());
  await page.waitForTimeout(SETTLES_WITHIN_MS);
  const reading = await during(page, () => readOneAfterAnother(page));
  await context.close();
  return {
    device: device.name,
    arrivals: { firstRows: spread(firstRows), longestTask: Math.max(...longestTasks) },
    list,
    reading,
    records,
    heapMb: { before: before.heapMb, after: after.heapMb },
  };
}

async function arriveOn(
  device: Device,
  at: string,
  visitor: string,
): Promise<Fresh & { firstRows: number; longestTask: number }> {
  const fresh = await freshOn(browser, device, at, visitor);
  const { page, cdp } = fresh;
  await page.addInitScript(installDashboardProbe);
  // Another site would bring a process of its own, which nothing has slowed down yet.
  await page.goto(`${at}/health`);
  await slowDown(cdp, device);
  await page.goto(`${at}/Demo`);
  const firstRows = await page.evaluate(() => window.dashboard.firstRows());
  await page.waitForTimeout(SETTLES_WITHIN_MS);
  // From the page's own beginning: no stretch has been begun.
  const { longTasks } = await page.evaluate(() => window.stutter.end());
  return { ...fresh, firstRows, longestTask: Math.max(0, ...longTasks) };
}

async function during<Times>(page: Page, act: () => Promise<Times>): Promise<Smoothness & Times> {
  await page.evaluate(() => window.stutter.begin());
  const times = await act();
  const measured = await page.evaluate(() => window.stutter.end());
  const { opening, ...of } = figuresOf(measured, new Map());
  const { seconds, frames, slowFramesPercent, longTasks, longestFrames } = of;
  return { seconds, frames, slowFramesPercent, longTasks, longestFrames, keys: opening, ...times };
}

async function goThroughTheList(page: Page) {
  const more = page.getByRole("button", { name: "Fetch more records" });
  const next = page.getByRole("button", { name: "Next page" });
  const [fetched, turned]: [number[], number[]] = [[], []];
  for (let i = 0; i < FETCHES; i++) {
    await scroll(page, 0.5);
    await more.focus();
    fetched.push(await press(page, "more"));
    await scroll(page, 0.5);
    await next.focus();
    turned.push(await press(page, "turned"));
  }
  return { more: spread(fetched), turned: spread(turned) };
}

async function readOneAfterAnother(page: Page) {
  const rows = page.getByRole("button", { name: /^Expand View of case/ });
  const panel = page.getByRole("dialog", { name: "Call Log" });
  const [note, said]: [number[], number[]] = [[], []];
  for (let i = 0; i < READ; i++) {
    await rows.nth(i).focus();
    note.push(await press(page, "note"));
    await panel.getByRole("button", { name: "Transcript", exact: true }).focus();
    said.push(await press(page, "said"));
    // The panel is at the right of the page, and on a phone all of it.
    await scroll(page, 0.8);
    await panel.getByRole("button", { name: "Close the call log" }).focus();
    await page.keyboard.press("Enter");
    await panel.waitFor({ state: "hidden" });
  }
  return { note: spread(note), said: spread(said) };
}

/** From the key to the frame that shows what it brings about, in milliseconds. */
async function press(page: Page, what: BroughtAbout): Promise<number> {
  await page.evaluate((awaited) => window.dashboard.awaits(awaited), what);
  await page.keyboard.press("Enter");
  return await page.evaluate(() => window.dashboard.came());
}

/** By the wheel, at this part of the window's width. */
async function scroll(page: Page, across: number): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.move(width * across, height / 2);
  for (let i = 0; i < 2 * SCROLLS; i++) {
    await page.mouse.wheel(0, i < SCROLLS ? SCROLL_PX : -SCROLL_PX);
    await page.waitForTimeout(SCROLL_EVERY_MS);
  }
}
