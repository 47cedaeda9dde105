/** Which records are shown, in which order, and on which page. */
import { describe, expect, it } from "vitest";
import type { CallInfo } from "../api/contract.ts";
import { recordOfNewCall } from "./call-record.ts";
import { type History, historyFromServer } from "./history.ts";
import {
  agenciesOf,
  EVERYTHING,
  inTheirPlaces,
  NO_AGENCY,
  type Order,
  pageOf,
  RECORDS_A_PAGE,
  type Selection,
  select,
} from "./selection.ts";

const call = (id: number, more: Partial<CallInfo> = {}): CallInfo => ({ id, callId: `call-${id}`, ...more });
const HISTORY: History = [
  recordOfNewCall("12", "new", new Date("2026-11-20T00:00:00Z")),
  ...historyFromServer(
    [
      call(10, {
        startedAt: "2026-11-02T18:04:00Z",
        durationSeconds: 83,
        summaryTitle: "Caller in danger",
        structuredData: { urgent: true, transfer_to: "SPF", transferred: true, name: "José" },
        messages: [{ role: "user", message: "He has a knife" }],
      }),
      call(9, { startedAt: "the other day", summaryTitle: "caller asks about shelter" }),
      call(2, {
        startedAt: "2026-11-09T18:04:00Z",
        durationSeconds: 600,
        structuredData: { transfer_to: "FSC" },
      }),
    ],
    [],
  ),
];
const idsOf = (records: History) => records.map(({ id }) => id);
const selected = (change: Partial<Selection>) => idsOf(select(HISTORY, { ...EVERYTHING, ...change }));
const ordered = (by: Order["by"], descending = false) => selected({ order: { by, descending } });

describe("a selection", () => {
  it("of everything begins with calls under way and urgent ones; the newest come first in each", () => {
    const urgent = { structuredData: { urgent: true } };
    const night = historyFromServer(
      [call(6), call(5, urgent), call(4, { status: "in-progress" }), call(3, urgent), call(2)],
      [],
    );
    expect(idsOf(select(night, EVERYTHING))).toEqual(["4", "5", "3", "6", "2"]);
  });

  it("of what is new knows when the last look was", () => {
    const onlyNew = { ...EVERYTHING, onlyNew: true };
    const since = Date.parse("2026-11-02T18:05:00Z");
    expect(idsOf(select(HISTORY, onlyNew, since))).toEqual(["10", "2"]);
    expect(select(HISTORY, onlyNew, null)).toEqual([]);
  });

  it.each<[string, Partial<Selection>, string[]]>([
    ["urgent cases", { urgent: "urgent" }, ["10"]],
    ["cases that are not, of which a call under way may be one or not", { urgent: "not-urgent" }, ["9", "2"]],
    ["one agency", { agency: "FSC" }, ["2"]],
    ["no agency", { agency: NO_AGENCY }, ["12", "9"]],
    ["calls under way", { status: "ongoing" }, ["12"]],
    ["calls that are over", { status: "completed" }, ["10", "9", "2"]],
    ["both of two wishes", { urgent: "not-urgent", agency: "FSC" }, ["2"]],
  ])("of %s", (_, change, ids) => {
    expect(selected(change)).toEqual(ids);
  });

  it.each([
    ["KNIFE", ["10"]],
    ["jose", ["10"]],
    ["caller danger", ["10"]],
    ["call-9", ["9"]],
    ["  ", ["12", "10", "9", "2"]],
    ["nobody", []],
  ])("by the words %j", (search, ids) => {
    expect(selected({ search })).toEqual(ids);
  });
});

describe("an order", () => {
  it("of ids is that of numbers", () => {
    expect(ordered("id")).toEqual(["2", "9", "10", "12"]);
    expect(ordered("id", true)).toEqual(["12", "10", "9", "2"]);
  });

  it("of dates is that of time, and what has none comes last either way", () => {
    expect(ordered("date")).toEqual(["10", "2", "12", "9"]);
    expect(ordered("date", true)).toEqual(["12", "2", "10", "9"]);
  });

  it("of anything else keeps the history's order among equals", () => {
    expect(ordered("urgent")).toEqual(["10", "12", "9", "2"]);
    expect(ordered("status")).toEqual(["12", "10", "9", "2"]);
    expect(ordered("duration", true)).toEqual(["2", "10", "12", "9"]);
    expect(ordered("agency")).toEqual(["2", "10", "12", "9"]);
    expect(ordered("transfer")).toEqual(["12", "9", "2", "10"]);
    expect(ordered("description")).toEqual(["12", "9", "10", "2"]);
  });
});

describe("records that a reader is looking at", () => {
  const shown = historyFromServer([call(3), call(2), call(1)], []);

  it("keep their places whatever becomes of them, and those that are gone leave no gap", () => {
    const changed = historyFromServer([call(2), call(1), call(3)], []);
    expect(idsOf(inTheirPlaces(changed, idsOf(shown)))).toEqual(["3", "2", "1"]);
    expect(idsOf(inTheirPlaces(changed.slice(0, 2), idsOf(shown)))).toEqual(["2", "1"]);
  });

  it("come after what has begun meanwhile", () => {
    const more = historyFromServer([call(5), call(3), call(4), call(2)], []);
    expect(idsOf(inTheirPlaces(more, idsOf(shown)))).toEqual(["5", "4", "3", "2"]);
  });
});

it("the agencies offered are those that appear", () => {
  expect(agenciesOf(HISTORY)).toEqual(["FSC", "SPF"]);
});

describe("pages", () => {
  const long = historyFromServer(
    Array.from({ length: 60 }, (_, i) => call(60 - i)),
    [],
  );

  it("hold so many records and no more", () => {
    const page = pageOf(long, 2);
    expect(page.records).toHaveLength(RECORDS_A_PAGE);
    expect(page).toMatchObject({ number: 2, count: 3, first: 26, last: 50 });
  });

  it.each([
    [0, 1],
    [-3, 1],
    [3, 3],
    [99, 3],
  ])("page %d is page %d", (wanted, number) => {
    expect(pageOf(long, wanted).number).toBe(number);
  });

  it("of nothing is one empty page", () => {
    expect(pageOf([], 1)).toEqual({ records: [], number: 1, count: 1, first: 0, last: 0 });
  });
});
