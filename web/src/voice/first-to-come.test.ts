import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { firstToCome } from "./first-to-come.ts";

const PLAN = { everyMs: 2500, most: 3 };

/** Questions that are answered by hand, in the order they were asked. */
class Questions {
  readonly asked: { resolve(answer: string): void; reject(reason: unknown): void; signal: AbortSignal }[] =
    [];

  readonly ask = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      this.asked.push({ resolve, reject, signal });
    });
}

describe("what is asked again while it is unanswered", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is asked once where the answer comes soon", async () => {
    const questions = new Questions();
    const answer = firstToCome(questions.ask, PLAN, new AbortController().signal);
    questions.asked[0]?.resolve("soon");
    expect(await answer).toBe("soon");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(questions.asked).toHaveLength(1);
  });

  it("has the first answer that comes, and gives up the rest", async () => {
    const questions = new Questions();
    const answer = firstToCome(questions.ask, PLAN, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(2500);
    expect(questions.asked).toHaveLength(2);
    questions.asked[1]?.resolve("by the second");
    expect(await answer).toBe("by the second");
    expect(questions.asked[0]?.signal.aborted).toBe(true);
  });

  it("is not asked more often than it may", async () => {
    const questions = new Questions();
    void firstToCome(questions.ask, PLAN, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(questions.asked).toHaveLength(3);
  });

  it("is refused by the first refusal, whatever else is asked", async () => {
    const questions = new Questions();
    const answer = firstToCome(questions.ask, PLAN, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(2500);
    questions.asked[0]?.reject(new Error("refused"));
    await expect(answer).rejects.toThrow("refused");
    expect(questions.asked[1]?.signal.aborted).toBe(true);
  });

  it("waits for the others when one connection came to nothing, and fails with the last", async () => {
    const questions = new Questions();
    const answer = firstToCome(questions.ask, PLAN, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(2500);
    questions.asked[0]?.reject(new TypeError("Failed to fetch"));
    questions.asked[1]?.resolve("by the second");
    expect(await answer).toBe("by the second");

    const alone = firstToCome(questions.ask, PLAN, new AbortController().signal);
    questions.asked[2]?.reject(new TypeError("Failed to fetch"));
    await expect(alone).rejects.toThrow("Failed to fetch");
  });

  it("is given up with the reason that it is told", async () => {
    const questions = new Questions();
    const giveUp = new AbortController();
    const answer = firstToCome(questions.ask, PLAN, giveUp.signal);
    giveUp.abort(new Error("hung up"));
    await expect(answer).rejects.toThrow("hung up");
    expect(questions.asked[0]?.signal.aborted).toBe(true);
  });
});
