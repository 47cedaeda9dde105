/**
 * Brings a conversation into view when it begins and when it is over, and gives it the height that is
 * really to be seen: on some phones the keyboard lies over the page without the page being told.
 */
import { type RefObject, useEffect } from "react";
import type { CallView } from "./CallFrame.tsx";

export function useInView(frame: RefObject<HTMLElement | null>, view: CallView): void {
  useEffect(() => {
    const element = frame.current;
    if (!element || view === "rest") return;
    // The page's bar stays above it; on narrow screens and with large letters it is higher.
    const bar = document.querySelector("header")?.offsetHeight;
    if (bar) element.style.setProperty("--bar", `${bar}px`);
    bringIntoView(element);
    if (view !== "running") return;

    const visible = window.visualViewport;
    const resized = () => {
      if (!visible) return;
      // Enlarged with two fingers the page keeps its size; only a keyboard takes height from it.
      element.style.setProperty("--visible-height", `${Math.round(visible.height * visible.scale)}px`);
      if (visible.scale < 1.01) bringIntoView(element);
    };
    visible?.addEventListener("resize", resized);
    return () => {
      visible?.removeEventListener("resize", resized);
      element.style.removeProperty("--visible-height");
    };
  }, [frame, view]);
}

/** Where it is seen whole already, nothing moves. */
function bringIntoView(element: HTMLElement): void {
  const { top, bottom } = element.getBoundingClientRect();
  const covered = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  if (top >= covered && bottom <= window.innerHeight) return;
  element.scrollIntoView({ block: "start", behavior: "instant" });
}
