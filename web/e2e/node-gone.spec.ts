/** Of several nodes behind one proxy, the way to the one that a call's addresses name is gone. */
import type { Page } from "@playwright/test";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";
import { startServer } from "./server.ts";

test("a call whose node is not found by its name is joined without it, by WebRTC", async ({ page }) => {
  const server = await startServer({ NODE_NAME: "node-1", VOICE: "slt" });
  try {
    const asked = await noWayToTheNode(page);
    const call = await CallPage.open(page, server.url);
    await call.start();
    await call.hearTurn();
    expect(asked, "the node that has it comes first").toHaveLength(1);
    await call.expectHeardSpeech();
  } finally {
    await server.stop();
  }
});

test("a call whose node dies is looked for elsewhere within five seconds, and goes on", async ({ page }) => {
  const server = await startServer({ NODE_NAME: "node-1", VOICE: "slt" });
  try {
    const call = await CallPage.open(page, server.url);
    await call.start();
    await call.hearTurn();
    await noWayToTheNode(page);
    // As a machine dies: nothing says that its port is closed.
    server.holdUp();
    await expect(page.getByRole("alert")).toBeVisible({ timeout: 5_000 });
    server.kill();
    await server.startAgain();
    await expect(page.getByRole("alert")).toBeHidden({ timeout: 25_000 });
    await call.hearTurn();
  } finally {
    await server.stop();
  }
});

/** The proxy's part: it finds the node no more by its name. What is asked of it. */
async function noWayToTheNode(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route("**/node/node-1/**", async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ status: 502 });
  });
  return asked;
}
