/** How many cases wait, counted and in words. */
import { expect, it } from "vitest";
import { CASE } from "./testing/cases.ts";
import { countWaiting, waitingWords } from "./use-waiting-cases.ts";

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
