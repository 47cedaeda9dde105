/** When a line is doubtful, falters or is lost, by the counters of its connection. */
import { describe, expect, it } from "vitest";
import { countersOf, hasSound, LineWatch } from "./line-watch.ts";

/** Observes every half second: one entry is [checks sent, received]. */
function watched(...counters: [checksSent: number, received: number][]) {
  const watch = new LineWatch();
  return counters.map(([checksSent, received], i) => watch.observe({ checksSent, received }, i * 500));
}
const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

describe("a line", () => {
  it("is well while nobody speaks and the checks are answered", () => {
    const quiet = times(20, (i): [number, number] => [Math.floor(i / 5), Math.floor(i / 5)]);
    expect(new Set(watched(...quiet))).toEqual(new Set(["well"]));
  });

  it("is doubtful when a single check goes unanswered for more than a second, and no worse however long", () => {
    const seen = watched([1, 1], ...times(20, (): [number, number] => [2, 1]));
    expect(seen.slice(0, 4)).toEqual(["well", "well", "well", "doubtful"]);
    expect(new Set(seen.slice(3))).toEqual(new Set(["doubtful"]));
  });

  it("is well while each check is answered within a second, and the next is counted afresh", () => {
    const slow = times(12, (i): [number, number] => [1 + Math.ceil(i / 3), 1 + Math.floor(i / 3)]);
    expect(new Set(watched(...slow))).toEqual(new Set(["well"]));
  });

  it("falters when two checks go unanswered, and is well again when it is heard", () => {
    expect(watched([1, 1], [2, 1], [10, 1], [18, 1], [19, 2], [19, 2])).toEqual([
      "well",
      "well",
      "faltering",
      "faltering",
      "well",
      "well",
    ]);
  });

  it("is lost after five seconds of it", () => {
    const dead = watched([1, 1], ...times(10, (i): [number, number] => [10 + i, 1]));
    expect(dead.slice(-2)).toEqual(["faltering", "lost"]);
  });

  it("is not lost by the page having slept", () => {
    const watch = new LineWatch();
    watch.observe({ checksSent: 1, received: 1 }, 0);
    expect(watch.observe({ checksSent: 9, received: 1 }, 3_600_000)).toBe("faltering");
  });
});

describe("the counters", () => {
  const report = (...each: object[]) => new Map(each.entries()) as unknown as RTCStatsReport;

  it("are those of the pair in use", () => {
    const unused = { type: "candidate-pair", nominated: false, requestsSent: 7, responsesReceived: 0 };
    const used = {
      type: "candidate-pair",
      nominated: true,
      requestsSent: 4,
      responsesReceived: 3,
      packetsReceived: 50,
    };
    expect(countersOf(report({ type: "codec" }, unused, used))).toEqual({ checksSent: 4, received: 53 });
  });

  it("are absent where the browser counts no checks", () => {
    expect(countersOf(report({ type: "candidate-pair", nominated: true }))).toBeNull();
  });

  it("tell whether any sound has come", () => {
    const sound = (packetsReceived?: number) => report({ type: "inbound-rtp", packetsReceived });
    expect(hasSound(report({ type: "candidate-pair", packetsReceived: 9 }))).toBe(false);
    expect([sound(), sound(0), sound(1)].map(hasSound)).toEqual([false, false, true]);
  });
});
