/** `/docs/api` against a real server: its own description, found and opened by the keyboard. */
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";

test("a path is found, opened and read by the keyboard alone", async ({ page, server }) => {
  const answer = await page.goto(`${server.url}/docs/api`);
  expect(answer?.status()).toBe(200);
  await page.getByRole("searchbox", { name: "Find a path" }).focus();
  await page.keyboard.type("/call/web");
  await expect(page.getByRole("status").filter({ hasText: "One path" })).toBeVisible();
  await page.locator("#post-call-web > summary").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("The public key, or the private one")).toBeVisible();
  await page.getByText("What is in assistantOverrides").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("variableValues").first()).toBeVisible();
  await expectAccessible(page);
});

for (const [name, width] of [
  ["a tablet", 820],
  ["a phone", 320],
] as const) {
  test(`an open path is no wider than ${name}`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${server.url}/docs/api?q=%2Fcall%2Fweb#post-call-web`);
    await expect(page.getByRole("heading", { name: "Try it" })).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });
}
