/** How long it has been, ticking. Read out in minutes: what changes every second would be said every second. */
import { useLayoutEffect, useRef } from "react";
import { elapsed, inMinutes } from "../../desk/desk-words.ts";
import { tellClock, useClockWords } from "../../desk/use-clock.ts";

interface ElapsedProps {
  since: string;
  /** Of a hundred that tick in the same moment, those that nobody sees stand still until they are. */
  isSeen?: boolean;
  className?: string;
}

/** Gives way before it is painted. */
const UNTOLD = "0:00";

export function Elapsed({ since, isSeen = true, className = "" }: ElapsedProps) {
  const ticks = useRef<HTMLSpanElement>(null);
  const minutes = useClockWords((now) => inMinutes(since, now), isSeen);
  // The seconds are written where they stand: drawn, each of them would have the whole list gone through for a few texts.
  useLayoutEffect(() => {
    const text = ticks.current?.firstChild;
    if (!text) return;
    return tellClock((now) => {
      text.nodeValue = elapsed(since, now);
    }, isSeen);
  }, [since, isSeen]);
  return (
    <>
      <span ref={ticks} aria-hidden="true" className={`tabular-nums ${className}`}>
        {UNTOLD}
      </span>
      <span className="sr-only">{minutes}</span>
    </>
  );
}
