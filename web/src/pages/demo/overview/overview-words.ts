/** What each picture says, in a sentence above it. Pure. */
import { NOT_APPLICABLE } from "../../../records/call-record.ts";
import { type Count, hourName, type Overview } from "../../../records/overview.ts";

/** The hours of the night, in places of `Overview.hours`: from 9 PM up to 6 AM. */
export const NIGHT = { from: 9, to: 18 } as const;

export function callsWord(calls: number): string {
  return `${number(calls)} ${calls === 1 ? "call" : "calls"}`;
}

/** "9 of 10 calls came between 9 PM and 6 AM. The busiest hour began at 11 PM, with 2 calls." */
export function hoursWords({ hours }: Overview): string {
  const all = sumOf(hours);
  if (all === 0) return "No call has a date.";
  const inTheNight = sumOf(hours.slice(NIGHT.from, NIGHT.to));
  const share = `${number(inTheNight)} of ${callsWord(all)} came between ${hourName(12 + NIGHT.from)} and ${hourName(12 + NIGHT.to)}.`;
  const [busiest, ...others] = highest(hours);
  return busiest && others.length === 0 && all > 1
    ? `${share} The busiest hour began at ${busiest.label}, with ${callsWord(busiest.calls)}.`
    : share;
}

/** "Monday night was the busiest, with 3 of 10 calls." */
export function nightsWords({ nights }: Overview): string {
  const all = sumOf(nights);
  if (all === 0) return "No call has a date.";
  const [one, other, ...others] = highest(nights);
  if (!one || others.length > 0) return "No night of the week stands out.";
  return other
    ? `${one.label} and ${other.label} nights were the busiest, with ${callsWord(one.calls)} each.`
    : `${one.label} night was the busiest, with ${number(one.calls)} of ${callsWord(all)}.`;
}

/** "4 of 10 completed calls were urgent (40 %). 1 call is ongoing and not assessed yet." */
export function urgentWords({ calls, completed, urgent }: Overview): string {
  const ongoing = calls - completed;
  const stillOn = ongoing === 1 ? "1 call is" : `${callsWord(ongoing)} are`;
  return [
    completed === 0
      ? "No call is completed yet."
      : `${number(urgent)} of ${number(completed)} completed ${completed === 1 ? "call" : "calls"} were urgent (${Math.round((urgent / completed) * 100)} %).`,
    ...(ongoing > 0 ? [`${stillOn} ongoing and not assessed yet.`] : []),
  ].join(" ");
}

/** "SPF was chosen most often, for 3 of 12 calls." */
export function agenciesWords({ agencies, calls }: Overview): string {
  const named = agencies.filter(({ label }) => label !== NOT_APPLICABLE);
  if (named.length === 0) return "No call was for an agency.";
  if (isEven(named)) {
    const without = calls - sumOf(named);
    const each = named.length === 1 ? "1 agency, 1 call" : `${number(named.length)} agencies, 1 call each`;
    return `${each}${without > 0 ? `, and ${callsWord(without)} for none` : ""}.`;
  }
  const [one, other, ...others] = highest(named);
  if (!one || others.length > 0) return "No agency stands out.";
  return other
    ? `${one.label} and ${other.label} were chosen most often, for ${callsWord(one.calls)} each.`
    : `${one.label} was chosen most often, for ${number(one.calls)} of ${callsWord(calls)}.`;
}

/** Bars that are all of one call say nothing that a list of names does not say better. */
export function isEven(agencies: readonly Count[]): boolean {
  return agencies.every(({ label, calls }) => label === NOT_APPLICABLE || calls === 1);
}

export function undatedWords(calls: number): string | null {
  return calls === 0 ? null : `Without ${callsWord(calls)} that cannot be dated.`;
}

/** All that share the highest number of calls. */
function highest(counts: readonly Count[]): Count[] {
  const most = Math.max(...counts.map(({ calls }) => calls));
  return counts.filter(({ calls }) => calls === most);
}

function sumOf(counts: readonly Count[]): number {
  return counts.reduce((sum, { calls }) => sum + calls, 0);
}

function number(value: number): string {
  return value.toLocaleString("en-SG");
}
