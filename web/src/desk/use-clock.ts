/** One clock for everything on the page that tells a time: a hundred rows are one timer. */
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const neverTold = () => () => {};

/** Now, in milliseconds since 1970; told every second. */
export function useClock(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Words that tell a time: drawn again when they are others, unless nobody sees them. */
export function useClockWords(words: (now: number) => string, isSeen: boolean): string {
  return useSyncExternalStore(isSeen ? subscribe : neverTold, () => words(now));
}

/** Tells now to what writes it down by itself; and again every second, unless nobody sees it. Returns what ends that. */
export function tellClock(told: (now: number) => void, isSeen: boolean): () => void {
  const tell = () => told(now);
  const end = isSeen ? subscribe(tell) : neverTold();
  tell();
  return end;
}

const MINUTE_MS = 60_000;

/** The minute that it is, for what counts in minutes: a hundred rows are drawn once in a minute. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / MINUTE_MS) * MINUTE_MS);
}
