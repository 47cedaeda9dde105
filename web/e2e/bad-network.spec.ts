/** A call over a network that loses one packet in five, is slow, and is gone for ten seconds in between. */
import { BadNetwork, ownAddress } from "./bad-network.ts";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";
import { freePort, startServer } from "./server.ts";

/** Each way: a question and its answer take 600 ms and more. */
const BAD = { lossPercent: 20, delayMs: 300, jitterMs: 100 };

test("help is reached over a bad network, over a blackout too, and nothing is lost of the call", async ({
  page,
}) => {
  const [address, port] = [ownAddress(), await freePort()];
  const server = await startServer({ MEDIA_BIND: address, MEDIA_PORT: port });
  const network = await BadNetwork.before({ address, port: Number(port) });
  await network.carriesCallsOf(page);
  try {
    const call = await CallPage.open(page, server.url);
    await call.start();
    network.worsens(BAD);
    await call.hearTurn();
    await call.say("I am safe, and I feel very low tonight.");
    await call.hearTurn();
    expect(network.carried, "the call goes over this network").toBeGreaterThan(100);
    network.goneFor(10_000);
    // The page finds its line lost before the server does, and comes back when there is a way.
    await expect(page.getByRole("alert")).toBeVisible({ timeout: 9_000 });
    await expect(page.getByRole("alert")).toBeHidden({ timeout: 25_000 });
    await call.hearTurn();
    await call.say("I do not want to live any more.");
    await expect(call.talk).toBeVisible({ timeout: 60_000 });
    const info = await call.finishedRecord();
    expect(info.structuredData.transfer_to).toBe("SOS");
    expect(info.structuredData.urgent).toBe(true);
    expect(info.endedReason).toBe("assistant-forwarded-call");
    const said = info.messages.filter(({ role }) => role === "user");
    expect(said.length).toBeGreaterThanOrEqual(2);
    expect(network.lost / (network.lost + network.carried)).toBeGreaterThan(0.15);
  } finally {
    network.close();
    await server.stop();
  }
});
