/** The history on `/Demo` as a shift opens it: what is urgent, unfinished and new; and in every width. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleByDayAndNight } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";

const NIGHT = "2026-11-22T";
const call = (id: number, more: object = {}) => ({
  id,
  callId: `0f3b2c4${id % 10}-0000-4000-8000-0000000000${id}`,
  startedAt: `${NIGHT}${id}:00:00Z`,
  endedAt: `${NIGHT}${id}:05:00Z`,
  durationSeconds: 300,
  status: "ended",
  summaryTitle: `Caller number ${id}`,
  structuredData: { transfer_to: "FSC", transferred: true },
  messages: [],
  ...more,
});
const URGENT = { structuredData: { urgent: true, transfer_to: "SPF", transferred: true } };
const ONGOING = { status: "in-progress", endedAt: null, structuredData: {}, summaryTitle: "" };
const SHIFT = [call(15), call(14, ONGOING), call(13, URGENT), call(12), call(11, URGENT)];

/** Shows these records instead of the server's, with a stream of events that stays quiet. */
async function openWith(page: Page, calls: object[], path = "/Demo"): Promise<void> {
  await page.route("**/api/calls", (route) => route.fulfill({ json: calls }));
  await page.route("**/api/calls/events", () => {});
  await page.goto(path);
  await expect(page.getByRole("row")).toHaveCount(calls.length + 1);
}

const ids = (page: Page) =>
  page
    .getByRole("button", { name: /^Expand View of case/ })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")?.replace(/\D/g, "")));
const rowOf = (page: Page, id: number) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name: `Expand View of case ${id}` }) });

test("ongoing and urgent calls come first, and the newest first where that is wished", async ({ page }) => {
  await openWith(page, SHIFT);
  expect(await ids(page)).toEqual(["14", "13", "11", "15", "12"]);
  const sortBy = page.getByRole("combobox", { name: "Sort by" });
  await expect(sortBy.getByRole("option", { selected: true })).toHaveText("Urgent first");
  await sortBy.selectOption("Newest first");
  await expect.poll(() => ids(page)).toEqual(["15", "14", "13", "12", "11"]);
  await expect(page.getByRole("columnheader", { name: "Created Date" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
});

test("an ongoing call is nowhere taken for one that is not urgent", async ({ page }) => {
  await openWith(page, SHIFT, "/Demo?pictures=shown");
  const row = rowOf(page, 14);
  await expect(row).toContainText("Ongoing");
  await expect(row).toContainText("Not assessed yet");
  await expect(row).not.toContainText("Not Urgent");
  await expect(
    page.getByText(/^2 of 4 completed calls were urgent .* 1 call is ongoing and not assessed/),
  ).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("combobox", { name: "Urgency" }).selectOption("Not urgent only");
  await expect(page.getByText("2 records found")).toBeVisible();
  expect(await ids(page)).toEqual(["15", "12"]);
  await page.getByRole("button", { name: "Clear" }).click();

  await row.getByRole("button").click();
  const panel = page.getByRole("dialog", { name: "Call Log" });
  const status = panel.getByRole("term").filter({ hasText: "URGENT STATUS" });
  await expect(status.locator("xpath=following-sibling::dd")).toHaveText("Not assessed yet");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    panel.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(await readFile(await file.path(), "utf8")).toMatch(/URGENT STATUS: +Not assessed yet\n/);
  await expectAccessible(page);
});

for (const attention of ["the focus", "the pointer"] as const) {
  test(`a call that ends keeps its place while the reader has ${attention} on the table`, async ({
    page,
  }) => {
    let ends = () => {};
    const ended = new Promise<void>((resolve) => {
      ends = resolve;
    });
    await page.route("**/api/calls", (route) => route.fulfill({ json: SHIFT }));
    await page.route("**/api/calls/events", async (route) => {
      await ended;
      const body = `event: call-updated\ndata: ${JSON.stringify(call(14))}\n\n`;
      await route.fulfill({ contentType: "text/event-stream", body });
    });
    await page.goto("/Demo");
    const expand = page.getByRole("button", { name: "Expand View of case 14" });
    if (attention === "the focus") await expand.focus();
    else await expand.hover();
    ends();
    await expect(rowOf(page, 14)).toContainText("Completed");
    expect(await ids(page)).toEqual(["14", "13", "11", "15", "12"]);

    if (attention === "the focus") await page.getByRole("searchbox", { name: "Search" }).focus();
    else await page.getByRole("searchbox", { name: "Search" }).hover();
    await expect.poll(() => ids(page)).toEqual(["13", "11", "15", "14", "12"]);
  });
}

test("what is new since this browser last looked is counted and marked; the first visit marks nothing", async ({
  page,
}) => {
  let calls = SHIFT.slice(3);
  await page.route("**/api/calls", (route) => route.fulfill({ json: calls }));
  await page.clock.setFixedTime("2026-11-22T13:30:00Z");
  await page.goto("/Demo");
  await rowOf(page, 12).scrollIntoViewIfNeeded();
  await expect(rowOf(page, 11)).toBeInViewport();
  await expect(page.getByText(/since you last looked/)).toHaveCount(0);
  await expect(page.getByText("New", { exact: true })).toHaveCount(0);

  // Turned away from for longer than a cup of tea.
  await page.goto("/404");
  calls = SHIFT;
  await page.clock.setFixedTime("2026-11-22T15:30:00Z");
  await page.goto("/Demo");
  await expect(page.getByText("2 new since you last looked, 1 urgent.")).toBeVisible();
  for (const [id, isNew] of [
    [15, true],
    [14, false],
    [13, true],
    [12, false],
    [11, false],
  ] as const) {
    await expect(rowOf(page, id).getByText("New", { exact: true }), `case ${id}`).toHaveCount(isNew ? 1 : 0);
  }
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show only what is new" }).click();
  await expect(page.getByText("2 records found")).toBeVisible();
  expect(await ids(page)).toEqual(["13", "15"]);

  // A reload is the same look.
  await page.getByRole("button", { name: "Show all records" }).click();
  await rowOf(page, 11).scrollIntoViewIfNeeded();
  await page.reload();
  await expect(page.getByText("2 new since you last looked, 1 urgent.")).toBeVisible();

  await rowOf(page, 11).scrollIntoViewIfNeeded();
  await expect(rowOf(page, 11)).toBeInViewport();
  await page.goto("/404");
  await page.clock.setFixedTime("2026-11-22T17:30:00Z");
  await page.goto("/Demo");
  await expect(page.getByText("Nothing new since you last looked.")).toBeVisible();
});

test("who never came as far as the records has not looked at them", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await openWith(page, SHIFT);
  await page.goto("/404");
  expect(await page.evaluate(() => localStorage.getItem("last-look"))).toBeNull();
});

test("Exit this page leaves no mark of the look", async ({ page }) => {
  await page.route("https://www.weather.gov.sg/**", (route) => route.fulfill({ body: "weather" }));
  await openWith(page, SHIFT);
  await rowOf(page, 12).scrollIntoViewIfNeeded();
  await expect(rowOf(page, 11)).toBeInViewport();
  await page.getByRole("banner").getByRole("link", { name: "Exit this page" }).click();
  await page.waitForURL("https://www.weather.gov.sg/**");
  await page.goto("/404");
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

const ALL = [
  "ID",
  "Call ID",
  "Call Status",
  "Created Date",
  "Duration",
  "Urgent Status",
  "Transfer To",
  "Transfer Status",
  "Short Description",
  "Details",
];
const SOME = ["ID", "Created Date", "Urgent Status", "Transfer To", "Short Description", "Details"];
const ROOMS = [
  { width: 320, height: 640, columns: SOME },
  { width: 360, height: 740, columns: SOME },
  { width: 768, height: 1024, columns: SOME },
  { width: 820, height: 1180, columns: SOME },
  { width: 1024, height: 768, columns: [...SOME.slice(0, 1), "Call Status", ...SOME.slice(1)] },
  { width: 1280, height: 800, columns: ALL },
  { width: 1440, height: 900, columns: ALL },
];

test("in every width the history shows what has room, and nothing runs over", async ({ page }) => {
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  for (const { width, height, columns } of ROOMS) {
    await test.step(`${width} pixels wide`, async () => {
      await page.setViewportSize({ width, height });
      // The page is opened on the smallest screen, and grows with it.
      if (width === 320) await openWith(page, [...SHIFT, call(10, { summaryTitle: "W".repeat(60) })]);
      await expect(page.getByRole("columnheader")).toHaveText(columns);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
      // Something of the case stands beside its button, in a table and in a list.
      for (const row of (await page.getByRole("row").all()).slice(1)) {
        const beside = await row.evaluate((row) => {
          const [button, ...cells] = [...row.querySelectorAll("[role=cell]")]
            .map((cell) => cell.getBoundingClientRect())
            .reverse();
          return cells.some(({ top, bottom }) => button && top < button.bottom && bottom > button.top);
        });
        expect(beside).toBe(true);
      }
      await rowOf(page, 13).getByRole("button").click();
      const panel = page.getByRole("dialog", { name: "Call Log" });
      const id = panel.getByText(String(SHIFT[2]?.callId));
      const lines = await id.evaluate(
        (words) =>
          words.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(words).lineHeight),
      );
      expect(lines).toBeLessThan(1.5);
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(panel).toBeHidden();
    });
  }
});

test("the call log has its summary in view, on a screen of 1440 by 900", async ({ page, server }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/Demo?record=1`);
  const panel = page.getByRole("dialog", { name: "Call Log" });
  await expect(panel.getByText(/stayed on the line\.$/)).toBeInViewport({ ratio: 1 });
  await expect(panel.getByRole("button", { name: "Delete Case" })).toBeInViewport({ ratio: 1 });
});

test("in a low window the whole call log scrolls", async ({ page, server }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(`${server.url}/Demo?record=1`);
  const panel = page.getByRole("dialog", { name: "Call Log" });
  await expect(panel.getByRole("heading", { name: "Call Log" })).toBeInViewport();
  await panel.getByRole("button", { name: "Delete Case" }).focus();
  await expect(panel.getByRole("button", { name: "Delete Case" })).toBeInViewport({ ratio: 1 });
  await expect(panel.getByRole("heading", { name: "Call Log" })).not.toBeInViewport();
  await expectAccessible(page);
});

test("the pictures are fetched when they are asked for, and the address remembers", async ({
  page,
  server,
}) => {
  const fetched: string[] = [];
  page.on("request", (request) => /Overview/.test(request.url()) && fetched.push(request.url()));
  await page.goto(`${server.url}/Demo`);
  const overview = page.getByRole("region", { name: "Overview of the records" });
  await overview.scrollIntoViewIfNeeded();
  // By then what else is fetched in the rest of the page has been.
  await page.waitForLoadState("networkidle");
  expect(fetched).toEqual([]);
  await expect(overview.getByRole("img")).toHaveCount(0);
  await overview.getByRole("button", { name: "The calls in pictures", expanded: false }).press("Enter");
  await expect(overview.getByRole("img", { name: "Calls by hour" })).toBeVisible();
  await expect(overview.getByRole("button", { name: "The calls in pictures", expanded: true })).toBeFocused();
  await page.reload();
  await expect(overview.getByRole("img", { name: "Calls by hour" })).toBeVisible();
  await overview.getByRole("button", { name: "The calls in pictures" }).click();
  await expect(overview.getByRole("img")).toHaveCount(0);
  expect(new URL(page.url()).search).toBe("");
});

test("pictures that cannot be fetched leave the page as it is", async ({ page, server }) => {
  await page.route("**/assets/RecordsOverview*", (route) => route.abort());
  await page.goto(`${server.url}/Demo?pictures=shown`);
  await expect(page.getByText(/^The pictures could not be fetched/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Talk to Nightlight" })).toBeEnabled();
});

test("the pictures say what they show, also as tables, on a phone and at a desk, by day and by night", async ({
  page,
  server,
}) => {
  const [phone, desk] = [
    { width: 360, height: 800 },
    { width: 1440, height: 800 },
  ];
  await page.setViewportSize(phone);
  await page.goto(`${server.url}/Demo?pictures=shown`);
  const overview = page.getByRole("region", { name: "Overview of the records" });
  for (const size of [phone, desk]) {
    await page.setViewportSize(size);
    for (const words of [
      "9 of 10 calls came between 9 PM and 6 AM. The busiest hour began at 11 PM, with 2 calls.",
      "Wednesday night was the busiest, with 4 of 10 calls.",
      "4 of 10 completed calls were urgent (40 %).",
      "9 agencies, 1 call each, and 1 call for none.",
    ]) {
      await expect(overview.getByText(words)).toBeVisible();
    }
    await expect(overview.getByRole("list", { name: "Agencies" }).getByRole("listitem")).toHaveCount(9);
    await expectAccessibleByDayAndNight(page);
  }
  await overview.getByRole("button", { name: "Show as tables" }).click();
  for (const size of [desk, phone]) {
    await page.setViewportSize(size);
    await expect(overview.getByRole("img")).toHaveCount(0);
    await expect(overview.getByRole("table", { name: "Calls by agency" }).getByRole("row")).toHaveCount(11);
    await expect(overview.getByRole("table", { name: "Calls by hour" }).getByRole("row")).toHaveCount(25);
    await expectAccessibleByDayAndNight(page);
  }
});
