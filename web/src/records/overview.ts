/** The records counted: when calls come, by agency, and how many were urgent. Pure. */
import { type CallRecord, isOngoing, NOT_APPLICABLE, urgencyOf } from "./call-record.ts";
import type { History } from "./history.ts";
import { singaporeClock } from "./singapore-time.ts";

export interface Count {
  label: string;
  calls: number;
  urgent: number;
}

export interface Overview {
  calls: number;
  /** Those that are over: only of them is it known whether they were urgent. */
  completed: number;
  urgent: number;
  transferred: number;
  /** The 24 hours from noon to noon, so that a night stands together. */
  hours: Count[];
  /** Nights from Monday's to Sunday's, each from noon to noon: two on Tuesday morning is Monday night. */
  nights: Count[];
  /** Calls without a readable date, which are in no hour and no night. */
  undated: number;
  /** The most called first; the many others as one, and calls without a transfer, last. */
  agencies: Count[];
}

/** More bars than this are not read as bars. */
const MAX_AGENCIES = 12;
const OTHERS = "Others";

export function overviewOf(history: History): Overview {
  const dated = history.filter(({ startedAt }) => startedAt !== undefined);
  const hours = Array.from({ length: 24 }, (_, i) => none(hourName(i + 12)));
  const nights = NIGHTS.map(none);
  for (const record of dated) {
    const { hour, night } = placeInWeek(record.startedAt as number);
    for (const count of [hours[hour], nights[night]]) if (count) add(count, record);
  }
  return {
    calls: history.length,
    completed: history.filter((record) => !isOngoing(record)).length,
    urgent: history.filter(isUrgent).length,
    transferred: history.filter(({ details }) => details.structuredData.transferred).length,
    hours,
    nights,
    undated: history.length - dated.length,
    agencies: byAgency(history),
  };
}

/** "12 AM" is midnight, "12 PM" noon. */
export function hourName(hour: number): string {
  return `${hour % 12 || 12} ${hour % 24 < 12 ? "AM" : "PM"}`;
}

const isUrgent = (record: CallRecord) => urgencyOf(record) === "urgent";

function byAgency(history: History): Count[] {
  const counts = new Map<string, Count>();
  for (const record of history) {
    const label = record.details.structuredData.transferTo ?? NOT_APPLICABLE;
    const count = counts.get(label) ?? none(label);
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

function none(label: string): Count {
  return { label, calls: 0, urgent: 0 };
}

function add(count: Count, record: CallRecord): void {
  count.calls++;
  if (isUrgent(record)) count.urgent++;
}

const NIGHTS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Hours are counted from noon, nights from Monday's. */
function placeInWeek(time: number): { hour: number; night: number } {
  const sinceNoon = singaporeClock(time).getTime() - DAY_MS / 2;
  const day = Math.floor(sinceNoon / DAY_MS);
  // Day 0, 1 January 1970, was a Thursday; calls from before it count as well.
  return { hour: Math.floor((sinceNoon - day * DAY_MS) / HOUR_MS), night: (((day + 3) % 7) + 7) % 7 };
}
