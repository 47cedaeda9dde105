/** How many cases wait, counted and in words. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { expect, it } from "vitest";
import type { CaseSummary } from "./case-contract.ts";
import { openQueue } from "./case-queries.ts";
import { CASE } from "./testing/cases.ts";
import { countWaiting, useEscalatedCases, useWaitingCases, waitingWords } from "./use-waiting-cases.ts";

it("only what waits is counted", () => {
  const waits = { ...CASE, state: "waiting" as const };
  const cases = [CASE, waits, { ...waits, urgent: false }, { ...waits, urgent: false, escalated: true }];
  expect(countWaiting(cases)).toEqual({ waiting: 3, urgent: 1, escalated: 1 });
});

it("is told in words, with what stands out", () => {
  const none = { waiting: 0, urgent: 0, escalated: 0, more: false };
  expect(waitingWords(none)).toBe("");
  expect(waitingWords({ ...none, waiting: 2 })).toBe("2 waiting");
  expect(waitingWords({ waiting: 50, urgent: 2, escalated: 1, more: true })).toBe(
    "50 and more waiting, 2 urgent, 1 escalated",
  );
});

it("those that came back are the same as before when another case comes", async () => {
  const client = new QueryClient();
  const read = (...cases: CaseSummary[]) =>
    client.setQueryData(openQueue.queryKey, { pages: [{ cases, next: null }], pageParams: [null] });
  const cameBack = { ...CASE, state: "waiting" as const, escalated: true };
  read(cameBack);
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client }, children);
  const { result } = renderHook(() => [useWaitingCases(true), useEscalatedCases(true)] as const, { wrapper });
  const [{ waiting }, before] = result.current;
  expect([waiting, before]).toEqual([1, [cameBack]]);
  act(() => void read(cameBack, { ...cameBack, callId: "another", escalated: false }));
  await waitFor(() => expect(result.current[0].waiting).toBe(2));
  expect(result.current[1]).toBe(before);
});
