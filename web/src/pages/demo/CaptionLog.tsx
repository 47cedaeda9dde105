/**
 * What everybody on the call says, large, as it is said. It can be read by a screen reader and is not read out by one:
 * that voice would speak over the assistant's, and into the open microphone. Who needs the words
 * read out is better served in writing.
 */
import { useRef } from "react";
import type { Captions } from "../../call/captions.ts";
import { NumberLinks } from "../../ui/NumberLinks.tsx";
import { useLatestInView } from "./use-latest-in-view.ts";

interface CaptionLogProps {
  captions: Captions;
  assistantName: string;
  /** What stands there until somebody has spoken. */
  placeholder?: string;
}

const NAMES = { caller: "You", officer: "Officer" } as const;

export function CaptionLog({ captions, assistantName, placeholder }: CaptionLogProps) {
  const box = useRef<HTMLDivElement>(null);
  useLatestInView(box, captions);

  return (
    <div
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label="Live captions"
      aria-live="off"
      className="call-log mt-3 h-56 overflow-y-auto pr-2 [mask-image:linear-gradient(180deg,transparent,black_1.75rem)] focus-visible:[mask-image:none] sm:h-72 lg:h-80"
    >
      <ol className="flex flex-col gap-4 pt-6 pb-1">
        {captions.length === 0 && placeholder && (
          <li className="text-caption text-pretty text-quiet">{placeholder}</li>
        )}
        {captions.map((caption) => (
          <li
            key={caption.id}
            aria-hidden={caption.partial || undefined}
            data-speaker={caption.speaker}
            data-partial={caption.partial}
            className="settles max-w-[44ch] border-l-4 border-line-strong pl-4 data-[speaker=assistant]:border-lamp data-[speaker=officer]:border-calm data-[partial=true]:text-quiet"
          >
            <span className="block text-sm font-semibold text-quiet">
              {caption.speaker === "assistant" ? assistantName : NAMES[caption.speaker]}
            </span>
            <span className="text-caption text-pretty" dir="auto">
              {caption.speaker === "assistant" && !caption.partial ? (
                <NumberLinks text={caption.text} />
              ) : (
                caption.text
              )}
              {caption.partial && !/[.?!…]$/.test(caption.text) && "…"}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
