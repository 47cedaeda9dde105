/** Two nodes on one PostgreSQL, behind the proxy that is deployed: a desk rings for the calls of both. */
import { chromium } from "@playwright/test";
import { CHROMIUM } from "../playwright.config.ts";
import { CallPage } from "./call-page.ts";
import { DutyOfficer, openDesk } from "./duty-officer.ts";
import { expect, test } from "./fixtures.ts";
import { leadElsewhere, NodesProxy } from "./nodes-proxy.ts";
import { startPostgres } from "./postgres.ts";
import { startServer } from "./server.ts";

// The proxy's certificate is its own.
const TRUSTING = { ignoreHTTPSErrors: true };
test.use(TRUSTING);

test("an officer who signed in at one node is rung for a call at another, and talks on when the first dies", async ({
  page,
}) => {
  const database = await startPostgres();
  const proxy = await NodesProxy.before("node-1", "node-2");
  const start = (name: string) =>
    startServer({ ...proxy.settingsOf(name), DATABASE: database.url, VOICE: "slt" });
  const [first, second] = [await start("node-1"), await start("node-2")];
  let mei: DutyOfficer | null = null;
  try {
    await proxy.start();
    openDesk(first);
    const invited = { name: "Mei", role: "officer", agencies: "SPF,SOS" } as const;
    const browser = await chromium.launch(CHROMIUM);
    const desk = await browser.newPage(TRUSTING);
    mei = await DutyOfficer.signedInOn(browser, desk, { ...first, url: proxy.url }, invited);
    await mei.goOnDuty();

    await leadElsewhere(page, proxy, mei.page);
    const call = await CallPage.open(page, proxy.url);
    const begun = page.waitForResponse("**/call/web");
    await call.start();
    const isAtSecond = (await (await begun).text()).includes("/node/node-2/call/");
    await call.hearTurn();
    await call.say("I do not want to live any more.");
    await expect(mei.ringing).toBeVisible({ timeout: 30_000 });
    await mei.accept();
    await mei.putThrough();
    await mei.say("Hello, this is Mei, I am a person.");
    (isAtSecond ? first : second).kill();
    // What is said as a node dies may be heard otherwise on this busy machine: then it is said again.
    await expect(async () => {
      await call.say("Yes, the back door is open.");
      await expect(
        mei?.captions.filter({ hasText: /back door/i }).last() ?? page.locator("nothing"),
      ).toBeVisible();
    }).toPass({ timeout: 40_000 });
    await expect(mei.page.getByText(/Not connected/)).toHaveCount(0);
    await mei.line.getByRole("button", { name: "End the call" }).click();
    await mei.line.getByRole("button", { name: "End it now" }).click();
    expect((await call.finishedRecord()).structuredData).toMatchObject({ transferred: true });
  } finally {
    await mei?.close();
    await proxy.stop();
    await first.stop();
    await second.stop();
    await database.stop();
  }
});
