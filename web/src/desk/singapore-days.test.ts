/** Nights, weeks, days and date fields by Singapore's clock, wherever the browser is. */
import { describe, expect, it } from "vitest";
import {
  clockWords,
  dayAfter,
  dayOf,
  dayWords,
  fieldOf,
  lastEvening,
  momentOf,
  mondayOf,
  nightOf,
  weekFrom,
} from "./singapore-days.ts";

const at = (time: string) => Date.parse(`${time}+08:00`);

describe("a night", () => {
  it("goes from six in the evening to eight in the morning, in Singapore", () => {
    expect(nightOf("2026-11-24")).toEqual({
      from: "2026-11-24T10:00:00.000Z",
      until: "2026-11-25T00:00:00.000Z",
    });
  });

  it("is the last one until the next begins", () => {
    expect(lastEvening(at("2026-11-25T07:30:00"))).toBe("2026-11-24");
    expect(lastEvening(at("2026-11-25T17:59:00"))).toBe("2026-11-24");
    expect(lastEvening(at("2026-11-25T18:00:00"))).toBe("2026-11-25");
    expect(lastEvening(at("2026-12-01T00:10:00"))).toBe("2026-11-30");
  });
});

describe("a week", () => {
  it("begins on a Monday", () => {
    expect(mondayOf("2026-11-25")).toBe("2026-11-23");
    expect(mondayOf("2026-11-23")).toBe("2026-11-23");
    expect(mondayOf("2026-11-29")).toBe("2026-11-23");
  });

  it("has seven days, from midnight to midnight in Singapore", () => {
    const { days, period } = weekFrom("2026-11-30");
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toBe("2026-12-06");
    expect(period).toEqual({ from: "2026-11-29T16:00:00.000Z", until: "2026-12-06T16:00:00.000Z" });
  });
});

describe("a day", () => {
  it("is Singapore's", () => {
    expect(dayOf("2026-11-24T15:59:00Z")).toBe("2026-11-24");
    expect(dayOf("2026-11-24T16:00:00Z")).toBe("2026-11-25");
    expect(dayAfter("2026-12-31")).toBe("2027-01-01");
    expect(dayAfter("2026-03-01", -1)).toBe("2026-02-28");
  });

  it("is told by name", () => {
    expect(dayWords("2026-11-24")).toBe("Tuesday 24 November");
    expect(clockWords("2026-11-24T16:05:00Z")).toBe("12:05 AM");
    expect(clockWords("2026-11-24T10:00:00Z")).toBe("6:00 PM");
  });
});

describe("a field for a date and a time", () => {
  it("holds Singapore's clock", () => {
    expect(fieldOf("2026-11-24T16:05:00Z")).toBe("2026-11-25T00:05");
    expect(momentOf("2026-11-25T00:05")).toBe("2026-11-24T16:05:00.000Z");
  });

  it("that is empty is no moment", () => {
    expect(momentOf("")).toBeNull();
    expect(momentOf("2026-11")).toBeNull();
  });
});
