/** How long it has been, ticking. Read out in minutes: what changes every second would be said every second. */
import { elapsed, inMinutes } from "../../desk/desk-words.ts";
import { useClock } from "../../desk/use-clock.ts";

interface ElapsedProps {
  since: string;
  /** Of a hundred that tick in the same moment, those that nobody sees stand still until they are. */
  isSeen?: boolean;
  className?: string;
}

export function Elapsed({ since, isSeen = true, className = "" }: ElapsedProps) {
  const now = useClock(isSeen);
  return (
    <>
      <span aria-hidden="true" className={`tabular-nums ${className}`}>
        {elapsed(since, now)}
      </span>
      <span className="sr-only">{inMinutes(since, now)}</span>
    </>
  );
}
