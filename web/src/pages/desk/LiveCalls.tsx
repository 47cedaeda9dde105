/** The live calls, the most urgent first. Rows keep still while the clock ticks in them. */
import { type KeyboardEvent, memo, type RefObject, useLayoutEffect, useRef } from "react";
import type { DeskCall } from "../../desk/contract.ts";
import { agencyName, stageWords } from "../../desk/desk-words.ts";
import { useOutOfSight } from "../../desk/use-out-of-sight.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { Pill } from "../../ui/Pill.tsx";
import { Elapsed } from "./Elapsed.tsx";

interface LiveCallsProps {
  /** In order. */
  calls: readonly DeskCall[];
  /** Whether they have been read once. */
  read: boolean;
  chosen: string | null;
  onChoose: (callId: string) => void;
}

export const LiveCalls = memo(function LiveCalls({ calls, read, chosen, onChoose }: LiveCallsProps) {
  const leftAt = useRef<string | null>(null);
  // After those of the rows: it is of this change alone.
  useLayoutEffect(() => {
    leftAt.current = null;
  });
  return (
    <section aria-labelledby="live-calls">
      <h2
        id="live-calls"
        tabIndex={-1}
        className="flex items-baseline justify-between text-lg font-bold outline-none"
      >
        Live calls <span className="text-sm font-normal text-quiet">{read && calls.length}</span>
      </h2>
      {calls.length === 0 && (
        <p role="status" className="mt-3 rounded-control bg-raised px-4 py-3 text-quiet">
          {read ? "Nobody is calling now." : "Reading the live calls"}
        </p>
      )}
      <ul aria-label="Live calls" className="mt-2 divide-y divide-line" onKeyDown={moveByKey}>
        {calls.map((call) => (
          <Row
            key={keyOf(call)}
            call={call}
            chosen={call.callId === chosen}
            onChoose={onChoose}
            leftAt={leftAt}
          />
        ))}
      </ul>
    </section>
  );
});

/**
 * One that becomes urgent comes up the list as a row made anew. Moved up, it would have each of those that it passes taken out and
 * put in again below it: one that moves down is moved alone.
 */
const keyOf = ({ callId, urgent }: DeskCall) => (urgent ? `${callId} urgent` : callId);

/** Through a hundred rows by the arrows, by Home and by End, beside the Tab key's one by one. */
function moveByKey(event: KeyboardEvent<HTMLUListElement>): void {
  const rows = [...event.currentTarget.querySelectorAll("button")];
  const at = rows.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  rows[to]?.focus();
}

const Row = memo(function Row({
  call,
  chosen,
  onChoose,
  leftAt,
}: {
  call: DeskCall;
  chosen: boolean;
  onChoose: (callId: string) => void;
  /** The call whose row had the focus and is taken away in this change. */
  leftAt: RefObject<string | null>;
}) {
  const { callId } = call;
  const [isOut, watch] = useOutOfSight();
  const button = useRef<HTMLButtonElement>(null);
  // Who is at a call stays at it when its row is made anew, and the page where it is.
  useLayoutEffect(() => {
    const itself = button.current;
    if (leftAt.current === callId) itself?.focus({ preventScroll: true });
    return () => {
      if (itself === document.activeElement) leftAt.current = callId;
    };
  }, [callId, leftAt]);
  return (
    <li className="desk-row" ref={watch}>
      <button
        ref={button}
        type="button"
        aria-pressed={chosen}
        onClick={() => onChoose(callId)}
        className="grid min-h-16 w-full grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 border-l-4 border-transparent px-3 py-2 text-left hover:bg-raised aria-pressed:border-lamp aria-pressed:bg-raised"
      >
        <span className="min-w-0 font-semibold">{agencyName(call.agency)}</span>
        <span className="justify-self-end">
          <Elapsed since={call.since} isSeen={!isOut} className="desk-ticks font-semibold" />
        </span>
        <span className={`text-sm text-quiet ${call.urgent ? "" : "col-span-2"}`}>{stageWords(call)}</span>
        {call.urgent && (
          <span className="justify-self-end">
            <Pill tone="urgent" icon={<AlertIcon className="size-4" />}>
              Urgent
            </Pill>
          </span>
        )}
      </button>
    </li>
  );
});
