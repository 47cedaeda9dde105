/** The transcript view of a record: what caller, assistant and officer said, and a sample where nothing was. */
import { useEffect, useRef } from "react";
import type { RecordMessage } from "../../records/call-record.ts";
import type { Place } from "../../records/evidence.ts";
import { SAMPLE_CONVERSATION } from "../../records/sample-conversation.ts";
import { MarkedWords } from "../../ui/MarkedWords.tsx";
import { NumberLinks } from "../../ui/NumberLinks.tsx";

interface CallTranscriptProps {
  messages: readonly RecordMessage[];
  assistantName: string;
  /** Words to show at once: a claim of the note led here. */
  place: Place | null;
}

export function CallTranscript({ messages, assistantName, place }: CallTranscriptProps) {
  const isSample = messages.length === 0;
  const spoken = (isSample ? SAMPLE_CONVERSATION : messages)
    .map((message, i) => ({ ...message, i }))
    .filter(({ role }) => role === "user" || role === "bot" || role === "officer");
  const shown = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!place) return;
    shown.current?.scrollIntoView({ block: "center" });
    shown.current?.focus({ preventScroll: true });
  }, [place]);

  return (
    <>
      {isSample && (
        <p className="mb-5 rounded-control bg-raised px-4 py-3 text-sm text-quiet">
          This call has no transcript. Here is a sample conversation instead.
        </p>
      )}
      {spoken.length === 0 && <p className="text-quiet">Nothing was said in this call.</p>}
      <ol className="flex flex-col gap-4">
        {spoken.map(({ role, message, i }) => {
          const here = place?.message === i ? place : null;
          return (
            <li
              key={i}
              ref={here ? shown : undefined}
              tabIndex={here ? -1 : undefined}
              data-role={role}
              data-shown={here !== null}
              className="group max-w-[85%] self-start rounded-2xl data-[role=user]:self-end print:max-w-full print:self-start"
            >
              <p className="text-sm font-semibold text-quiet group-data-[role=user]:text-right print:text-left">
                {role === "user" ? "Caller" : role === "officer" ? "Officer" : assistantName}
              </p>
              <p
                dir="auto"
                className="mt-0.5 rounded-2xl rounded-tl-sm bg-raised px-4 py-2.5 [overflow-wrap:anywhere] group-data-[role=user]:rounded-tl-2xl group-data-[role=user]:rounded-tr-sm group-data-[role=user]:bg-glow group-data-[shown=true]:outline-2 group-data-[shown=true]:outline-lamp-ink print:px-0"
              >
                {here && here.to > here.from ? (
                  <MarkedWords text={message} from={here.from} to={here.to} />
                ) : role === "bot" ? (
                  <NumberLinks text={message} />
                ) : (
                  message
                )}
              </p>
            </li>
          );
        })}
      </ol>
    </>
  );
}
