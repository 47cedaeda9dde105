/** For a page: after which moment a record is new to its reader. The look ends when they turn away. */
import { useEffect, useRef, useState } from "react";
import { left } from "../call/leaving.ts";
import type { History } from "./history.ts";
import { lookThatEnds, newAfter, SAME_LOOK_MS } from "./last-look.ts";
import { storedLook, storeLook } from "./stored-look.ts";

/** `inView` is whether the records have been in view: who only talked has not looked at them. */
export function useLastLook(history: History, inView: boolean): number | null {
  const [since, setSince] = useState(() => newAfter(storedLook(), Date.now()));
  // The listeners keep their identity, and always see the latest.
  const latest = useRef({ history, inView, since });
  useEffect(() => {
    latest.current = { history, inView, since };
  });
  useEffect(() => {
    let awaySince: number | null = null;
    const end = () => {
      awaySince = Date.now();
      const { history, inView, since } = latest.current;
      // What the page clears as it is left must not be written again.
      if (inView && !left.aborted) storeLook(lookThatEnds(since, history, awaySince));
    };
    const turned = () => {
      if (document.visibilityState === "hidden") end();
      else if (awaySince !== null && Date.now() - awaySince >= SAME_LOOK_MS)
        setSince(newAfter(storedLook(), Date.now()));
    };
    document.addEventListener("visibilitychange", turned);
    window.addEventListener("pagehide", end);
    return () => {
      document.removeEventListener("visibilitychange", turned);
      window.removeEventListener("pagehide", end);
      end();
    };
  }, []);
  return since;
}
