/** Records as the page makes, keeps and formats them. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CallInfo } from "../api/contract.ts";
import { isOngoing, isWhole, recordFromInfo, transferStatus } from "./call-record.ts";
import { followUpPoints, formatDate, formatDuration, truncate } from "./format.ts";
import {
  addNewCall,
  fillRecord,
  type History,
  historyFromServer,
  removePlaceholder,
  removeRecord,
  withoutDuplicates,
  withPage,
} from "./history.ts";
import { storedHistory, storeHistory } from "./stored-history.ts";

const NOW = new Date("2026-11-20T19:05:00Z");
const info = (callId: string, more: Partial<CallInfo> = {}): CallInfo => ({ callId, ...more });

describe("dates", () => {
  it.each([
    ["2026-11-02T18:04:00Z", "3/11/26 (2:04 AM)"],
    ["2026-01-09T04:00:00Z", "9/1/26 (12:00 PM)"],
    ["2026-12-31T16:00:00+08:00", "31/12/26 (4:00 PM)"],
    ["2026-12-31T16:00:00Z", "1/1/27 (12:00 AM)"],
    [null, "N/A"],
    [undefined, "N/A"],
    ["", "N/A"],
    ["the other day", "Invalid date"],
  ])("%j is shown as %j", (date, shown) => {
    expect(formatDate(date)).toBe(shown);
  });
});

describe("durations", () => {
  it.each([
    [83, "0h 01m 23s"],
    [0, "0h 00m 00s"],
    [3599.6, "1h 00m 00s"],
    [36_061, "10h 01m 01s"],
    [null, "N/A"],
    [undefined, "N/A"],
    [Number.NaN, "N/A"],
  ])("%j s is shown as %j", (seconds, shown) => {
    expect(formatDuration(seconds)).toBe(shown);
  });
});

it("a text is cut after so many characters, and only when it is longer", () => {
  expect(truncate("Caller in immediate danger from her partner", 30)).toBe("Caller in immediate danger fro…");
  expect(truncate("Caller seeks shelter", 30)).toBe("Caller seeks shelter");
  expect(truncate("Caller is in very great danger from him", 30)).toBe("Caller is in very great danger…");
  expect(truncate("👵🏽👩‍👧é", 2)).toBe("👵🏽👩‍👧…");
});

it("follow-up advice is split at a full stop followed by a space", () => {
  expect(followUpPoints("Call back before noon. Check on the 2.5-year-old. Offer shelter.")).toEqual([
    "Call back before noon",
    "Check on the 2.5-year-old",
    "Offer shelter",
  ]);
  expect(followUpPoints("")).toEqual([]);
});

describe("a record made from call-info", () => {
  it("has the specified defaults where fields are missing", () => {
    expect(recordFromInfo("11", info("c"))).toEqual({
      id: "11",
      callId: "c",
      createdDate: "N/A",
      duration: "N/A",
      status: "ended",
      details: {
        summary: "No summary provided",
        summaryTitle: "No summary provided",
        structuredData: {
          urgentStatus: false,
          transferTo: null,
          transferred: false,
          abuseType: "Not specified",
          callerName: "Unknown",
          callerLocation: "Unknown",
          latestIncident: "N/A",
          follow_up: "No follow-up required",
        },
      },
    });
  });

  it("does not take what a list leaves out for a call in which nothing was said", () => {
    expect(isWhole(recordFromInfo("11", info("c")))).toBe(false);
    expect(isWhole(recordFromInfo("11", info("c", { messages: [] })))).toBe(true);
  });

  it("has them too where fields are not of the kind they should be", () => {
    const odd = {
      callId: 7,
      startedAt: { day: 3 },
      durationSeconds: "long",
      summary: null,
      summaryTitle: ["a"],
      messages: [null, { role: "user" }],
      structuredData: { urgent: "yes", follow_up: 3, transfer_to: {} },
      evidence: "none",
    } as unknown as CallInfo;
    expect(recordFromInfo("11", odd)).toMatchObject({
      callId: "7",
      createdDate: "Invalid date",
      duration: "N/A",
      details: {
        summary: "No summary provided",
        summaryTitle: "No summary provided",
        messages: [{ role: "user", message: "" }],
        structuredData: { urgentStatus: false, transferTo: null, follow_up: "3" },
        evidence: [],
      },
    });
  });

  it("of a call that is still under way is an ongoing one", () => {
    expect(isOngoing(recordFromInfo("11", info("c", { status: "in-progress", summaryTitle: "" })))).toBe(
      true,
    );
  });

  it("of a call that is over is none, whatever its title", () => {
    const title = { summaryTitle: "Active Call" };
    expect(isOngoing(recordFromInfo("11", info("c", { status: "ended", ...title })))).toBe(false);
    expect(isOngoing(recordFromInfo("11", info("c", title)))).toBe(false);
  });

  it.each([
    [{ transferTo: "SPF", transferred: true }, "Transferred"],
    [{ transferTo: "CPS", transferred: false }, "Not transferred"],
    [{ transferTo: null, transferred: false }, "Not Applicable"],
    [{}, "Not Applicable"],
  ] as const)("%j has the transfer status %j", (facts, status) => {
    expect(transferStatus(facts)).toBe(status);
  });

  it("knows no transfer when the agency is not applicable", () => {
    const record = recordFromInfo("1", info("c", { structuredData: { transfer_to: "Not Applicable" } }));
    expect(record.details.structuredData.transferTo).toBeNull();
  });
});

describe("the history", () => {
  const samples: History = historyFromServer([info("b", { id: 10 }), info("a", { id: 9 })], []);

  it("puts a new call on top with the next number", () => {
    const [first, ...rest] = addNewCall(samples, "new", NOW);
    expect(rest).toEqual(samples);
    expect(first).toEqual({
      id: "11",
      callId: "new",
      createdDate: "21/11/26 (3:05 AM)",
      duration: "0:00",
      status: "in-progress",
      startedAt: NOW.getTime(),
      details: { summary: "Call in progress", summaryTitle: "Active Call", messages: [], structuredData: {} },
    });
  });

  it("numbers the first call 1", () => {
    expect(addNewCall([], "new", NOW)[0]?.id).toBe("1");
  });

  it("fills the record of the same call, and no other", () => {
    const filled = fillRecord(
      addNewCall(samples, "new", NOW),
      info("new", { summaryTitle: "Caller is safe" }),
    );
    expect(filled[0]).toMatchObject({ id: "11", details: { summaryTitle: "Caller is safe" } });
    expect(filled.slice(1)).toEqual(samples);
    expect(fillRecord(samples, info("deleted"))).toEqual(samples);
  });

  it("gives a call begun here the server's number: higher ones may not have been fetched", () => {
    const filled = fillRecord(addNewCall(samples, "new", NOW), info("new", { id: 70 }));
    expect(filled.map((record) => record.id)).toEqual(["70", "10", "9"]);
  });

  it("puts the next page under what is shown, and nothing twice", () => {
    const said = { messages: [{ role: "user" as const, message: "hello" }] };
    const shown = [
      ...addNewCall([], "ongoing", NOW),
      ...historyFromServer([info("b", { id: 10, ...said })], []),
    ];
    const page = [info("ongoing", { id: 1, status: "ended" }), info("b", { id: 10 }), info("c", { id: 3 })];
    const paged = withPage(shown, [...page, info("removed", { id: 2 })], new Set(["removed"]));
    expect(paged.map((record) => record.callId)).toEqual(["ongoing", "b", "c"]);
    expect(paged.map(isOngoing)).toEqual([false, false, false]);
    expect(paged[1]?.details.messages).toEqual(said.messages);
  });

  it("takes away a placeholder, but not a record that was filled", () => {
    const placed = addNewCall(samples, "new", NOW);
    expect(removePlaceholder(placed, "new")).toEqual(samples);
    expect(removePlaceholder(fillRecord(placed, info("new")), "new")).toHaveLength(3);
  });

  it("removes one record by its id", () => {
    expect(removeRecord(samples, "10").map((record) => record.id)).toEqual(["9"]);
  });

  it("drops duplicate ids with a warning", () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(withoutDuplicates([...samples, ...samples])).toEqual(samples);
    expect(warned).toHaveBeenCalledTimes(2);
  });

  it("keeps a call begun here on top when the server's list comes later", () => {
    const shown = addNewCall([], "new", NOW).map((record) => ({ ...record, id: "11" }));
    expect(historyFromServer([info("b", { id: 10 })], shown).map((record) => record.id)).toEqual([
      "11",
      "10",
    ]);
    expect(historyFromServer([info("new", { id: 11 })], shown)).toHaveLength(1);
  });
});

describe("the stored history", () => {
  beforeEach(() => localStorage.clear());

  it("comes back as it was", () => {
    const history = addNewCall([], "new", NOW);
    storeHistory(history);
    expect(storedHistory()).toEqual(history);
  });

  it("of a page that stored no status says by the title which call was under way", () => {
    const [begun, over] = [addNewCall([], "new", NOW), [recordFromInfo("2", info("over"))]];
    const stored = [...begun, ...over].map(({ status: _, ...record }) => record);
    localStorage.setItem("call-records", JSON.stringify(stored));
    expect(storedHistory().map(({ status }) => status)).toEqual(["in-progress", "ended"]);
  });

  it.each([
    "not json",
    "{}",
    '[{"id":1}]',
    "[null]",
    '[{"id":"1","callId":"c","createdDate":"","duration":"","details":{"summary":"","messages":[],"structuredData":{}}}]',
  ])("is empty when the storage holds %j", (text) => {
    localStorage.setItem("call-records", text);
    expect(storedHistory()).toEqual([]);
  });
});
