/** How many cases wait, and how many of them came back untouched: what every place of the desk tells. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { CaseSummary } from "./case-contract.ts";
import { openQueue } from "./case-queries.ts";

export interface WaitingCases {
  waiting: number;
  urgent: number;
  escalated: number;
  /** There are more than have been read. */
  more: boolean;
}

const NONE: WaitingCases = { waiting: 0, urgent: 0, escalated: 0, more: false };

export function useWaitingCases(sees: boolean): WaitingCases {
  const { data, hasNextPage } = useInfiniteQuery({ ...openQueue, enabled: sees });
  return data ? { ...countWaiting(data.pages.flatMap((page) => page.cases)), more: hasNextPage } : NONE;
}

/** Those that came back because nobody touched them; null until they are read. */
export function useEscalatedCases(sees: boolean): readonly CaseSummary[] | null {
  const { data } = useInfiniteQuery({ ...openQueue, enabled: sees });
  return useMemo(
    () =>
      data
        ? data.pages.flatMap((page) =>
            page.cases.filter(({ state, escalated }) => state === "waiting" && escalated),
          )
        : null,
    [data],
  );
}

export function countWaiting(cases: readonly CaseSummary[]): Omit<WaitingCases, "more"> {
  const waiting = cases.filter(({ state }) => state === "waiting");
  return {
    waiting: waiting.length,
    urgent: waiting.filter(({ urgent }) => urgent).length,
    escalated: waiting.filter(({ escalated }) => escalated).length,
  };
}

/** "6 waiting, 2 urgent, 1 escalated"; nothing where none waits. */
export function waitingWords({ waiting, urgent, escalated, more }: WaitingCases): string {
  if (waiting === 0) return "";
  return [
    `${waiting}${more ? " and more" : ""} waiting`,
    urgent > 0 && `${urgent} urgent`,
    escalated > 0 && `${escalated} escalated`,
  ]
    .filter(Boolean)
    .join(", ");
}
