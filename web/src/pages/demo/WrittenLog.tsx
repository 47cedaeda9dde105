/** What both sides have written. Screen readers are told each new line: here nobody speaks over them. */
import { useRef } from "react";
import { NumberLinks } from "../../ui/NumberLinks.tsx";
import type { WrittenState } from "../../written/written-state.ts";
import { useLatestInView } from "./use-latest-in-view.ts";

export function WrittenLog({ state: { lines, awaited }, name }: { state: WrittenState; name: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLatestInView(box, lines, awaited);
  return (
    <div
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label="Conversation"
      className="call-log mt-3 h-64 overflow-y-auto pr-2 sm:h-80"
    >
      <ol className="flex flex-col gap-4 py-2">
        {lines.map(({ id, speaker, text, unsent }) => (
          <li
            key={id}
            data-speaker={speaker}
            className="settles max-w-[48ch] border-l-4 border-line-strong pl-4 data-[speaker=assistant]:border-lamp"
          >
            <span className="block text-sm font-semibold text-quiet">
              {speaker === "caller" ? "You" : name}
              {unsent && <span className="text-urgent"> – not sent</span>}
            </span>
            <span className="text-lg [overflow-wrap:anywhere] whitespace-pre-wrap" dir="auto">
              {speaker === "assistant" ? <NumberLinks text={text} /> : text}
            </span>
          </li>
        ))}
        {awaited && (
          <li aria-hidden="true" className="border-l-4 border-lamp pl-4 text-lg text-quiet">
            …
          </li>
        )}
      </ol>
    </div>
  );
}
