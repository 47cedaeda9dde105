/**
 * "Exit this page" was asked for: whatever sounds, listens or writes stops at once, and does not wait
 * for the next page to arrive, which can take seconds.
 */
export const LEAVING = "nightlight:leaving";

/** Returns what takes the listener away again. */
export function onLeaving(listener: () => void): () => void {
  window.addEventListener(LEAVING, listener);
  return () => window.removeEventListener(LEAVING, listener);
}
