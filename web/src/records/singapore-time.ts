/**
 * Singapore's clock: eight hours ahead of UTC, without summer time, since 1982. Plain arithmetic, because
 * a history of thousands formats thousands of dates, and `Intl` takes a hundred times as long.
 */
const AHEAD_MS = 8 * 3_600_000;

/** A date whose UTC fields read as Singapore's clock and calendar at that moment. */
export function singaporeClock(time: number): Date {
  return new Date(time + AHEAD_MS);
}
