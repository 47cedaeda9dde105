// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { CallInfo } from "../api/contract.ts";
import { historyFromServer } from "./history.ts";
import { overviewOf } from "./overview.ts";

const counted = (infos: Partial<CallInfo>[]) =>
  overviewOf(
    historyFromServer(
      infos.map((info, i) => ({ id: infos.length - i, callId: `call-${i}`, ...info })),
      [],
    ),
  );
const calls = (...infos: Partial<CallInfo>[]) => counted(infos);
const at = (...dates: string[]) => calls(...dates.map((startedAt) => ({ startedAt })));
const periods = (...dates: string[]) => at(...dates).periods.map(({ label, calls }) => [label, calls]);

describe("calls over time", () => {
  it("are counted by Singapore's day, the empty ones too", () => {
    expect(periods("2026-11-01T15:59:00Z", "2026-11-01T16:00:00Z", "2026-11-03T16:00:00Z")).toEqual([
      ["1 Nov", 1],
      ["2 Nov", 1],
      ["3 Nov", 0],
      ["4 Nov", 1],
    ]);
  });

  it("are counted by week, from Monday, when days would be too many", () => {
    const weeks = periods("2026-10-04T12:00:00Z", "2026-10-05T12:00:00Z", "2026-11-15T12:00:00Z");
    expect(weeks.slice(0, 3)).toEqual([
      ["28 Sept", 1],
      ["5 Oct", 1],
      ["12 Oct", 0],
    ]);
    expect(weeks).toHaveLength(7);
  });

  it("are counted by month, then by year, and what came before the last periods is left out", () => {
    expect(periods("2025-12-15T00:00:00Z", "2026-11-15T00:00:00Z")).toHaveLength(12);
    expect(at("2006-06-01T00:00:00Z", "2026-06-01T00:00:00Z").periodLength).toBe("year");
    const centuries = at("1700-06-01T00:00:00Z", "2026-06-01T00:00:00Z");
    expect(centuries.periods.at(-1)).toEqual({ label: "2026", calls: 1, urgent: 0 });
    expect(centuries).toMatchObject({ periodLength: "year", notInPeriods: 1 });
  });

  it("leave out what has no readable date, and say how many", () => {
    expect(calls({ startedAt: "once" }, {}, { startedAt: "2026-11-02T00:00:00Z" })).toMatchObject({
      calls: 3,
      notInPeriods: 2,
      periods: [{ label: "2 Nov", calls: 1 }],
    });
    expect(calls({})).toMatchObject({ periods: [], notInPeriods: 1 });
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
  ).toMatchObject({ calls: 2, urgent: 1, transferred: 1 });
});

it("thousands of records are no matter", () => {
  const many = counted(Array.from({ length: 20_000 }, () => ({ startedAt: "2026-11-02T00:00:00Z" })));
  expect(many.periods).toEqual([{ label: "2 Nov", calls: 20_000, urgent: 0 }]);
});
