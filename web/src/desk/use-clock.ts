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

/** Now, in milliseconds since 1970; told every second, unless nobody sees it. */
export function useClock(isSeen = true): number {
  return useSyncExternalStore(isSeen ? subscribe : neverTold, () => now);
}

const MINUTE_MS = 60_000;

/** The minute that it is, for what counts in minutes: a hundred rows are drawn once in a minute. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / MINUTE_MS) * MINUTE_MS);
}
