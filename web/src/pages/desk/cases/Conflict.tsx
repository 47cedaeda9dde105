/** A colleague changed what somebody is writing over: both are there, and one is chosen. */
import type { ReactNode } from "react";
import { PLAIN, STRONG } from "../desk-style.ts";

interface ConflictProps {
  /** What the colleague wrote. */
  theirs: ReactNode;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

export function Conflict({ theirs, onKeepMine, onTakeTheirs }: ConflictProps) {
  return (
    <div role="alert" className="grid gap-3 rounded-control border border-lamp-ink/40 bg-glow px-4 py-3">
      <p className="font-semibold">
        This was changed while you were writing. What you typed is still here; this is what stands now:
      </p>
      <div className="border-l-4 border-lamp-ink pl-4">{theirs}</div>
      <div className="flex flex-wrap gap-3">
        <button type="button" className={STRONG} onClick={onKeepMine}>
          Keep mine, to save over it
        </button>
        <button type="button" className={PLAIN} onClick={onTakeTheirs}>
          Take theirs
        </button>
      </div>
    </div>
  );
}
