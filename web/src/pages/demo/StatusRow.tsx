/**
 * How a conversation stands, above its words: who has the floor, whether the line stands. What is announced
 * to screen readers stays in the page at all times, since a region that has just appeared is not read out.
 */
import type { ReactNode } from "react";
import { ToTheNumbers } from "./ToTheNumbers.tsx";

interface StatusRowProps {
  running: boolean;
  line: string;
  /** Whose turn it is, where that is told apart from the line. */
  floor?: string | null;
  meter?: ReactNode;
  /** What can be done about it. */
  action?: ReactNode;
}

export function StatusRow({ running, line, floor = null, meter, action }: StatusRowProps) {
  return (
    <div className={running ? "flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 sm:gap-x-5" : "sr-only"}>
      {running && meter && <div className="call-meter">{meter}</div>}
      <div className="call-state min-w-0">
        {running && floor && (
          <p className="settles text-lg leading-snug font-semibold" key={floor}>
            {floor}
          </p>
        )}
        <p
          role="status"
          className={`call-folds leading-snug ${floor ? "text-sm text-quiet" : "text-base text-ink"}`}
        >
          {line}
        </p>
      </div>
      {running && action}
      {running && <ToTheNumbers />}
    </div>
  );
}
