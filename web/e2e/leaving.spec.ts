/** "Exit this page" during a conversation: nothing goes on while the next page takes its time. */
import type { Page } from "@playwright/test";
import { CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";

/** The neutral page never arrives. */
async function neverArrive(page: Page): Promise<void> {
  await page.route("https://www.weather.gov.sg/**", () => {});
}

const exitButton = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: "Exit this page", exact: true });

test("the call ends at once", async ({ page, request, server }) => {
  await neverArrive(page);
  const call = await CallPage.open(page, server.url);
  await call.start();
  await expect(call.speaking).toBeVisible();
  await exitButton(page).click({ noWaitAfter: true });
  // The server was told; the page itself can no longer be asked while it is on its way out.
  await expect.poll(async () => (await (await request.get(`${server.url}/health`)).json()).liveCalls).toBe(0);
});

test("a written conversation ends too", async ({ page, context, server }) => {
  await neverArrive(page);
  await page.goto(`${server.url}/Demo`);
  await page.getByRole("button", { name: "Write instead" }).click();
  await expect(page.getByRole("textbox", { name: "Your message" })).toBeFocused();
  const ended = context.waitForEvent(
    "request",
    (sent) => sent.method() === "DELETE" && /\/chat\//.test(sent.url()),
  );
  await exitButton(page).click({ noWaitAfter: true });
  expect((await (await ended).response())?.ok()).toBe(true);
});
