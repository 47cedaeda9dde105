/** What happens to the list of call records, in the order in which it came. Pure. */
import type { CallInfo } from "../api/contract.ts";
import { type CallRecord, isOngoing, isWhole, recordFromInfo, recordOfNewCall } from "./call-record.ts";

export type History = readonly CallRecord[];

/** Puts the record of a call that has just begun on top, with the next number. */
export function addNewCall(history: History, callId: string, now: Date): History {
  if (history.some((record) => record.callId === callId)) return history;
  return [recordOfNewCall(nextId(history), callId, now), ...history];
}

/** Fills the record of the call that `info` tells of. A record that is not shown stays not shown. */
export function fillRecord(history: History, info: CallInfo): History {
  return history.map((record) =>
    // The number it was given here was a guess: higher ones may not have been fetched.
    record.callId === info.callId ? recordFromInfo(String(info.id ?? record.id), info) : record,
  );
}

/**
 * The next page of the server's list under what is shown. What became of a call between the two pages may bring it
 * again: it is brought up to date where it stands.
 */
export function withPage(
  history: History,
  calls: readonly CallInfo[],
  removed: ReadonlySet<string>,
): History {
  const known = new Map(calls.map((info) => [info.callId, info]));
  const shown = history.map((record) => {
    const info = known.get(record.callId);
    if (!info) return record;
    known.delete(record.callId);
    return isWhole(record) && !isOngoing(record) ? record : recordFromInfo(record.id, info);
  });
  const older = [...known.values()].filter(({ callId }) => !removed.has(callId));
  return [...shown, ...older.map((info) => recordFromInfo(String(info.id), info))];
}

/** Takes away the record of a call of which nothing was learnt; one that was filled stays. */
export function removePlaceholder(history: History, callId: string): History {
  return history.filter((record) => record.callId !== callId || !isOngoing(record));
}

export function removeRecord(history: History, id: string): History {
  return history.filter((record) => record.id !== id);
}

/** The first page of the server's list, under the calls that began here and that it does not know yet. */
export function historyFromServer(calls: readonly CallInfo[], shown: History): History {
  const numbered = calls.map((info, i) => recordFromInfo(String(info.id ?? calls.length - i), info));
  const known = new Set(calls.map((info) => info.callId));
  const begunHere = shown.filter((record) => isOngoing(record) && !known.has(record.callId));
  return withoutDuplicates([...begunHere, ...numbered]);
}

/** Drops every record whose id came before, with a warning. */
export function withoutDuplicates(records: readonly CallRecord[]): History {
  const seen = new Set<string>();
  return records.filter((record) => {
    const duplicate = seen.has(record.id);
    if (duplicate) console.warn(`the record with the duplicate id ${record.id} is not shown`);
    seen.add(record.id);
    return !duplicate;
  });
}

function nextId(history: History): string {
  const highest = history.reduce((most, { id }) => Math.max(most, Number.parseInt(id, 10) || 0), 0);
  return String(highest + 1);
}
