/**
 * Whether the other side of a connection is still there, told from its counters observed now and
 * then. Pure: the caller brings the counters and the time.
 *
 * In silence the server sends no sound, and only answers the browser's connectivity checks: one in
 * 2.5 s, many a second once one goes unanswered. Chromium waits six seconds before it calls that
 * "disconnected"; a caller in danger should not have to.
 */

/** How often the counters are observed, in milliseconds. */
export const WATCH_EVERY_MS = 500;
/** Nothing heard for this long, with checks unanswered, is a lost line: longer than a lift or a change of cell. */
export const LOST_AFTER_MS = 5000;
/** One check is often on its way. Unanswered for this long it is a reason to ask the server, and none to give the line up. */
const DOUBTFUL_AFTER_MS = 1000;
/** Two without an answer are more than one that was lost. */
const UNANSWERED_CHECKS = 2;
/** A page that slept observes nothing meanwhile, and may not count the sleep as silence of the line. */
const LONGEST_STEP_MS = 2 * WATCH_EVERY_MS;

export interface LineCounters {
  checksSent: number;
  /** Everything received so far: answers to checks, and packets. */
  received: number;
}

export type LineHealth = "well" | "doubtful" | "faltering" | "lost";

export class LineWatch {
  #last: LineCounters | null = null;
  #observedAt = 0;
  /** With a check unanswered; with more than one. */
  #unansweredFor = 0;
  #silentFor = 0;

  observe(counters: LineCounters, now: number): LineHealth {
    const step = Math.min(now - this.#observedAt, LONGEST_STEP_MS);
    this.#observedAt = now;
    if (!this.#last || counters.received !== this.#last.received) {
      this.#last = counters;
      this.#unansweredFor = 0;
      this.#silentFor = 0;
      return "well";
    }
    const unanswered = counters.checksSent - this.#last.checksSent;
    if (unanswered > 0) this.#unansweredFor += step;
    if (unanswered < UNANSWERED_CHECKS) return this.#unansweredFor > DOUBTFUL_AFTER_MS ? "doubtful" : "well";
    this.#silentFor += step;
    return this.#silentFor >= LOST_AFTER_MS ? "lost" : "faltering";
  }
}

/** Whether any sound has come by a connection, from its statistics. */
export function hasSound(report: RTCStatsReport): boolean {
  return [...report.values()].some((each) => each.type === "inbound-rtp" && each.packetsReceived > 0);
}

/** The counters of a connection, from its statistics; null where the browser does not count checks. */
export function countersOf(report: RTCStatsReport): LineCounters | null {
  const pairs = [...report.values()].filter(
    (each) => each.type === "candidate-pair" && each.nominated && typeof each.requestsSent === "number",
  );
  if (pairs.length === 0) return null;
  const sum = (...names: string[]) =>
    pairs.reduce<number>((total, pair) => names.reduce((of, name) => of + (pair[name] ?? 0), total), 0);
  return { checksSent: sum("requestsSent"), received: sum("responsesReceived", "packetsReceived") };
}
