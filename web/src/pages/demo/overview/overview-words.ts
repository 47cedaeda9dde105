/** What the charts say, in words: for those who do not see them, and beside them. Pure. */
import type { Count, Overview, PeriodLength } from "../../../records/overview.ts";

export function callsWord(calls: number): string {
  return `${calls.toLocaleString("en-SG")} ${calls === 1 ? "call" : "calls"}`;
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((part / whole) * 100)} %`;
}

export const PERIOD_HEADINGS: Record<PeriodLength, string> = {
  day: "Calls by day",
  week: "Calls by week",
  month: "Calls by month",
  year: "Calls by year",
};

/** "Calls by week, 28 Sept to 9 Nov. Most: 2 Nov, 3 calls." */
export function periodsWords({ periods, periodLength }: Overview): string {
  const [first, last] = [periods[0], periods.at(-1)];
  const most = highest(periods);
  if (!first || !last || !most) return "No call has a date.";
  return `${PERIOD_HEADINGS[periodLength]}, ${first.label} to ${last.label}. Most: ${most.label}, ${callsWord(most.calls)}.`;
}

/** "Calls by agency. Most: SPF, 3 calls." */
export function agenciesWords({ agencies }: Overview): string {
  const most = highest(agencies);
  return most ? `Calls by agency. Most: ${most.label}, ${callsWord(most.calls)}.` : "There are no calls.";
}

export function notInPeriodsWords(count: number): string | null {
  return count === 0 ? null : `Without ${callsWord(count)} that cannot be dated or came before.`;
}

function highest(counts: readonly Count[]): Count | undefined {
  return counts.reduce<Count | undefined>(
    (most, each) => (most && most.calls >= each.calls ? most : each),
    undefined,
  );
}
