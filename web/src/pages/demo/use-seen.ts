/** Whether an element has come well into view since it was first drawn. */
import { type RefObject, useEffect, useState } from "react";

/** Its first line at the foot of the window is not yet a look at it. */
const WELL_INTO_VIEW = "0px 0px -25% 0px";

export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current || seen) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setSeen(true);
      },
      { rootMargin: WELL_INTO_VIEW },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, seen]);
  return seen;
}
