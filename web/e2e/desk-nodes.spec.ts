/** Two nodes on one PostgreSQL, behind one proxy: a desk rings for the calls of both. */
import { CallPage } from "./call-page.ts";
import { DutyOfficer, openDesk } from "./duty-officer.ts";
import { expect, test } from "./fixtures.ts";
import { startNodesProxy } from "./nodes-proxy.ts";
import { startPostgres } from "./postgres.ts";
import { startServer } from "./server.ts";

test("an officer who signed in at one node is rung for a call at another, and talks on when the first dies", async ({
  page,
}) => {
  const database = await startPostgres();
  const nodes = new Map<string, string>();
  const proxy = await startNodesProxy(nodes);
  const start = (NODE_NAME: string) =>
    startServer({ NODE_NAME, DATABASE: database.url, PUBLIC_ORIGIN: proxy.url, VOICE: "slt" });
  const [first, second] = [await start("node-1"), await start("node-2")];
  let mei: DutyOfficer | null = null;
  try {
    nodes.set("node-1", first.url).set("node-2", second.url);
    openDesk(first);
    const invited = { name: "Mei", role: "officer", agencies: "SPF,SOS" } as const;
    mei = await DutyOfficer.signedIn({ ...first, url: proxy.url }, invited);
    await mei.goOnDuty();

    // What has no node's name goes to the first in the list: the caller comes to the other one.
    nodes.delete("node-1");
    nodes.set("node-1", first.url);
    const call = await CallPage.open(page, proxy.url);
    await call.start();
    await call.hearTurn();
    await call.say("I do not want to live any more.");
    await expect(mei.ringing).toBeVisible({ timeout: 30_000 });
    await mei.accept();
    await mei.putThrough();
    await mei.say("Hello, this is Mei, I am a person.");
    first.kill();
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
