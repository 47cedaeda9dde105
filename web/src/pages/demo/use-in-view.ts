/**
 * Brings a conversation into view when it begins and when it is over, keeps it there while the screen
 * changes its size, and gives it the height that is really to be seen: on some phones the keyboard lies
 * over the page without the page being told. Who has scrolled elsewhere stays there.
 */
import { type RefObject, useEffect } from "react";
import type { CallView } from "./CallFrame.tsx";

/** So far from its place it still counts as being there, in CSS pixels. */
const NEARLY = 24;

export function useInView(area: RefObject<HTMLElement | null>, view: CallView): void {
  useEffect(() => {
    const element = area.current;
    if (!element || view === "rest") return;
    bringIntoView(element);
    if (view !== "running") return;

    let inPlace = true;
    const visible = window.visualViewport;
    const scrolled = () => {
      inPlace = isInPlace(element);
    };
    const resized = () => {
      if (!visible) return;
      // Enlarged with two fingers the page keeps its size; only a keyboard takes height from it.
      element.style.setProperty("--visible-height", `${Math.round(visible.height * visible.scale)}px`);
      if (visible.scale < 1.01 && (inPlace || isWrittenIn(element))) bringIntoView(element);
    };
    window.addEventListener("scroll", scrolled, { passive: true });
    visible?.addEventListener("resize", resized);
    return () => {
      window.removeEventListener("scroll", scrolled);
      visible?.removeEventListener("resize", resized);
      element.style.removeProperty("--visible-height");
    };
  }, [area, view]);
}

function bringIntoView(element: HTMLElement): void {
  // The page's bar stays above it; on narrow screens and with large letters it is higher.
  const bar = document.querySelector("header")?.offsetHeight;
  if (bar) element.style.setProperty("--bar", `${bar}px`);
  if (isWhollyInView(element)) return;
  element.scrollIntoView({ block: "start", behavior: "instant" });
}

function isInPlace(element: HTMLElement): boolean {
  const under = element.getBoundingClientRect().top - barBottom();
  return Math.abs(under) <= NEARLY || isWhollyInView(element);
}

function isWhollyInView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= barBottom() && bottom <= (window.visualViewport?.height ?? window.innerHeight);
}

function barBottom(): number {
  return document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
}

/** The keyboard is over the page because of a field in there. */
function isWrittenIn(element: HTMLElement): boolean {
  return document.activeElement?.tagName === "TEXTAREA" && element.contains(document.activeElement);
}
