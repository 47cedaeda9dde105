/** Which records are new to a reader, and when a look ends. */
import { describe, expect, it } from "vitest";
import type { CallInfo } from "../api/contract.ts";
import { recordOfNewCall } from "./call-record.ts";
import { historyFromServer } from "./history.ts";
import { isNew, type Look, lookThatEnds, newAfter, newsWords, SAME_LOOK_MS } from "./last-look.ts";

const at = (time: string) => Date.parse(`2026-11-02T${time}:00Z`);
const call = (id: number, ended: string, more: Partial<CallInfo> = {}): CallInfo => ({
  id,
  callId: `call-${id}`,
  endedAt: `2026-11-02T${ended}:00Z`,
  ...more,
});
const URGENT = { structuredData: { urgent: true } };
const NIGHT = historyFromServer(
  [call(4, "20:30"), call(3, "20:00", URGENT), call(2, "19:00"), call(1, "18:00", URGENT)],
  [],
);
const newIn = (history = NIGHT, since: number | null) =>
  history.filter((record) => isNew(record, since)).map(({ id }) => id);

describe("a look", () => {
  const last: Look = { since: at("17:00"), upTo: at("19:00"), at: at("21:00") };

  it("that is the first finds nothing new", () => {
    expect(newIn(NIGHT, newAfter(null, at("21:00")))).toEqual([]);
    expect(newsWords(NIGHT, null)).toBeNull();
  });

  it("finds new what ended after the latest call that the last one saw", () => {
    expect(newIn(NIGHT, newAfter(last, at("21:00") + SAME_LOOK_MS))).toEqual(["4", "3"]);
  });

  it("goes on for who comes back soon: a reload takes no mark away", () => {
    expect(newIn(NIGHT, newAfter(last, at("21:00") + SAME_LOOK_MS - 1))).toEqual(["4", "3", "2", "1"]);
  });

  it("leaves behind what it saw, and what was new to it", () => {
    expect(lookThatEnds(at("17:00"), NIGHT, 7)).toEqual({ since: at("17:00"), upTo: at("20:30"), at: 7 });
    expect(lookThatEnds(null, NIGHT, 7)).toEqual({ since: at("20:30"), upTo: at("20:30"), at: 7 });
  });

  it("at an empty history forgets nothing that was seen before", () => {
    expect(lookThatEnds(at("17:00"), [], 7).upTo).toBe(at("17:00"));
  });
});

describe("a record", () => {
  it("is new when its note is there, not while the call is under way", () => {
    const begun = recordOfNewCall("5", "call-5", new Date(at("20:55")));
    expect(isNew(begun, at("20:30"))).toBe(false);
  });

  it("whose end is not known counts from its beginning", () => {
    const [record] = historyFromServer(
      [call(1, "", { endedAt: null, startedAt: "2026-11-02T18:00:00Z", durationSeconds: 60 })],
      [],
    );
    if (!record) throw new Error("unreachable: one was made");
    expect([at("18:00"), at("18:01")].map((since) => isNew(record, since))).toEqual([true, false]);
  });
});

it.each([
  ["20:30", "Nothing new since you last looked."],
  ["20:00", "1 new since you last looked, none urgent."],
  ["19:00", "2 new since you last looked, 1 urgent."],
  ["17:00", "4 new since you last looked, 2 urgent."],
])("what is new since %s is counted in a sentence", (since, words) => {
  expect(newsWords(NIGHT, at(since))).toBe(words);
});
