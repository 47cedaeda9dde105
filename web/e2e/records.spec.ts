/** The call history on `/Demo`: read, found, counted, taken along; also when its data are odd or many. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";

const LONG = "verylongword".repeat(40);
const ODD = [
  {
    id: 12,
    callId: "aaaaaaaa-1",
    startedAt: null,
    durationSeconds: null,
    summaryTitle: "متصلة تخاف من زوجها وتحتاج إلى مأوى الليلة مع أطفالها",
    summary: `<img src=x onerror="document.title='injected'"> ${LONG}`,
    structuredData: {
      urgent: true,
      transfer_to: "SPF",
      transferred: true,
      name: "فاطمة",
      location: LONG,
      abuse_type: "Emotional & Verbal",
      follow_up: `<b>Ring back</b>. ${LONG}.`,
    },
    messages: [
      { role: "bot", message: "Are you safe?" },
      { role: "user", message: `<script>document.title = "injected"</script> ${LONG}` },
    ],
    evidence: [{ claim: "violence now", words: "<script>", turn: 0, messageIndex: 1, confidence: 1 }],
  },
  { id: 12, callId: "bbbbbbbb-2", summaryTitle: "Caller whose record has the same id" },
  {
    id: 11,
    callId: "cccccccc-3",
    startedAt: "the other day",
    durationSeconds: -5,
    summaryTitle: "W".repeat(60),
    structuredData: { transfer_to: "A_CODE_THAT_NOBODY_KNOWS_AT_ALL" },
  },
  { id: 10 },
];

async function openWith(page: Page, calls: object[], path = "/Demo"): Promise<void> {
  await page.route("**/api/calls", (route) => route.fulfill({ json: calls }));
  await page.goto(path);
}

const cells = (page: Page, row: number) => page.getByRole("row").nth(row).getByRole("cell");

test("odd records are shown as the rules say", async ({ page }) => {
  const warnings: string[] = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  await openWith(page, ODD);
  await expect(page.getByRole("row")).toHaveCount(4);
  expect(warnings).toEqual(["the record with the duplicate id 12 is not shown"]);
  await expect(cells(page, 1).nth(3)).toHaveText("N/A");
  await expect(cells(page, 1).nth(4)).toHaveText("N/A");
  await expect(cells(page, 1).nth(8)).toHaveText(/^متصلة.*…$/);
  await expect(cells(page, 2).nth(3)).toHaveText("Invalid date");
  await expect(cells(page, 2).nth(8)).toHaveText(`${"W".repeat(30)}…`);
  await expect(cells(page, 3).nth(8)).toHaveText("No summary provided");
});

test("markup in a record is text, and long words stay inside", async ({ page }) => {
  for (const width of [1440, 820, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await openWith(page, ODD, "/Demo?record=12");
    const panel = page.getByRole("dialog", { name: "Call Log" });
    await expect(panel.getByRole("listitem").filter({ hasText: "<b>Ring back</b>" })).toBeVisible();
    await panel.getByRole("button", { name: "Transcript" }).click();
    await expect(panel.getByText("<script>")).toBeVisible();
    await expect(page).not.toHaveTitle("injected");
    const wider = await page.evaluate(() => [
      document.documentElement.scrollWidth - window.innerWidth,
      ...[...document.querySelectorAll("dialog, [role=dialog], [role=dialog] section")].map(
        (box) => box.scrollWidth - box.clientWidth,
      ),
    ]);
    expect(Math.max(...wider), `at ${width}`).toBeLessThanOrEqual(0);
  }
});

test("a claim of the note leads to its words in the transcript, by keyboard", async ({ page, server }) => {
  await page.goto(`${server.url}/Demo?record=1`);
  const panel = page.getByRole("dialog", { name: "Call Log" });
  const flag = panel.getByRole("region", { name: "Words that raised the flag" });
  await flag.getByRole("button", { name: /threw a chair/ }).focus();
  await page.keyboard.press("Enter");
  await expect(panel.locator("mark")).toHaveText("he threw a chair at me");
  await expect(panel.locator(":focus")).toContainText("I locked the bedroom door");
  await expectAccessible(page);
});

test("a case note is copied, downloaded, and printed by itself", async ({ page, context, server }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
  await page.goto(`${server.url}/Demo?record=1`);
  await page.getByRole("button", { name: "Copy note" }).click();
  await expect(page.getByText("The note was copied.")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("CALLER NAME:     Mei Lin");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("case-1.txt");
  expect(await readFile(await file.path(), "utf8")).toBe(copied);

  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("term").filter({ hasText: "CALLER NAME" })).toBeVisible();
  for (const notPrinted of ["Delete Case", "Print", "Transcript"]) {
    await expect(page.getByRole("button", { name: notPrinted })).toBeHidden();
  }
  await expect(page.locator("#root")).toBeHidden();
});

test("Delete Case removes a record from the view only", async ({ page, server }) => {
  await page.goto(`${server.url}/Demo?record=1`);
  await page.getByRole("button", { name: "Delete Case" }).click();
  await expect(page.getByRole("row")).toHaveCount(10);
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem("call-records") ?? "[]"));
  const numbers = stored.map((record: { id: string }) => Number(record.id));
  expect(numbers.toSorted((a: number, b: number) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await page.reload();
  await expect(page.getByRole("row")).toHaveCount(11);
});

test("records are found, filtered and sorted, and the address keeps all but the search", async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/Demo`);
  await page.getByRole("combobox", { name: "Urgency" }).selectOption("Urgent only");
  await expect(page.getByRole("row")).toHaveCount(5);
  await page.getByRole("columnheader", { name: "Created Date" }).getByRole("button").click();
  await expect(page.getByRole("columnheader", { name: "Created Date" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await page.getByRole("searchbox", { name: "Search" }).fill("mei lin");
  await expect(page.getByText("1 record found")).toBeVisible();
  expect(page.url()).not.toContain("mei");
  await page.reload();
  await expect(page.getByText("4 records found")).toBeVisible();
  await expect(cells(page, 1).first()).toHaveText("8");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.getByRole("row")).toHaveCount(11);
});

test("a search that finds nothing says so, and leads back", async ({ page, server }) => {
  await page.goto(`${server.url}/Demo`);
  await page.getByRole("searchbox", { name: "Search" }).fill("zzzz");
  await expect(page.getByText("No record matches.")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "No records found" })).toBeAttached();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show all records" }).click();
  await expect(page.getByRole("row")).toHaveCount(11);
});

test("without a server and without records of its own the page says so, with the numbers to ring", async ({
  page,
}) => {
  await page.route("**/api/**", (route) => route.abort());
  await page.goto("/Demo");
  await expect(
    page.getByText("The server cannot be reached. This browser has kept no records."),
  ).toBeVisible();
  const trouble = page.getByRole("alert").filter({ hasText: "Nightlight cannot be reached" });
  await expect(trouble.getByRole("link", { name: /^999/ })).toBeVisible();
  await expectAccessible(page);
});

test("ten thousand records: one page is rendered, and every step is quick", async ({ page }) => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({
    id: 10_000 - i,
    callId: `${String(i).padStart(8, "0")}-call`,
    startedAt: new Date(Date.UTC(2026, 10, 20) - i * 3_600_000).toISOString(),
    durationSeconds: i,
    summaryTitle: i === 7777 ? "Caller with a green umbrella" : `Caller number ${i}`,
    summary: "What the caller said, at some length. ".repeat(8),
    structuredData: { urgent: i % 3 === 0, transfer_to: ["SPF", "SOS", "FSC"][i % 3], transferred: true },
    messages: Array.from({ length: 10 }, (_, n) => ({ role: n % 2 ? "user" : "bot", message: "some words" })),
  }));
  await openWith(page, many);
  await expect(page.getByText("1 to 25 of 10,000 records")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(26);
  await page.getByRole("searchbox", { name: "Search" }).pressSequentially("umbrella caller");
  await expect(page.getByText("1 record found")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Last page" }).click();
  await expect(page.getByText("9,976 to 10,000 of 10,000 records")).toBeVisible();
  await expect(page.getByText("Page 400 of 400")).toBeVisible();
});

test("a long history is fetched a page at a time, and what was said when it is read, by keyboard too", async ({
  page,
  server,
}) => {
  const samples: object[] = await (await page.request.get(`${server.url}/api/calls`)).json();
  const headers = { Link: '</api/calls?limit=4&after=1.7>; rel="next"' };
  await page.route("**/api/calls", (route) => route.fulfill({ json: samples.slice(0, 4), headers }));
  await page.route("**/api/calls?*", (route) => route.fulfill({ json: samples.slice(3) }));
  await page.goto(`${server.url}/Demo`);
  await expect(page.getByText("The first 4 records are here")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(5);
  await expectAccessible(page);

  const more = page.getByRole("button", { name: "Fetch more records" });
  await more.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(11);
  await expect(more).toBeHidden();
  await page
    .getByRole("button", { name: /^Expand View of case/ })
    .first()
    .press("Enter");
  const panel = page.getByRole("dialog", { name: "Call Log" });
  await expect(panel.getByText("Words that raised the flag")).toBeVisible();
  await panel.getByRole("button", { name: "Transcript" }).press("Enter");
  await expect(panel.getByRole("listitem").first()).toBeVisible();
  await expect(panel.getByText("sample conversation")).toBeHidden();
  await expectAccessible(page);
});

test("a record that is not kept any more says so when it is opened", async ({ page, server }) => {
  await page.route("**/api/getCallInfo?*", (route) => route.fulfill({ status: 404, body: "{}" }));
  await page.goto(`${server.url}/Demo?record=1`);
  const panel = page.getByRole("dialog", { name: "Call Log" });
  await expect(panel.getByText("This record is not kept any more.")).toBeVisible();
  await expectAccessible(page);
});
