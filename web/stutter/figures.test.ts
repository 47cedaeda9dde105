/** What is told of a measured page: from its frames, tasks and keys to figures. */
import { describe, expect, it } from "vitest";
import { figuresOf, spread } from "./figures.ts";
import type { Measured } from "./page-probe.ts";

const MEASURED: Measured = {
  seconds: 10,
  frames: [],
  longTasks: [],
  longFrames: [],
  keys: [],
  captions: [],
  unshown: 0,
  told: {},
  rows: [],
};
const of = (more: Partial<Measured>, startedAt = new Map<string, number>()) =>
  figuresOf({ ...MEASURED, ...more }, startedAt);

describe("a spread", () => {
  it("is by nearest rank", () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(spread(hundred)).toEqual({ count: 100, p50: 50, p99: 99, max: 100 });
    expect(spread([7])).toEqual({ count: 1, p50: 7, p99: 7, max: 7 });
  });

  it("of nothing is none", () => expect(spread([])).toBeNull());
});

describe("the figures", () => {
  it("count the frames that came late", () =>
    expect(of({ frames: [16, 16, 51, 50] }).slowFramesPercent).toBe(25));

  it("tell long tasks, and that there was none", () => {
    expect(of({ longTasks: [60, 120] }).longTasks).toEqual({ count: 2, total: 180, longest: 120 });
    expect(of({}).longTasks).toEqual({ count: 0, total: 0, longest: 0 });
  });

  it("tell the five frames in which the page was held up longest, and what took them", () => {
    const frame = { at: 0, ms: 300, blocked: 0, tasks: 200, callbacks: 0, drawing: 100, scripts: [] };
    const ticked = { ms: 90, layout: 0, invoker: "TimerHandler:setInterval", source: "tick desk.js:7" };
    const held = { ...frame, ms: 120, blocked: 70, scripts: [ticked] };
    const { longestFrames } = of({ longFrames: [...Array(6).fill(frame), held] });
    expect(longestFrames).toHaveLength(5);
    expect(longestFrames[0]).toEqual(held);
  });

  it("know keys that open a call from those that move in the list", () => {
    const { moving, opening } = of({
      keys: [
        { key: "ArrowDown", ms: 16 },
        { key: "Enter", ms: 48 },
        { key: "ArrowUp", ms: 24 },
      ],
    });
    expect(moving?.max).toBe(24);
    expect(opening?.max).toBe(48);
  });

  it("take a caption's time from its moment at the server, and leave out calls of which no start is known", () => {
    const caption = { at: 2.5, toldAt: 1_003_505, shownAt: 1_003_520 };
    const { captions, captionsFromTold } = of(
      {
        captions: [
          { ...caption, callId: "one" },
          { ...caption, callId: "unknown" },
        ],
      },
      new Map([["one", 1_001_000]]),
    );
    expect(captions).toEqual({ count: 1, p50: 20, p99: 20, max: 20 });
    expect(captionsFromTold?.max).toBe(15);
  });

  it("tell events by the second, and how many rows there were", () => {
    const { toldASecond, rows } = of({ told: { caption: 330 }, rows: [100, 98, 101] });
    expect(toldASecond).toEqual({ caption: 33 });
    expect(rows).toEqual({ least: 98, most: 101 });
  });
});
