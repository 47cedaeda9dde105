/** Of several nodes behind one proxy, the way to the one that a call's addresses name is gone. */
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";
import { startServer } from "./server.ts";

test("a call whose node is not found by its name is joined without it, by WebRTC", async ({ page }) => {
  const server = await startServer({ NODE_NAME: "node-1" });
  try {
    const asked: string[] = [];
    // The proxy's part: there is no way to this node.
    await page.route("**/node/node-1/**", async (route) => {
      asked.push(route.request().url());
      await route.fulfill({ status: 502 });
    });
    const call = await CallPage.open(page, server.url);
    await call.start();
    await call.hearTurn();
    expect(asked, "the node that has it comes first").toHaveLength(1);
    await call.expectHeardSpeech();
  } finally {
    await server.stop();
  }
});
