/** `/status` against a real server: what an operator sees of a real call, and what anybody else does. */
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";
import { startServer } from "./server.ts";

test("an operator at the machine sees a conversation come and end", async ({ page, server, request }) => {
  await page.goto(`${server.url}/status`);
  await expect(page.getByText("The line is open")).toBeVisible();
  await expect(page.getByRole("heading", { level: 3 })).toHaveText([
    "Ears",
    "Voice",
    "Reader",
    "Records",
    "Chat model",
    "Media address",
  ]);
  const inWriting = page.getByText("in writing").locator("xpath=..");
  const before = Number.parseInt((await inWriting.getByRole("definition").textContent()) ?? "", 10);
  const { publicKey, assistantId } = await (await request.get(`${server.url}/api/config`)).json();
  const begun = await request.post(`${server.url}/chat`, {
    headers: { Authorization: `Bearer ${publicKey}` },
    data: { assistantId, input: "" },
  });
  expect(begun.status()).toBe(201);
  await expect(inWriting.getByRole("definition")).toHaveText(`${before + 1} of 1000`, { timeout: 8_000 });
  await request.delete(`${server.url}/api/session`);
  await expect(inWriting.getByRole("definition")).toHaveText(`${before} of 1000`, { timeout: 8_000 });
  await expect(page.getByText("Ended by the caller")).toBeVisible();
});

test("anybody else is told what to do, and the operator key opens it", async ({ page }) => {
  const server = await startServer({ VOICE: "slt", OPERATOR_KEY: "an-operators-own-key" });
  try {
    // As through a proxy on the same machine.
    await page.setExtraHTTPHeaders({ "X-Forwarded-For": "203.0.113.7" });
    await page.goto(`${server.url}/status`);
    await expect(page.getByRole("heading", { name: "This page is for operators" })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel(/operator_key/).fill("an-operators-own-key");
    await page.keyboard.press("Enter");
    await expect(page.getByText("The line is open")).toBeVisible();
  } finally {
    await server.stop();
  }
});
