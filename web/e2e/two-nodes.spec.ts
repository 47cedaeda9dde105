/** Two nodes on one PostgreSQL, behind the proxy that is deployed: what the death of the one means for its caller. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { Browser, Page } from "@playwright/test";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";
import { NodesProxy } from "./nodes-proxy.ts";
import { startPostgres } from "./postgres.ts";
import { type RunningServer, startServer } from "./server.ts";

/** From the moment its node is gone until the assistant tells the caller that the line is back. */
const RESUMED_WITHIN_MS = 5_000;

// The proxy's certificate is its own.
test.use({ ignoreHTTPSErrors: true });

test("a call goes on at the other node within five seconds when its own is killed, and reaches help", async ({
  page,
  browser,
}) => {
  const database = await startPostgres();
  const names = ["node-1", "node-2"];
  const proxy = await NodesProxy.before(...names);
  const start = (name: string) => startServer({ ...proxy.settingsOf(name), DATABASE: database.url });
  const nodes = new Map<string, RunningServer>();
  try {
    for (const name of names) nodes.set(name, await start(name));
    await proxy.start();
    const events = page.waitForResponse("**/api/calls/events");
    const call = await CallPage.open(page, proxy.url);
    expect((await events).headers()["content-type"]).toContain("text/event-stream");
    await expectReachedByTls(page, proxy.url);
    await expectReachedBySocket(browser, proxy.url);

    const begun = page.waitForResponse("**/call/web");
    await call.start();
    const [, own = ""] = (await (await begun).text()).match(/\/node\/([^/]+)\/call\//) ?? [];
    await call.hearTurn();
    await call.say("Yes, I am safe, and nobody is with me.");
    await call.hearTurn();
    nodes.get(own)?.kill();
    const killed = Date.now();
    await expect.poll(() => call.speaking.isVisible(), { intervals: [100], timeout: 25_000 }).toBe(true);
    const took = Date.now() - killed;
    expect(await call.hearTurn()).toMatch(/line was cut off/i);
    await expectSaidToBeGone(page, `${proxy.url}/node/${own}/call/${crypto.randomUUID()}`);
    await call.say("I do not want to live any more.");
    await call.converse([]);
    const record = await call.finishedRecord();
    expect(record.structuredData).toMatchObject({ transfer_to: "SOS", transferred: true });
    expect(record.messages.map(({ message }) => message).join(" ")).toMatch(/safe/i);
    test.info().annotations.push({ type: "back after", description: `${took} ms` });
    expect(took).toBeLessThan(RESUMED_WITHIN_MS);
  } finally {
    await proxy.stop();
    for (const node of nodes.values()) await node.stop();
    await database.stop();
  }
});

/** Browsers are told to come by TLS alone, and nobody by way of the proxy is taken for the machine's own. */
async function expectReachedByTls(page: Page, url: string): Promise<void> {
  const cookies = await page.context().cookies(url);
  expect(cookies.find(({ name }) => name === "nightlight-visitor")).toMatchObject({
    secure: true,
    httpOnly: true,
  });
  const healthy = await page.request.get(`${url}/health`);
  expect(healthy.headers()["strict-transport-security"]).toMatch(/max-age=\d{8}/);
  const claimed = { "X-Forwarded-For": "127.0.0.1" };
  expect((await page.request.get(`${url}/api/status`, { headers: claimed })).status()).toBe(403);
  expect((await page.request.get(`${url}/metrics`)).status()).toBe(404);
  const elsewhere = { Origin: "https://elsewhere.example" };
  expect((await page.request.post(`${url}/call/web`, { headers: elsewhere, data: {} })).status()).toBe(403);
  expect(await statusOfWhatIsTooLong(`${url}/call/web`)).toBe(413);
}

/** Refused by what it says of itself: a body that broke off would be taken for a failure of the node. */
async function statusOfWhatIsTooLong(url: string): Promise<number | undefined> {
  const headers = { "Content-Length": 3_000_000 };
  const asked = request(url, { method: "POST", headers, rejectUnauthorized: false });
  asked.flushHeaders();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  asked.on("error", () => {}).destroy();
  return answer.statusCode;
}

/** Another caller's call, which WebRTC does not carry, goes through the proxy itself. */
async function expectReachedBySocket(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.route("**/whip", (route) => route.fulfill({ status: 400 }));
  const opened = page.waitForEvent("websocket");
  const call = await CallPage.open(page, url);
  await call.start();
  const socket = await opened;
  expect(socket.url()).toMatch(/^wss:\/\/.*\/node\/node-\d\/call\//);
  await socket.waitForEvent("framereceived");
  await call.end.click();
  await expect(call.talk).toBeEnabled();
  await context.close();
}

/** At once, and also when something was sent along. */
async function expectSaidToBeGone(page: Page, call: string): Promise<void> {
  const asked = Date.now();
  expect((await page.request.head(call)).status()).toBe(502);
  expect((await page.request.post(`${call}/whip`, { data: "v=0" })).status()).toBe(502);
  expect(Date.now() - asked).toBeLessThan(1_000);
}
