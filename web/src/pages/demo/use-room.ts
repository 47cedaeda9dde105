/** How much room the history has: as a list of cases, or as a table with some, most or all of its columns. */
import { useSyncExternalStore } from "react";

export const ROOMS = ["list", "some", "most", "all"] as const;
export type Room = (typeof ROOMS)[number];

/** From this width on, in the reader's own letters: from 820, 1024 and 1280 pixels at their usual size. */
const FROM: readonly [Room, string][] = [
  ["all", "(min-width: 80rem)"],
  ["most", "(min-width: 64rem)"],
  ["some", "(min-width: 51.25rem)"],
];

export function useRoom(): Room {
  return useSyncExternalStore(subscribe, read, () => "all");
}

function subscribe(changed: () => void): () => void {
  const queries = FROM.map(([, width]) => window.matchMedia?.(width));
  for (const query of queries) query?.addEventListener("change", changed);
  return () => {
    for (const query of queries) query?.removeEventListener("change", changed);
  };
}

function read(): Room {
  if (!window.matchMedia) return "all";
  return FROM.find(([, width]) => window.matchMedia(width).matches)?.[0] ?? "list";
}
