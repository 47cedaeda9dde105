/** The sentence above each picture of the records. */
import { describe, expect, it } from "vitest";
import type { CallInfo } from "../../../api/contract.ts";
import { historyFromServer } from "../../../records/history.ts";
import { overviewOf } from "../../../records/overview.ts";
import { agenciesWords, hoursWords, nightsWords, urgentWords } from "./overview-words.ts";

const of = (...infos: Partial<CallInfo>[]) =>
  overviewOf(
    historyFromServer(
      infos.map((info, i) => ({ id: i + 1, callId: `call-${i}`, ...info })),
      [],
    ),
  );
/** November 2026 began on a Sunday. */
const at = (...times: string[]) =>
  of(...times.map((time) => ({ startedAt: `2026-11-${time.replace(" ", "T")}:00+08:00` })));
const to = (...agencies: (string | null)[]) =>
  of(...agencies.map((transfer_to) => ({ structuredData: { transfer_to: transfer_to as "SPF" } })));

describe("what the pictures say", () => {
  it("of the hours: how much of it is the night, and the busiest where there is one", () => {
    expect(hoursWords(at("02 21:00", "02 20:59", "03 05:59", "03 06:00"))).toBe(
      "2 of 4 calls came between 9 PM and 6 AM.",
    );
    expect(hoursWords(at("02 23:10", "04 23:50", "03 05:59"))).toBe(
      "3 of 3 calls came between 9 PM and 6 AM. The busiest hour began at 11 PM, with 2 calls.",
    );
    expect(hoursWords(of({}))).toBe("No call has a date.");
  });

  it("of the nights: the busiest, or that none is", () => {
    expect(nightsWords(at("02 23:00", "03 02:00", "04 23:00"))).toBe(
      "Monday night was the busiest, with 2 of 3 calls.",
    );
    expect(nightsWords(at("02 23:00", "04 23:00"))).toBe(
      "Monday and Wednesday nights were the busiest, with 1 call each.",
    );
    expect(nightsWords(at("02 23:00", "04 23:00", "05 23:00"))).toBe("No night of the week stands out.");
  });

  it("of the urgent ones: the share of those that could be assessed", () => {
    const urgent = { structuredData: { urgent: true } };
    expect(urgentWords(of(urgent, {}, {}, {}))).toBe("1 of 4 completed calls were urgent (25 %).");
    expect(urgentWords(of(urgent, {}, { status: "in-progress" }))).toBe(
      "1 of 2 completed calls were urgent (50 %). 1 call is ongoing and not assessed yet.",
    );
    expect(urgentWords(of({ status: "in-progress" }))).toMatch(/^No call is completed yet\./);
  });

  it("of the agencies: the one chosen most, and of one call each only how many", () => {
    expect(agenciesWords(to("SPF", "SPF", "SOS", null))).toBe("SPF was chosen most often, for 2 of 4 calls.");
    expect(agenciesWords(to("SPF", "SPF", "SOS", "SOS"))).toBe(
      "SOS and SPF were chosen most often, for 2 calls each.",
    );
    expect(agenciesWords(to("SPF", "SOS", null, null))).toBe(
      "2 agencies, 1 call each, and 2 calls for none.",
    );
    expect(agenciesWords(to(null))).toBe("No call was for an agency.");
  });
});
