/** How the desk speaks of cases and follow-ups. */
import { describe, expect, it } from "vitest";
import type { CaseSummary } from "./case-contract.ts";
import {
  deletionWords,
  dueWords,
  escalationWords,
  factWords,
  isOverdue,
  kindsWords,
  numberWords,
  stateWords,
  waitedWords,
  waitWords,
  within,
} from "./case-words.ts";
import { CASE, FOLLOW_UP, JOAN } from "./testing/cases.ts";

const stands = (more: Partial<CaseSummary>) => stateWords({ ...CASE, ...more });
const AT = "2026-11-25T06:00:00Z";
const later = (minutes: number) => Date.parse(AT) + minutes * 60_000;

describe("a case", () => {
  it("says with whom it is", () => {
    expect(stands({ state: "waiting", takenBy: null, yours: false })).toBe("Waiting");
    expect(stands({})).toBe("With you");
    expect(stands({ yours: false, takenBy: JOAN })).toBe("With Joan Ong");
    expect(stands({ state: "closed", outcome: "not-reached" })).toBe("Closed: not reached");
  });

  it("says how long it waits, in minutes, hours and days", () => {
    expect(waitWords(AT, later(-1))).toBe("just now");
    expect(waitWords(AT, later(0.5))).toBe("just now");
    expect(waitWords(AT, later(4))).toBe("4 min");
    expect(waitedWords(AT, later(0))).toBe("just now");
    expect(waitedWords(AT, later(4))).toBe("for 4 min");
    expect(waitWords(AT, later(125))).toBe("2 h 05 min");
    expect(waitWords(AT, later(24 * 60))).toBe("1 day");
    expect(waitWords(AT, later(75 * 60))).toBe("3 days");
  });

  it("says why it is escalated", () => {
    expect(escalationWords({ returned: 1 })).toMatch(/untouched once/);
    expect(escalationWords({ returned: 2 })).toMatch(/untouched twice/);
    expect(escalationWords({ returned: 5 })).toMatch(/untouched 5 times/);
  });

  it("says when it is deleted, and that a hold hinders it", () => {
    expect(deletionWords(CASE)).toBe(
      "This case and the call’s record will be deleted on 25/12/26 (2:06 AM).",
    );
    expect(deletionWords({ ...CASE, kind: "elsewhere" })).toMatch(/^This case will be deleted/);
    expect(deletionWords({ ...CASE, held: true, deletedAt: null })).toMatch(/held/);
    expect(deletionWords({ ...CASE, deletedAt: null })).toMatch(/No day is set/);
  });

  it("keeps a name's capital within a sentence", () => {
    expect(within("With Mei Tan")).toBe("with Mei Tan");
  });

  it("says what is not known of it", () => {
    expect(factWords("Bedok")).toBe("Bedok");
    for (const nothing of ["", null, undefined, "Not Applicable"])
      expect(factWords(nothing)).toBe("Not known");
  });
});

describe("a follow-up", () => {
  it("is overdue from its moment on, until it is done", () => {
    expect(isOverdue(FOLLOW_UP, later(-1))).toBe(false);
    expect(isOverdue(FOLLOW_UP, later(1))).toBe(true);
    expect(isOverdue({ ...FOLLOW_UP, done: { by: JOAN, at: AT } }, later(1))).toBe(false);
  });

  it("says when, and by whom it was done", () => {
    expect(dueWords(FOLLOW_UP, later(-1))).toBe("Due 25/11/26 (2:00 PM)");
    expect(dueWords(FOLLOW_UP, later(1))).toBe("Overdue since 25/11/26 (2:00 PM)");
    expect(dueWords({ ...FOLLOW_UP, done: { by: JOAN, at: AT } }, later(1))).toBe(
      "Done by Joan Ong on 25/11/26 (2:00 PM)",
    );
  });
});

it("names what was deleted", () => {
  expect(kindsWords(["transcript", "note", "case"])).toBe("Transcript, note and the team’s work");
});

it("writes a number of Singapore's in two halves", () => {
  expect(numberWords("+6591234567")).toBe("+65 9123 4567");
  expect(numberWords("+60123456789")).toBe("+60123456789");
});
