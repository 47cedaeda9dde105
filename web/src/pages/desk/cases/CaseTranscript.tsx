/** What was said in a call that is a case, with the times; a claim's words are shown where they stand. */
import { useEffect, useRef } from "react";
import type { CaseMessage } from "../../../desk/case-contract.ts";
import { clockOf, speakerWords } from "../../../desk/desk-words.ts";
import type { Place } from "../../../records/evidence.ts";
import { MarkedWords } from "../../../ui/MarkedWords.tsx";
import { NumberLinks } from "../../../ui/NumberLinks.tsx";

interface CaseTranscriptProps {
  messages: readonly CaseMessage[];
  place: Place | null;
  /** Taken elsewhere: there is none. */
  elsewhere: boolean;
}

export function CaseTranscript({ messages, place, elsewhere }: CaseTranscriptProps) {
  const shown = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!place) return;
    shown.current?.scrollIntoView({ block: "center" });
    shown.current?.focus({ preventScroll: true });
  }, [place]);

  return (
    <section aria-labelledby="case-said" className="grid content-start gap-2">
      <h3 id="case-said" className="text-lg font-bold">
        What was said
      </h3>
      {messages.length === 0 ? (
        <p className="text-quiet">
          {elsewhere
            ? "This call was taken elsewhere: there is no transcript."
            : "Nothing was said in this call."}
        </p>
      ) : (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          aria-label="Transcript"
          className="desk-said overflow-y-auto rounded-control border border-line bg-surface px-4 py-3"
        >
          <ol className="grid gap-3">
            {messages.map((message, i) => {
              const { speaker, text, at } = message;
              const here = place?.message === i ? place : null;
              return (
                <li
                  // biome-ignore lint/suspicious/noArrayIndexKey: a transcript's lines have no identity but their place
                  key={i}
                  ref={here ? shown : undefined}
                  tabIndex={here ? -1 : undefined}
                  data-speaker={speaker}
                  data-shown={here !== null}
                  className="border-l-4 border-line-strong pl-3 data-[shown=true]:bg-raised data-[speaker=assistant]:border-lamp data-[speaker=officer]:border-calm"
                >
                  <p className="text-sm font-semibold text-quiet">
                    {speakerWords(message)} <span className="font-normal tabular-nums">{clockOf(at)}</span>
                  </p>
                  <p dir="auto" className="text-pretty [overflow-wrap:anywhere]">
                    {here && here.to > here.from ? (
                      <MarkedWords text={text} from={here.from} to={here.to} />
                    ) : speaker === "assistant" ? (
                      <NumberLinks text={text} />
                    ) : (
                      text
                    )}
                  </p>
                </li>
              );
            })}
          </ol>
        </section>
      )}
    </section>
  );
}
