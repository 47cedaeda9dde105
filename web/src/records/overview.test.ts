/** The records counted by hour, night and agency, and by how they stood. */
import { describe, expect, it } from "vitest";
import type { CallInfo } from "../api/contract.ts";
import { historyFromServer } from "./history.ts";
import { type Count, overviewOf } from "./overview.ts";

const counted = (infos: Partial<CallInfo>[]) =>
  overviewOf(
    historyFromServer(
      infos.map((info, i) => ({ id: infos.length - i, callId: `call-${i}`, ...info })),
      [],
    ),
  );
const calls = (...infos: Partial<CallInfo>[]) => counted(infos);
const at = (...dates: string[]) => calls(...dates.map((startedAt) => ({ startedAt })));
const called = (counts: readonly Count[]) =>
  counts.flatMap(({ label, calls }) => (calls > 0 ? [[label, calls]] : []));

describe("when calls come", () => {
  it("is counted by Singapore's hour, from noon to noon", () => {
    const { hours } = at("2026-11-01T15:59:00Z", "2026-11-01T16:00:00Z", "2026-11-05T16:30:00Z");
    expect(hours.map(({ label }) => label).filter((_, i) => i % 6 === 0)).toEqual([
      "12 PM",
      "6 PM",
      "12 AM",
      "6 AM",
    ]);
    expect(called(hours)).toEqual([
      ["11 PM", 1],
      ["12 AM", 2],
    ]);
  });

  it("is counted by night: early in the morning is still the night before", () => {
    // Monday, 2 November 2026, at 11:59 AM and noon in Singapore; Tuesday at 2 AM.
    const { nights } = at("2026-11-02T03:59:00Z", "2026-11-02T04:00:00Z", "2026-11-02T18:00:00Z");
    expect(called(nights)).toEqual([
      ["Monday", 2],
      ["Sunday", 1],
    ]);
    expect(called(at("1969-12-29T05:00:00Z").nights)).toEqual([["Monday", 1]]);
  });

  it("leaves out what has no readable date, and says how many", () => {
    const { hours, undated } = calls({ startedAt: "once" }, {}, { startedAt: "2026-11-02T00:00:00Z" });
    expect(called(hours)).toEqual([["8 AM", 1]]);
    expect(undated).toBe(2);
  });
});

it("agencies come by how often they were called, and calls without a transfer last", () => {
  const transfer = (transfer_to: string, urgent = false) =>
    ({ structuredData: { transfer_to, urgent, transferred: true } }) as Partial<CallInfo>;
  expect(
    calls({}, {}, {}, transfer("SOS", true), transfer("FSC"), transfer("FSC"), transfer("APS")).agencies,
  ).toEqual([
    { label: "FSC", calls: 2, urgent: 0 },
    { label: "APS", calls: 1, urgent: 0 },
    { label: "SOS", calls: 1, urgent: 1 },
    { label: "Not Applicable", calls: 3, urgent: 0 },
  ]);
});

it("agencies nobody knows are counted together", () => {
  const odd = Array.from(
    { length: 40 },
    (_, i) => ({ structuredData: { transfer_to: `X${i}` } }) as unknown as Partial<CallInfo>,
  );
  const { agencies } = calls(...odd, {});
  expect(agencies).toHaveLength(13);
  expect(agencies.slice(-2)).toEqual([
    { label: "Others", calls: 29, urgent: 0 },
    { label: "Not Applicable", calls: 1, urgent: 0 },
  ]);
});

it("urgent and transferred calls are counted", () => {
  expect(
    calls(
      { structuredData: { urgent: true } },
      { structuredData: { transfer_to: "FSC", transferred: true } },
    ),
  ).toMatchObject({ calls: 2, completed: 2, urgent: 1, transferred: 1 });
});

it("a call under way is no call that was not urgent", () => {
  expect(calls({ structuredData: { urgent: true } }, { status: "in-progress" })).toMatchObject({
    calls: 2,
    completed: 1,
    urgent: 1,
  });
});

it("thousands of records are no matter", () => {
  const many = counted(Array.from({ length: 20_000 }, () => ({ startedAt: "2026-11-02T00:00:00Z" })));
  expect(called(many.nights)).toEqual([["Sunday", 20_000]]);
});
