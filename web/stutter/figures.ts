/** What was measured in the page, as figures. */
import type { LongFrame, Measured } from "./page-probe.ts";

/** In milliseconds, but for the count. */
export interface Spread {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

export interface Figures {
  seconds: number;
  frames: Spread | null;
  /** Of the frames, those that came more than 50 ms after the one before. */
  slowFramesPercent: number;
  longTasks: { count: number; total: number; longest: number };
  /** Those in which the page was held up longest: what the longest tasks were. */
  longestFrames: LongFrame[];
  /** Keys by which one moves in the list. */
  moving: Spread | null;
  /** Keys by which a call is opened or closed. */
  opening: Spread | null;
  /** From the moment at the server to the words on the page. */
  captions: Spread | null;
  /** The same, from when the page was told. */
  captionsFromTold: Spread | null;
  captionsUnshown: number;
  toldASecond: Record<string, number>;
  rows: { least: number; most: number };
}

const SLOW_FRAME_MS = 50;
const OPENS = "Enter";
const FRAMES_TOLD = 5;

/** `startedAt`: of each call, in milliseconds since 1970. */
export function figuresOf(measured: Measured, startedAt: ReadonlyMap<string, number>): Figures {
  const { seconds, frames, longTasks, longFrames, keys, captions, unshown, told, rows } = measured;
  const ms = (opens: boolean) => keys.filter(({ key }) => (key === OPENS) === opens).map((key) => key.ms);
  const since = captions.flatMap(({ callId, at, shownAt }) => {
    const start = startedAt.get(callId);
    // A clock of whole milliseconds may be behind by one.
    return start === undefined ? [] : [Math.max(0, shownAt - (start + at * 1000))];
  });
  const slow = frames.filter((interval) => interval > SLOW_FRAME_MS).length;
  return {
    seconds,
    frames: spread(frames),
    slowFramesPercent: frames.length === 0 ? 0 : (100 * slow) / frames.length,
    longTasks: {
      count: longTasks.length,
      total: longTasks.reduce((sum, each) => sum + each, 0),
      longest: Math.max(0, ...longTasks),
    },
    longestFrames: longFrames
      .toSorted((one, other) => other.blocked - one.blocked || other.ms - one.ms)
      .slice(0, FRAMES_TOLD),
    moving: spread(ms(false)),
    opening: spread(ms(true)),
    captions: spread(since),
    captionsFromTold: spread(captions.map(({ toldAt, shownAt }) => shownAt - toldAt)),
    captionsUnshown: unshown,
    toldASecond: Object.fromEntries(Object.entries(told).map(([name, count]) => [name, count / seconds])),
    rows: { least: rows.length === 0 ? 0 : Math.min(...rows), most: Math.max(0, ...rows) },
  };
}

/** By nearest rank, as `bench/calls.py` has it. */
export function spread(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (percent: number) =>
    sorted[Math.max(1, Math.ceil((sorted.length * percent) / 100)) - 1] as number;
  if (sorted.length === 0) return null;
  return { count: sorted.length, p50: at(50), p99: at(99), max: at(100) };
}
