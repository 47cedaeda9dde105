/** One live call: how it stands, its note, what is said; for supervisors, the ways onto its line. */
import { type Dispatch, memo, useEffect, useRef } from "react";
import type { DeskCall, DeskCaption, NodeName } from "../../desk/contract.ts";
import type { DeskChange } from "../../desk/desk-state.ts";
import { agencyName, stageWords } from "../../desk/desk-words.ts";
import { useCallInside } from "../../desk/use-call-inside.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { Pill } from "../../ui/Pill.tsx";
import { CallNote } from "./CallNote.tsx";
import { Captions } from "./Captions.tsx";
import { PLAIN } from "./desk-style.ts";
import { Elapsed } from "./Elapsed.tsx";
import { HintForm } from "./HintForm.tsx";
import { Trouble } from "./Trouble.tsx";

interface CallViewProps {
  callId: string;
  /** As the desk knows it; absent when it is over. */
  call: DeskCall | undefined;
  captions: readonly DeskCaption[] | undefined;
  /** The node that has it. */
  node: NodeName;
  /** That node tells nothing at the moment. */
  isLost: boolean;
  dispatch: Dispatch<DeskChange>;
  /** Whether it was chosen; a call of one's own comes with a panel that has the focus. */
  takesFocus: boolean;
  /** Absent where one may not, or is on a line already. */
  onListen?: ((call: DeskCall) => void) | undefined;
  onCoach?: ((call: DeskCall) => void) | undefined;
  mayHint: boolean;
  /** Absent while the call is one's own. */
  onClose?: (() => void) | undefined;
}

const NO_CAPTIONS = [] as const;

/** Drawn when this call changes, whatever the others do. */
export const CallView = memo(function CallView({
  callId,
  call,
  captions = NO_CAPTIONS,
  node,
  isLost,
  dispatch,
  takesFocus,
  onListen,
  onCoach,
  mayHint,
  onClose,
}: CallViewProps) {
  const { read, trouble } = useCallInside(callId, node, isLost, call, dispatch);
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes to a call when it is chosen
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [callId]);
  const shown = call ?? read?.call;

  return (
    <article aria-labelledby="call" className="grid content-start gap-4">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="call" ref={heading} tabIndex={-1} className="text-title font-bold outline-none">
            {shown ? agencyName(shown.agency) : "A call"}
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
            {shown?.urgent && (
              <Pill tone="urgent" icon={<AlertIcon className="size-4" />}>
                Urgent
              </Pill>
            )}
            <span>{call ? stageWords(call) : "This call is over."}</span>
            {call && (
              <span className="text-quiet">
                on the line for <Elapsed since={call.startedAt} />
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          {call?.mayListen && onListen && (
            <button type="button" className={PLAIN} onClick={() => onListen(call)}>
              Listen
            </button>
          )}
          {call?.mayListen && (call.state === "officer" || call.state === "on-hold") && onCoach && (
            <button type="button" className={PLAIN} onClick={() => onCoach(call)}>
              Coach
            </button>
          )}
          {onClose && (
            <button type="button" className={PLAIN} onClick={onClose}>
              Close
            </button>
          )}
        </div>
      </header>
      <Trouble words={trouble} className="empty:hidden" />
      {mayHint && call?.state === "assistant" && <HintForm callId={callId} node={node} />}
      <div className="grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        {read ? (
          <CallNote note={read.note} signals={read.signals} />
        ) : (
          <p className="text-quiet">{trouble ? "" : "Reading the note"}</p>
        )}
        <Captions captions={captions} />
      </div>
    </article>
  );
});
