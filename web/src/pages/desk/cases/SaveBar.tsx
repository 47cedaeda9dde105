/** The end of a form that is saved into a case: what hinders it, and the two ways out. */
import type { ReactNode } from "react";
import type { CaseDraft } from "../../../desk/use-draft.ts";
import { Button } from "../../../ui/Button.tsx";
import { PLAIN, STRONG } from "../desk-style.ts";
import { Trouble } from "../Trouble.tsx";
import { Conflict } from "./Conflict.tsx";

interface SaveBarProps<T> {
  draft: CaseDraft<T>;
  save: string;
  /** What a colleague wrote meanwhile, to be read beside one's own. */
  theirs: ReactNode;
  /** Absent where there is nothing to go back to but the unchanged form. */
  onCancel?: () => void;
}

export function SaveBar<T>({ draft, save, theirs, onCancel }: SaveBarProps<T>) {
  const { standing, saving, trouble, keepMine, drop } = draft;
  const leave = () => {
    drop();
    onCancel?.();
  };
  return (
    <div className="grid gap-3">
      {standing === "conflict" && <Conflict theirs={theirs} onKeepMine={keepMine} onTakeTheirs={leave} />}
      <Trouble words={trouble} className="empty:hidden" />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          unavailable={standing !== "edited" || saving}
          className={`${STRONG} aria-disabled:opacity-55`}
        >
          {saving ? "Saving" : save}
        </Button>
        {(onCancel || standing !== "unchanged") && (
          <button type="button" className={PLAIN} onClick={leave}>
            {standing === "unchanged" ? "Cancel" : "Drop what I typed"}
          </button>
        )}
      </div>
    </div>
  );
}
