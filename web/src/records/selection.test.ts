// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { CallInfo } from "../api/contract.ts";
import { recordOfNewCall } from "./call-record.ts";
import { type History, historyFromServer } from "./history.ts";
import {
  agenciesOf,
  EVERYTHING,
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
  it("of everything is the history, in its own order", () => {
    expect(select(HISTORY, EVERYTHING)).toEqual(HISTORY);
  });

  it.each<[string, Partial<Selection>, string[]]>([
    ["urgent cases", { urgent: "urgent" }, ["10"]],
    ["cases that are not", { urgent: "not-urgent" }, ["12", "9", "2"]],
    ["one agency", { agency: "FSC" }, ["2"]],
    ["no agency", { agency: NO_AGENCY }, ["12", "9"]],
    ["calls under way", { status: "ongoing" }, ["12"]],
    ["calls that are over", { status: "completed" }, ["10", "9", "2"]],
    ["both of two wishes", { urgent: "not-urgent", status: "completed" }, ["9", "2"]],
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
