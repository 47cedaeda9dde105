/** Whether an element that is drawn only in view (`content-visibility: auto`) is out of it, by the browser's word; not, without it. */
import { useCallback, useState } from "react";

export function useOutOfSight(): [boolean, (element: HTMLElement | null) => (() => void) | undefined] {
  const [isOut, setOut] = useState(false);
  const watch = useCallback((element: HTMLElement | null) => {
    const told = (event: Event) => setOut((event as ContentVisibilityAutoStateChangeEvent).skipped);
    element?.addEventListener("contentvisibilityautostatechange", told);
    return () => element?.removeEventListener("contentvisibilityautostatechange", told);
  }, []);
  return [isOut, watch];
}
