/** When a case in which somebody writes is touched, and how often. */
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type InMemoryDesk, inMemoryDesk } from "./testing/in-memory-desk.ts";
import { TOUCH_EVERY_MS, useTouch } from "./use-touch.ts";

let desk: InMemoryDesk;
let cases = 0;

beforeEach(() => {
  vi.useFakeTimers();
  desk = inMemoryDesk();
  cases += 1;
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const touches = () => desk.asked.filter((name) => name === `POST /cases/case-${cases}/touch`).length;
/** A form of the case, in which something is typed each time that it is rendered with other words. */
const form = (words: string | null) =>
  renderHook((typed: string | null) => useTouch(`case-${cases}`, typed), { initialProps: words });

describe("a case that is being written in", () => {
  it("is touched when the writing begins, and then once a minute while it goes on", async () => {
    const { rerender } = form("S");
    await pass(0);
    expect(touches()).toBe(1);
    for (let second = 1; second <= 150; second++) {
      rerender(`S${".".repeat(second)}`);
      await pass(1000);
    }
    expect(touches()).toBe(3);
  });

  it("is not touched while nothing is typed, however long the words lie there unsaved", async () => {
    form("She said");
    await pass(10 * TOUCH_EVERY_MS);
    expect(touches()).toBe(1);
  });

  it("is not touched where there is nothing to save, or not any more", async () => {
    const { rerender } = form(null);
    await pass(TOUCH_EVERY_MS);
    expect(touches()).toBe(0);
    rerender("S");
    await pass(0);
    rerender("She");
    rerender(null);
    await pass(TOUCH_EVERY_MS);
    expect(touches()).toBe(1);
  });

  it("is touched once a minute, in however many of its forms", async () => {
    form("S");
    await pass(0);
    form("1767");
    await pass(TOUCH_EVERY_MS - 1);
    expect(touches()).toBe(1);
    await pass(1);
    expect(touches()).toBe(2);
  });
});
