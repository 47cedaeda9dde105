/** What is said in a call, as it is told, large. It follows the latest words unless the reader has gone up to older ones. */
import { memo, useDeferredValue, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { DeskCaption } from "../../desk/contract.ts";
import { clockOf, speakerWords } from "../../desk/desk-words.ts";
import { PLAIN } from "./desk-style.ts";

/** Within so many pixels of the end a reader is at it. */
const AT_THE_END = 48;
/** Of a call of an hour more would make everybody wait who opens it. */
const SHOWN_AT_ONCE = 60;
/** Of many that come together, when a call is opened, so many come first: more than are in view. The others come before them in a moment. */
const SHOWN_FIRST = 12;

export const Captions = memo(function Captions({ captions }: { captions: readonly DeskCaption[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  /** The first that is shown, while older ones are read: they stay where they are. */
  const [from, setFrom] = useState<number | null>(null);
  const drawn = useDeferredValue(captions.length, 0);
  const areMany = captions.length - drawn > SHOWN_FIRST;
  const first = from ?? Math.max(0, captions.length - (areMany ? SHOWN_FIRST : SHOWN_AT_ONCE));
  // Before it is painted: those that come in a moment come above what is being read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scrolling follows the words
  useLayoutEffect(() => {
    if (follows) toTheEnd(box.current);
  }, [captions, first, follows]);

  const showBefore = () => {
    const before = box.current?.scrollHeight ?? 0;
    flushSync(() => {
      setFollows(false);
      setFrom(Math.max(0, first - SHOWN_AT_ONCE));
    });
    if (!box.current) return;
    // What is being read stays in its place; the button goes when there is nothing before.
    box.current.scrollTop += box.current.scrollHeight - before;
    box.current.focus();
  };

  return (
    <section aria-labelledby="captions" className="flex min-h-0 flex-col">
      <h3 id="captions" className="text-lg font-bold">
        What is said
      </h3>
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label="Captions"
        // An officer hears the call: a voice that reads it out would speak over the caller.
        aria-live="off"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          const isAtTheEnd = scrollHeight - scrollTop - clientHeight < AT_THE_END;
          setFollows(isAtTheEnd);
          setFrom(isAtTheEnd ? null : first);
        }}
        className="desk-captions mt-2 overflow-y-auto rounded-control border border-line bg-surface px-4 py-3"
      >
        {captions.length === 0 && <p className="text-quiet">Nothing has been said yet.</p>}
        {first > 0 && !areMany && (
          <button type="button" className={`${PLAIN} mb-4`} onClick={showBefore}>
            Show what was said before
          </button>
        )}
        <ol className="flex flex-col gap-4">
          {captions.slice(first).map((caption) => (
            <Line key={keyOf(caption)} caption={caption} />
          ))}
        </ol>
      </div>
      {!follows && (
        <button
          type="button"
          className={`${PLAIN} mt-2 self-start`}
          onClick={() => {
            setFrom(null);
            setFollows(true);
          }}
        >
          Go to the latest words
        </button>
      )}
    </section>
  );
});

/** What is still being said is one line until it is final. */
const keyOf = ({ at, speaker, text, partial }: DeskCaption) =>
  partial ? `${speaker} now` : `${at} ${speaker} ${text}`;

const Line = memo(function Line({ caption }: { caption: DeskCaption }) {
  const { speaker, text, at, partial } = caption;
  return (
    <li
      data-speaker={speaker}
      data-partial={partial}
      className="border-l-4 border-line-strong pl-4 data-[speaker=assistant]:border-lamp data-[speaker=officer]:border-calm data-partial:border-dashed"
    >
      <p className="text-sm font-semibold text-quiet">
        {speakerWords(caption)} <span className="font-normal tabular-nums">{clockOf(at)}</span>
      </p>
      <p dir="auto" className="text-caption text-pretty [overflow-wrap:anywhere]">
        {text}
      </p>
    </li>
  );
});

function toTheEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}
