/**
 * "Exit this page" was asked for: whatever sounds, listens, asks or writes stops at once, and does not
 * wait for the next page to arrive, which can take seconds. Nothing begins again: a page that was left
 * and is shown once more is loaded anew.
 */
const leaving = new AbortController();

/** Aborted as the page is left; also ends requests, which might otherwise bring the session back. */
export const left: AbortSignal = leaving.signal;

export function fallSilent(): void {
  leaving.abort();
}

/** Returns what takes the listener away again. */
export function onLeaving(listener: () => void): () => void {
  left.addEventListener("abort", listener);
  return () => left.removeEventListener("abort", listener);
}
