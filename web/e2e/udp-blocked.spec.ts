/** A call from a network that lets no UDP through: by a relay where there is one, and by the socket where there is none. */
import type { Page } from "@playwright/test";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";
import { GuardedNetwork } from "./guarded-network.ts";
import { whyNoNamespace } from "./network-namespace.ts";
import { startRelay } from "./relay.ts";
import { freePort, startServer } from "./server.ts";

const WHY_NOT = whyNoNamespace();
const SECRET = "shared-by-the-tests-own-relay";

// Only where the system lets no network be made, and then it says why: `make test` as root leaves nothing out.
test.skip(WHY_NOT !== null, WHY_NOT ?? "");

/** A call that reaches help, from within such a network. */
async function callFromWithin(
  network: GuardedNetwork,
  { settings = {}, args = [] }: { settings?: Record<string, string>; args?: string[] },
  measure: (page: Page) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const server = await startServer({
    PORT: port,
    LISTEN: `0.0.0.0:${port}`,
    MEDIA_BIND: network.outside,
    ...settings,
  });
  const url = `http://${network.outside}:${port}`;
  const browser = await network.browser.launch(url, args);
  try {
    const page = await browser.newPage();
    const call = await CallPage.open(page, url);
    await call.start();
    await call.hearTurn();
    await call.say("I do not want to live any more.");
    await call.converse([]);
    const record = await call.finishedRecord();
    expect(record.structuredData).toMatchObject({ transfer_to: "SOS", transferred: true });
    await measure(page);
  } finally {
    await browser.close();
    await server.stop();
  }
}

test("where no UDP gets through, a call goes by the relay, over TLS", async () => {
  const network = new GuardedNetwork();
  const relay = await startRelay(network.outside, SECRET);
  try {
    const settings = { TURN_URLS: relay.url, TURN_SECRET: SECRET };
    await callFromWithin(network, { settings, args: [relay.trust] }, async (page) => {
      // WebRTC's own sound: there was no other way for it.
      expect(await page.evaluate(() => window.probe.receivedEnergy())).toBeGreaterThan(0.002);
    });
  } finally {
    await relay.stop();
    network.close();
  }
});

test("where no UDP gets through and there is no relay, a call goes by the socket", async () => {
  const network = new GuardedNetwork();
  try {
    await callFromWithin(network, {}, async (page) => {
      expect(await page.evaluate(() => window.probe.receivedEnergy())).toBe(0);
      expect(await page.evaluate(() => window.probe.loudestPlayed())).toBeGreaterThan(0.02);
    });
  } finally {
    network.close();
  }
});
