/**
 * Whether an element is out of the window, and not about to come in; not, where no browser says. What is drawn in view alone
 * (`content-visibility: auto`) is drawn from a window and a half away, which is too far for what costs something each second.
 */
import { useCallback, useState } from "react";

/** A row that comes in by a key is right when it is seen. */
const ABOUT_TO_COME_IN = "96px 0px";

/** One observer for all: a hundred would each be asked at every frame. */
const listeners = new WeakMap<Element, (isOut: boolean) => void>();
let shared: IntersectionObserver | undefined;

function observer(): IntersectionObserver | undefined {
  if (typeof IntersectionObserver === "undefined") return undefined;
  shared ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(!isIntersecting);
    },
    { rootMargin: ABOUT_TO_COME_IN },
  );
  return shared;
}

export function useOutOfSight(): [boolean, (element: HTMLElement | null) => (() => void) | undefined] {
  const [isOut, setOut] = useState(false);
  const watch = useCallback((element: HTMLElement | null) => {
    const observing = observer();
    if (!element || !observing) return undefined;
    listeners.set(element, setOut);
    observing.observe(element);
    return () => {
      observing.unobserve(element);
      listeners.delete(element);
    };
  }, []);
  return [isOut, watch];
}
