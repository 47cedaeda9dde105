/** Keeps the page from scrolling while something lies over it, and then lets it scroll as before. */
import { useLayoutEffect } from "react";

export function useScrollLock(locked: boolean): void {
  useLayoutEffect(() => {
    if (!locked) return;
    const { style } = document.body;
    const { overflow, paddingRight } = style;
    // The room of a scrollbar that goes away is kept, so that nothing moves sideways.
    style.paddingRight = `${window.innerWidth - document.documentElement.clientWidth}px`;
    style.overflow = "hidden";
    return () => {
      Object.assign(style, { overflow, paddingRight });
    };
  }, [locked]);
}
