/**
 * Calls on the hosted platform, against a stand-in of it. The call library is the real one; its vendor cannot be reached, so no
 * call comes about, and the caller is told so. What a live key adds is in `hosted-live.spec.ts`.
 */
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { CALL_LIBRARY, CallPage } from "./call-page.ts";
import { type HostedPlatform, type Message, startHostedPlatform } from "./hosted-platform.ts";
import { type RunningServer, startServer } from "./server.ts";

/** For the library's three tries at its vendor's script. */
const GIVEN_UP_WITHIN_MS = 40_000;

let platform: HostedPlatform;
let hosted: RunningServer;
/** Which of its vendor's addresses the page has asked. */
let vendorAsked: string[];

test.beforeAll(async () => {
  platform = await startHostedPlatform();
  hosted = await startServer(platform.settings);
});
test.afterAll(async () => {
  await hosted.stop();
  await platform.stop();
});
test.beforeEach(async ({ page }) => {
  platform.calls.length = 0;
  vendorAsked = await withoutVendor(page);
});

async function withoutVendor(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route(/^https:\/\/[^/]*(daily\.co|pluot\.blue)\//, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  return asked;
}

/** The page names the refused policy of every request it was kept from. */
function refusedByPolicy(page: Page): string[] {
  const refused: string[] = [];
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) refused.push(line.text());
  });
  return refused;
}

test("a call that cannot be placed says so calmly, and whom to ring", async ({ page }) => {
  const refused = refusedByPolicy(page);
  const call = await CallPage.open(page, hosted.url);
  expect(vendorAsked, "nothing of the vendor's before a call is asked for").toEqual([]);
  const library = page.waitForRequest(CALL_LIBRARY);
  await call.talk.click();
  await expect(page.getByRole("button", { name: "Connecting..." })).toBeVisible();
  await library;
  const notice = page.getByRole("alert");
  await expect(notice.getByRole("heading", { name: "The call could not be placed" })).toBeVisible({
    timeout: GIVEN_UP_WITHIN_MS,
  });
  for (const number of ["999", "995", "1767", "1800 777 0000", "70999"]) {
    await expect(notice.getByRole("link", { name: new RegExp(`^${number} `) })).toBeVisible();
  }
  await expect(call.talk).toBeEnabled();
  await expectAccessible(page);

  // The library's own script, three times, as a file that the policy lets in.
  expect(vendorAsked).toHaveLength(3);
  for (const url of vendorAsked) expect(url).toMatch(/^https:\/\/c\.daily\.co\/call-machine\/.*\.js$/);
  // Its reports of errors would go to a third company, and do not.
  expect(refused.filter((line) => !line.includes("ingest.sentry.io"))).toEqual([]);
  expect(refused.some((line) => line.includes("ingest.sentry.io"))).toBe(true);
  const [asked] = platform.calls;
  expect(asked?.asked).toMatchObject({
    squadId: "squad-of-the-tests",
    roomDeleteOnUserLeaveEnabled: true,
    assistantOverrides: { variableValues: { agency: "", notice: "2026-11-26/30" } },
  });

  await page.getByRole("button", { name: "Write instead" }).click();
  await expect(page.getByRole("textbox", { name: "Your message" })).toBeEnabled();
});

test("beside the button it is told that another company hears the call, and of a written one it is not", async ({
  page,
}) => {
  await CallPage.open(page, hosted.url);
  await expect(page.getByText("Another company’s voice service carries this call")).toBeVisible();
  await page.getByRole("button", { name: "Write instead" }).click();
  await expect(page.getByText("Another company’s voice service")).toBeHidden();
});

test("what the platform tells of a call is among its visitor's records, and of nobody else's", async ({
  page,
  browser,
}) => {
  const call = await CallPage.open(page, hosted.url);
  await call.talk.click();
  await expect.poll(() => platform.calls.length).toBe(1);
  const [held] = platform.calls;
  if (!held) throw new Error("unreachable: it is there");
  const tell = (message: Message) => platform.tell(hosted.url, held, message);
  expect(await tell({ type: "status-update", status: "in-progress" })).toBe(200);
  // The page shows by itself what began on it; no call did, for there is no vendor.
  await page.reload();
  await expect(call.newestRow).toContainText("Ongoing");
  const said = { role: "user", transcriptType: "final", transcript: "He is hitting me right now." };
  expect(await tell({ type: "transcript", ...said })).toBe(200);
  const messages = [{ role: "user", message: said.transcript, secondsFromStart: 2 }];
  const ending = { endedReason: "customer-ended-call", analysis: {} };
  const report = { type: "end-of-call-report", ...ending, artifact: { messages } };
  expect(await tell(report)).toBe(200);
  await expect(call.newestRow).toContainText("Completed");
  await expect(call.newestRow.getByText("Urgent", { exact: true })).toBeVisible();

  const elsewhere = await browser.newContext();
  try {
    await CallPage.open(await elsewhere.newPage(), hosted.url);
  } finally {
    await elsewhere.close();
  }
});

test("the platform refuses, or is away", async ({ page }) => {
  await page.route(`${platform.url}/call/web`, (route) => route.abort());
  const call = await CallPage.open(page, hosted.url);
  await call.talk.click();
  const heading = page.getByRole("alert").getByRole("heading");
  await expect(heading).toHaveText("The call could not be placed");
  await page.unroute(`${platform.url}/call/web`);
  await page.route(`${platform.url}/call/web`, (route) =>
    route.fulfill({ status: 401, headers: { "Access-Control-Allow-Origin": "*" }, json: {} }),
  );
  await call.talk.click();
  await expect(heading).toHaveText("The call could not start");
});
