/** Keeps the latest words of a log in view: as words come, and as the room for them changes. */
import { type RefObject, useEffect } from "react";

/** `words` is whatever changes with the words. */
export function useLatestInView(box: RefObject<HTMLElement | null>, ...words: unknown[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scrolling follows the words
  useEffect(() => toTheEnd(box.current), words);
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => toTheEnd(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
}

function toTheEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}
