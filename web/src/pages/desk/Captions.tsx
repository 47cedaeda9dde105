/** What is said in a call, as it is told, large. It follows the latest words unless the reader has gone up to older ones. */
import { memo, useEffect, useRef, useState } from "react";
import type { DeskCaption } from "../../desk/contract.ts";
import { clockOf, SPEAKERS } from "../../desk/desk-words.ts";
import { PLAIN } from "./desk-style.ts";

/** Within so many pixels of the end a reader is at it. */
const AT_THE_END = 48;

export const Captions = memo(function Captions({ captions }: { captions: readonly DeskCaption[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scrolling follows the words
  useEffect(() => {
    if (follows) toTheEnd(box.current);
  }, [captions, follows]);

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
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollows(scrollHeight - scrollTop - clientHeight < AT_THE_END)
        }
        className="desk-captions mt-2 overflow-y-auto rounded-control border border-line bg-surface px-4 py-3"
      >
        {captions.length === 0 && <p className="text-quiet">Nothing has been said yet.</p>}
        <ol className="flex flex-col gap-4">
          {captions.map((caption) => (
            <Line key={`${caption.at} ${caption.speaker} ${caption.text}`} caption={caption} />
          ))}
        </ol>
      </div>
      {!follows && (
        <button
          type="button"
          className={`${PLAIN} mt-2 self-start`}
          onClick={() => {
            toTheEnd(box.current);
            setFollows(true);
          }}
        >
          Go to the latest words
        </button>
      )}
    </section>
  );
});

const Line = memo(function Line({ caption: { speaker, text, at } }: { caption: DeskCaption }) {
  return (
    <li
      data-speaker={speaker}
      className="border-l-4 border-line-strong pl-4 data-[speaker=assistant]:border-lamp data-[speaker=officer]:border-calm"
    >
      <p className="text-sm font-semibold text-quiet">
        {SPEAKERS[speaker]} <span className="font-normal tabular-nums">{clockOf(at)}</span>
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
