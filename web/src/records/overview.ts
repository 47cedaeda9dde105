/** The records counted: over time, by agency, and how many were urgent. Pure. */
import { type CallRecord, NOT_APPLICABLE } from "./call-record.ts";
import type { History } from "./history.ts";
import { singaporeClock } from "./singapore-time.ts";

export interface Count {
  label: string;
  calls: number;
  urgent: number;
}

export type PeriodLength = "day" | "week" | "month" | "year";

export interface Overview {
  calls: number;
  urgent: number;
  transferred: number;
  /** Each period from the first call to the last, also those without one. */
  periods: Count[];
  periodLength: PeriodLength;
  /** Calls without a readable date, and those before the periods shown. */
  notInPeriods: number;
  /** The most called first; the many others as one, and calls without a transfer, last. */
  agencies: Count[];
}

/** More bars than this are not read as bars. */
const MAX_PERIODS = 24;
const MAX_AGENCIES = 12;
const OTHERS = "Others";

export function overviewOf(history: History): Overview {
  const dated = history.filter(({ startedAt }) => startedAt !== undefined);
  const { periodLength, periods } = inPeriods(dated);
  return {
    calls: history.length,
    urgent: history.filter(isUrgent).length,
    transferred: history.filter(({ details }) => details.structuredData.transferred).length,
    periods,
    periodLength,
    notInPeriods: history.length - sumOf(periods, "calls"),
    agencies: byAgency(history),
  };
}

const isUrgent = (record: CallRecord) => record.details.structuredData.urgentStatus === true;

function byAgency(history: History): Count[] {
  const counts = new Map<string, Count>();
  for (const record of history) {
    const label = record.details.structuredData.transferTo ?? NOT_APPLICABLE;
    const count = counts.get(label) ?? { label, calls: 0, urgent: 0 };
    counts.set(label, count);
    add(count, record);
  }
  const without = counts.get(NOT_APPLICABLE);
  counts.delete(NOT_APPLICABLE);
  const ranked = [...counts.values()].sort((a, b) => b.calls - a.calls || a.label.localeCompare(b.label));
  const others = ranked.splice(ranked.length > MAX_AGENCIES ? MAX_AGENCIES - 1 : MAX_AGENCIES);
  if (others.length > 0)
    ranked.push({ label: OTHERS, calls: sumOf(others, "calls"), urgent: sumOf(others, "urgent") });
  return without ? [...ranked, without] : ranked;
}

function sumOf(counts: readonly Count[], what: "calls" | "urgent"): number {
  return counts.reduce((sum, count) => sum + count[what], 0);
}

const DAY_MS = 86_400_000;

/** The shortest length of period with which everything fits. */
function inPeriods(dated: readonly CallRecord[]): { periodLength: PeriodLength; periods: Count[] } {
  const times = dated.map(({ startedAt }) => startedAt as number);
  if (times.length === 0) return { periodLength: "day", periods: [] };
  const earliest = times.reduce((a, b) => Math.min(a, b));
  const latest = times.reduce((a, b) => Math.max(a, b));
  const periodLength =
    (["day", "week", "month", "year"] as const).find(
      (length) => indexOf(latest, length) - indexOf(earliest, length) < MAX_PERIODS,
    ) ?? "year";
  const last = indexOf(latest, periodLength);
  const first = Math.max(indexOf(earliest, periodLength), last - MAX_PERIODS + 1);
  const periods = Array.from({ length: last - first + 1 }, (_, i) => ({
    label: labelOf(first + i, periodLength),
    calls: 0,
    urgent: 0,
  }));
  for (const record of dated) {
    const period = periods[indexOf(record.startedAt as number, periodLength) - first];
    if (period) add(period, record);
  }
  return { periodLength, periods };
}

function add(count: Count, record: CallRecord): void {
  count.calls++;
  if (isUrgent(record)) count.urgent++;
}

/** The period's place on an endless calendar. Weeks begin on Monday. */
function indexOf(time: number, length: PeriodLength): number {
  const local = singaporeClock(time);
  const day = Math.floor(local.getTime() / DAY_MS);
  switch (length) {
    case "day":
      return day;
    case "week":
      // Day 0, 1 January 1970, was a Thursday.
      return Math.floor((day + 3) / 7);
    case "month":
      return local.getUTCFullYear() * 12 + local.getUTCMonth();
    case "year":
      return local.getUTCFullYear();
  }
}

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-SG", { ...options, timeZone: "UTC" });
const DAY = utc({ day: "numeric", month: "short" });
const MONTH = utc({ month: "short", year: "numeric" });

function labelOf(index: number, length: PeriodLength): string {
  switch (length) {
    case "day":
      return DAY.format(index * DAY_MS);
    case "week":
      return DAY.format((index * 7 - 3) * DAY_MS);
    case "month":
      return MONTH.format(Date.UTC(Math.floor(index / 12), index % 12));
    case "year":
      return String(index);
  }
}
