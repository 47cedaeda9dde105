/** A caller who was told that somebody would come, and nobody did. It stays until it is put away. */
import type { Unreached } from "../../desk/desk-state.ts";
import { UNREACHED_WHY, unreachedTitle } from "../../desk/desk-words.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { PLAIN } from "./desk-style.ts";

interface UnreachedCardProps {
  unreached: Unreached;
  /** Absent where the call is over, or not to be seen from here. */
  onShow?: (() => void) | undefined;
  onPutAway: () => void;
}

export function UnreachedCard({ unreached: { agency, why }, onShow, onPutAway }: UnreachedCardProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 rounded-panel border border-urgent/40 bg-urgent-surface px-5 py-4 text-ink"
    >
      <div className="flex gap-3">
        <AlertIcon className="mt-1 size-6 text-urgent" />
        <div>
          <p className="text-lg font-bold">{unreachedTitle(agency)}</p>
          <p>{UNREACHED_WHY[why]}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        {onShow && (
          <button type="button" className={PLAIN} onClick={onShow}>
            Show the call
          </button>
        )}
        <button type="button" className={PLAIN} onClick={onPutAway}>
          Put away
        </button>
      </div>
    </div>
  );
}
