/** Two nodes on one PostgreSQL, behind one proxy: what the death of the one means for its caller. */
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";
import { startNodesProxy } from "./nodes-proxy.ts";
import { startPostgres } from "./postgres.ts";
import { startServer } from "./server.ts";

/** From the moment its node is gone until the assistant tells the caller that the line is back. */
const RESUMED_WITHIN_MS = 5_000;

test("a call goes on at the other node within five seconds when its own is killed, and reaches help", async ({
  page,
}) => {
  const database = await startPostgres();
  const names = ["node-1", "node-2"] as const;
  const start = (NODE_NAME: string) => startServer({ NODE_NAME, DATABASE: database.url });
  const [first, second] = [await start(names[0]), await start(names[1])];
  const proxy = await startNodesProxy(
    new Map([
      [names[0], first.url],
      [names[1], second.url],
    ]),
  );
  try {
    const call = await CallPage.open(page, proxy.url);
    await call.start();
    await call.hearTurn();
    await call.say("Yes, I am safe, and nobody is with me.");
    await call.hearTurn();
    first.kill();
    const killed = Date.now();
    await expect.poll(() => call.speaking.isVisible(), { intervals: [100], timeout: 25_000 }).toBe(true);
    const took = Date.now() - killed;
    expect(await call.hearTurn()).toMatch(/line was cut off/i);
    await call.say("I do not want to live any more.");
    await call.converse([]);
    const record = await call.finishedRecord();
    expect(record.structuredData).toMatchObject({ transfer_to: "SOS", transferred: true });
    expect(record.messages.map(({ message }) => message).join(" ")).toMatch(/safe/i);
    expect(took).toBeLessThan(RESUMED_WITHIN_MS);
  } finally {
    await proxy.stop();
    await first.stop();
    await second.stop();
    await database.stop();
  }
});
