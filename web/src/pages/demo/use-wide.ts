/** Whether the history has room to be a table; it is a list of cases otherwise. */
import { useSyncExternalStore } from "react";

/** Tailwind's `xl`, where the table's classes change too. */
const WIDE = "(min-width: 80rem)";

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, read, () => true);
}

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia?.(WIDE);
  query?.addEventListener("change", changed);
  return () => query?.removeEventListener("change", changed);
}

function read(): boolean {
  return window.matchMedia?.(WIDE).matches ?? true;
}
