/** The transcript view of a record: what caller and assistant said, and a sample where nothing was. */
import type { RecordMessage } from "../../records/call-record.ts";
import { SAMPLE_CONVERSATION } from "../../records/sample-conversation.ts";

interface CallTranscriptProps {
  messages: readonly RecordMessage[];
  assistantName: string;
}

export function CallTranscript({ messages, assistantName }: CallTranscriptProps) {
  const spoken = messages.filter(({ role }) => role === "user" || role === "bot");
  const isSample = messages.length === 0;
  return (
    <>
      {isSample && (
        <p className="mb-5 rounded-control bg-raised px-4 py-3 text-sm text-quiet">
          This call has no transcript. Here is a sample conversation instead.
        </p>
      )}
      <ol className="flex flex-col gap-4">
        {(isSample ? SAMPLE_CONVERSATION : spoken).map(({ role, message }, i) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a transcript is append-only, and its lines may repeat
            key={i}
            data-role={role}
            className="group max-w-[85%] self-start data-[role=user]:self-end"
          >
            <p className="text-sm font-semibold text-quiet group-data-[role=user]:text-right">
              {role === "user" ? "Caller" : assistantName}
            </p>
            <p
              dir="auto"
              className="mt-0.5 rounded-2xl rounded-tl-sm bg-raised px-4 py-2.5 break-words group-data-[role=user]:rounded-tl-2xl group-data-[role=user]:rounded-tr-sm group-data-[role=user]:bg-glow"
            >
              {message}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
