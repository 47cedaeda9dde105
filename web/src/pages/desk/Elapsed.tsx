/** How long it has been, ticking. Read out in minutes: what changes every second would be said every second. */
import { elapsed, inMinutes } from "../../desk/desk-words.ts";
import { useClock } from "../../desk/use-clock.ts";

export function Elapsed({ since, className = "" }: { since: string; className?: string }) {
  const now = useClock();
  return (
    <>
      <span aria-hidden="true" className={`tabular-nums ${className}`}>
        {elapsed(since, now)}
      </span>
      <span className="sr-only">{inMinutes(since, now)}</span>
    </>
  );
}
