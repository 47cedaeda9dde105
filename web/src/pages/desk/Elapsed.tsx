/** How long it has been, ticking. Not read out: a screen reader would say a number every second. */
import { elapsed } from "../../desk/desk-words.ts";
import { useClock } from "../../desk/use-clock.ts";

export function Elapsed({ since, className = "" }: { since: string; className?: string }) {
  const now = useClock();
  return <span className={`tabular-nums ${className}`}>{elapsed(since, now)}</span>;
}
