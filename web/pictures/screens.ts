/**
 * Takes a picture of every page in each of its states, at every width, light and dark, to be looked at:
 * `make screens`, or `npm run screens -- demo` for the states whose names begin so. They go to
 * `screens/`, which git ignores; `screens/STATE/sheet.png` has all of a state side by side.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, expect, type Locator, type Page } from "@playwright/test";
import { CallPage } from "../e2e/call-page.ts";
import { DutyOfficer, invite, openDesk } from "../e2e/duty-officer.ts";
import { type RunningServer, startServer } from "../e2e/server.ts";
import { CHROMIUM } from "../playwright.config.ts";
import { ON_A_BAD_NIGHT } from "../src/pages/status/testing/statuses.ts";

const SCREENS = path.resolve(import.meta.dirname, "../screens");
const SCHEMES = ["light", "dark"] as const;
/** A laptop at 400 %, phones upright and lying, a tablet, and two desks. */
const SIZES = [
  { width: 320, height: 256 },
  { width: 360, height: 640 },
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
];

interface How {
  /** The page to its end, not only what is in view. */
  whole?: boolean;
  /** What is brought into view first. */
  part?: Locator;
}
type Look = (name: string, how?: How) => Promise<void>;
type State = (page: Page, server: RunningServer, look: Look, browser: Browser) => Promise<void>;

const STATES: Record<string, State> = {
  landing: async (page, { url }, look) => {
    await page.goto(url);
    await look("landing", { whole: true });
    await page.getByRole("button", { name: "Play the sample call" }).click();
    await page.getByRole("main").locator("audio").waitFor();
    await look("landing-sample-call", { part: page.getByRole("heading", { name: "Hear one call" }) });
    for (const card of ["For Victims of Abuse", "For Response Teams", "For Protection Centres"]) {
      await page.getByRole("button", { name: `Expand ${card}` }).click();
      await page.getByRole("dialog").getByRole("img").waitFor();
      await look(`landing-modal-${card.split(" ").at(-1)?.toLowerCase()}`);
      await page.keyboard.press("Escape");
    }
  },
  companion: async (page, { url }, look) => {
    await page.goto(`${url}/Companion`);
    await look("companion", { whole: true });
    await page.getByLabel("First name").fill("Mei");
    await page.getByLabel("Email").fill("mei@home.example");
    await page.getByRole("button", { name: "Sign up" }).click();
    await look("companion-signed-up");
  },
  candle: async (page, { url }, look) => {
    await page.goto(`${url}/Candle`);
    await look("candle-personas", { whole: true });
    const main = page.getByRole("main");
    await main.getByRole("button").first().click();
    await look("candle-microphone");
    await main.getByRole("button", { name: /microphone/ }).click();
    const end = main.getByRole("button", { name: "End Call" });
    await end.waitFor();
    await look("candle-call");
    await end.click();
    await look("candle-end");
  },
  "api-docs": async (page, { url }, look) => {
    await page.goto(`${url}/docs/api`);
    await page.getByRole("navigation", { name: "Resources" }).getByRole("link").first().waitFor();
    await look("api-docs");
    await page.goto(`${url}/docs/api?q=%2Fcall%2Fweb#post-call-web`);
    await page.getByRole("heading", { name: "Try it" }).waitFor();
    await look("api-docs-path", { whole: true });
  },
  status: async (page, { url }, look) => {
    await page.goto(`${url}/status`);
    await page.getByRole("heading", { name: "Parts" }).waitFor();
    await look("status", { whole: true });
    await page.route("**/api/status", (route) => route.fulfill({ json: ON_A_BAD_NIGHT }));
    await page.getByText("All lines are busy").waitFor();
    await look("status-bad-night", { whole: true });
    await page.route("**/api/status", (route) => route.fulfill({ status: 403, body: "{}" }));
    await page.goto(`${url}/status`);
    await page.getByRole("heading", { name: "This page is for operators" }).waitFor();
    await look("status-for-operators", { whole: true });
  },
  desk: async (page, _, look, browser) => {
    const server = await startServer({ OFFICERS_ANSWER_WITHIN_SECONDS: "300" });
    try {
      openDesk(server);
      await page.goto(`${server.url}/desk`);
      await page.getByRole("heading", { name: "Sign in to the duty desk" }).waitFor();
      await look("desk-sign-in");
      await page.goto(invite(server, { name: "Ravi", role: "officer", agencies: "SPF" }));
      await page.getByRole("heading", { name: /Welcome/ }).waitFor();
      await look("desk-invitation", { whole: true });

      // Another page: at the same one, what is to be there before its scripts would not be.
      await page.goto("about:blank");
      const officer = { name: "Mei", role: "officer", agencies: "SPF,SOS" } as const;
      const mei = await DutyOfficer.signedInOn(browser, page, server, officer);
      const place = (name: string) =>
        page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name, exact: true }).click();
      await look("desk-quiet");
      await mei.goOnDuty();
      const caller = await browser.newPage();
      const call = await CallPage.open(caller, server.url);
      await call.start();
      await call.hearTurn();
      await call.say("I do not want to live any more.");
      await mei.ringing.waitFor();
      await look("desk-ringing");
      await mei.accept();
      await mei.putThrough();
      await mei.say("Hello, this is Mei, I am a person.");
      await look("desk-on-a-call", { whole: true });
      await mei.line.getByRole("button", { name: "End the call" }).click();
      await mei.line.getByRole("button", { name: "End it now" }).click();
      await caller.close();

      await place("Cases");
      const row = page.getByRole("list", { name: "Cases" }).getByRole("link").first();
      await row.waitFor();
      await look("desk-cases", { whole: true });
      await row.click();
      await page.getByRole("heading", { name: "Action taken" }).waitFor();
      await look("desk-case", { whole: true });
      await page.getByRole("button", { name: "Take this case", exact: true }).click();
      await page.getByRole("button", { name: "Edit the note", exact: true }).click();
      await page.getByLabel("Title").fill("Asked for a talk in the morning");
      await look("desk-case-edited", { whole: true });
      await page.getByRole("button", { name: "Save the note", exact: true }).click();
      await page.getByRole("button", { name: "Close the case", exact: true }).click();
      await look("desk-case-closing", {
        part: page.getByRole("heading", { name: "Say first what was done" }),
      });
      await page.getByRole("button", { name: "Sign out" }).click();

      const sam = await DutyOfficer.signedInOn(browser, page, server, { name: "Sam", role: "supervisor" });
      const second = await browser.newPage();
      const another = await CallPage.open(second, server.url);
      await another.start();
      await another.hearTurn();
      await sam.look();
      await look("desk-live-call", { whole: true });
      await second.close();
      await place("Report");
      await page.getByRole("region", { name: "The night at a glance" }).waitFor();
      await look("desk-report", { whole: true });
      await place("Shifts");
      await page.getByLabel("Who").waitFor();
      await look("desk-shifts", { whole: true });
      await place("Records");
      await page.getByLabel("Caller’s number").waitFor();
      await look("desk-records", { whole: true });
      await page.getByRole("button", { name: "Sign out" }).click();

      await DutyOfficer.signedInOn(browser, page, server, { name: "Grace", role: "administrator" });
      await page.getByRole("table").waitFor();
      await look("desk-accounts", { whole: true });
      await page.getByRole("button", { name: "Sign out" }).click();
      await DutyOfficer.signedInOn(browser, page, server, { name: "Alan", role: "auditor" });
      await page.getByRole("table").waitFor();
      await look("desk-audit-trail", { whole: true });
    } finally {
      await server.stop();
    }
  },
  lost: async (page, { url }, look) => {
    await page.goto(`${url}/404`);
    await look("not-found");
  },
  "demo-records": async (page, { url }, look) => {
    await openDemo(page, url);
    await look("demo-at-rest");
    await look("demo-whole", { whole: true });
    await page.getByRole("button", { name: "Check your microphone" }).click();
    await look("demo-microphone-check");
    await page.goto(`${url}/Demo?pictures=shown`);
    await page.getByRole("region", { name: "Call history" }).getByRole("img").first().waitFor();
    await look("demo-pictures", { whole: true });
    await page.goto(`${url}/Demo?record=1`);
    const panel = page.getByRole("dialog", { name: "Call Log" });
    await panel.waitFor();
    await look("demo-panel-summary");
    await panel.getByRole("button", { name: "Transcript" }).click();
    await look("demo-panel-transcript");
  },
  "demo-long-history": async (page, { url }, look) => {
    const samples: object[] = await (await page.request.get(`${url}/api/calls`)).json();
    const headers = { Link: '</api/calls?after=1.7>; rel="next"' };
    await page.route("**/api/calls", (route) => route.fulfill({ json: samples.slice(0, 4), headers }));
    await page.route("**/api/getCallInfo?*", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.goto(`${url}/Demo`);
    await expect(page.getByRole("row")).toHaveCount(5);
    await look("demo-long-history", { part: page.getByText("The first 4 records are here") });
    await look("demo-more-records", { part: page.getByRole("button", { name: "Fetch more records" }) });
    await page
      .getByRole("button", { name: /^Expand View of case/ })
      .first()
      .click();
    const panel = page.getByRole("dialog", { name: "Call Log" });
    await panel.getByRole("button", { name: "Transcript" }).click();
    await panel.getByText("What was said could not be fetched.").waitFor();
    await look("demo-panel-not-here");
  },
  "demo-voices": async (page, { url }, look) => {
    await openDemo(page, url);
    await page.getByRole("button", { name: "Check your microphone" }).click();
    const voices = page.getByRole("dialog").getByText("Hear the voices");
    await voices.click();
    await look("demo-voices", { part: voices });
  },
  "demo-trouble": async (page, { url }, look) => {
    await page.route("**/call/web", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = async () =>
        new AudioContext().createMediaStreamDestination().stream;
    });
    await openDemo(page, url);
    await page.getByRole("button", { name: "Talk to Nightlight" }).click();
    await page.getByRole("alert").waitFor();
    await look("demo-lines-busy");
  },
  "demo-writing": async (page, { url }, look) => {
    await openDemo(page, url);
    await page.getByRole("button", { name: "Write instead" }).click();
    const field = page.getByRole("textbox", { name: "Your message" });
    const log = page.getByRole("log", { name: "Conversation" }).getByRole("listitem");
    await field.waitFor();
    await look("demo-writing");
    await field.fill("I am safe, I just need to talk. It was a long day.");
    await page.keyboard.press("Enter");
    await expect(log).toHaveCount(3);
    await look("demo-writing-under-way");
    await field.fill("I don't want to live any more.");
    await page.keyboard.press("Enter");
    await field.waitFor({ state: "hidden" });
    await look("demo-writing-handed-over");
  },
  "demo-call": async (page, { url }, look) => {
    const call = await CallPage.open(page, url);
    await call.start();
    await call.hearTurn();
    await look("demo-call-listening");
    await call.tellOfViolenceNow();
    await call.finishedRecord();
    await look("demo-call-handed-over");
    await call.start();
    await call.end.click();
    await call.talk.waitFor();
    await look("demo-call-hung-up");
  },
  "demo-call-lost": async (page, _, look) => {
    const gone = await startServer();
    const call = await CallPage.open(page, gone.url);
    await call.start();
    await call.hearTurn();
    await gone.stop();
    await page.getByRole("alert").waitFor();
    await look("demo-call-cut-off");
    await page.getByRole("heading", { level: 1, name: "The call was cut off" }).waitFor();
    await look("demo-call-lost");
  },
};

const [begins = ""] = process.argv.slice(3);
const chosen = Object.entries(STATES).filter(([name]) => name.startsWith(begins));
if (chosen.length === 0)
  throw new Error(`no state begins with "${begins}": ${Object.keys(STATES).join(", ")}`);
const server = await startServer();
const browser = await chromium.launch(CHROMIUM);
try {
  for (const [name, state] of chosen) {
    const page = await browser.newPage({
      baseURL: server.url,
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
    });
    page.setDefaultTimeout(60_000);
    await state(page, server, (taken, how) => lookAt(browser, page, taken, how), browser);
    await page.close();
    process.stdout.write(`${name}: taken\n`);
  }
} finally {
  await browser.close();
  await server.stop();
}

async function openDemo(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/Demo`);
  await expect(page.getByRole("row")).toHaveCount(11);
}

async function lookAt(
  browser: Browser,
  page: Page,
  state: string,
  { whole = false, part }: How = {},
): Promise<void> {
  const folder = path.join(SCREENS, state);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  const taken: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(async () => {
        await document.fonts.ready;
        // Also those that are fetched when one comes near them.
        for (const picture of document.images) picture.loading = "eager";
        await Promise.all([...document.images].map((picture) => picture.decode().catch(() => undefined)));
        await new Promise(requestAnimationFrame);
      });
      await part?.evaluate((element) => element.scrollIntoView({ block: "start", behavior: "instant" }));
      const file = `${colorScheme}-${size.width}x${size.height}.png`;
      await page.screenshot({ path: path.join(folder, file), fullPage: whole });
      taken.push(file);
    }
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize(before);
  await takeSheet(browser, folder, taken);
}

/** All of a state in one picture, light above dark. */
async function takeSheet(browser: Browser, folder: string, files: readonly string[]): Promise<void> {
  const figures = await Promise.all(
    files.map(async (file) => {
      const picture = (await readFile(path.join(folder, file))).toString("base64");
      return `<figure><img alt="" src="data:image/png;base64,${picture}"><figcaption>${file}</figcaption></figure>`;
    }),
  );
  const half = figures.length / SCHEMES.length;
  const row = (from: number) => `<div>${figures.slice(from, from + half).join("")}</div>`;
  const sheet = path.join(folder, "sheet.html");
  await writeFile(
    sheet,
    `<style>body{margin:8px;background:#888;font:12px sans-serif;width:max-content}div{display:flex;align-items:start;gap:8px;margin-bottom:16px}figure{margin:0}img{zoom:.45;max-height:4000px}</style>${row(0)}${row(half)}`,
  );
  const page = await browser.newPage({ viewport: { width: 2400, height: 900 } });
  await page.goto(pathToFileURL(sheet).href);
  await page.screenshot({ path: path.join(folder, "sheet.png"), fullPage: true });
  await page.close();
  await rm(sheet);
}
