/**
 * What is new since this browser last looked. A look ends when the reader turns away from records that
 * were in view; whoever comes back soon goes on with it, so that a reload takes no mark away. Pure.
 */
import { type CallRecord, isOngoing, urgencyOf } from "./call-record.ts";
import type { History } from "./history.ts";

/** A look that is over. Moments are the records' own, so that the browser's clock need not be right. */
export interface Look {
  /** What ended later was new to it. */
  since: number;
  /** The latest end of a call that it saw. */
  upTo: number;
  /** When it ended, by the browser's clock, in milliseconds since 1970. */
  at: number;
}

/** Away for less than this, a reader goes on with the look they had. */
export const SAME_LOOK_MS = 30 * 60_000;

/** What ended later is new to a look that begins now. To a first look nothing is: null. */
export function newAfter(last: Look | null, now: number): number | null {
  if (!last) return null;
  return now - last.at < SAME_LOOK_MS ? last.since : last.upTo;
}

export function lookThatEnds(since: number | null, history: History, now: number): Look {
  const upTo = Math.max(since ?? 0, latestEnd(history));
  return { since: since ?? upTo, upTo, at: now };
}

/** A call under way says so itself; it is new when its note is there. */
export function isNew(record: CallRecord, since: number | null): boolean {
  return since !== null && endOf(record) > since;
}

/** "3 new since you last looked, 1 urgent." To a first look there is nothing to say. `all` is whether no record is missing. */
export function newsWords(history: History, since: number | null, all = true): string | null {
  if (since === null) return null;
  const here = all ? "" : "Among the records here: ";
  const fresh = history.filter((record) => isNew(record, since));
  if (fresh.length === 0) return `${here}${all ? "N" : "n"}othing new since you last looked.`;
  const urgent = fresh.filter((record) => urgencyOf(record) === "urgent").length;
  return `${here}${count(fresh.length)} new since you last looked, ${urgent === 0 ? "none" : count(urgent)} urgent.`;
}

function latestEnd(history: History): number {
  return history.reduce((latest, record) => Math.max(latest, endOf(record)), 0);
}

/** A record from before ends were kept counts from its beginning. */
function endOf(record: CallRecord): number {
  if (isOngoing(record)) return 0;
  const { startedAt = 0, durationSeconds = 0, endedAt = startedAt + durationSeconds * 1000 } = record;
  return endedAt;
}

function count(records: number): string {
  return records.toLocaleString("en-SG");
}
