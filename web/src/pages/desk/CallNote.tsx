/** The note of a call under way, and the caller's words that it rests on. */
import { memo } from "react";
import type { DeskNote, DeskSignal } from "../../desk/contract.ts";
import { FollowUpAdvice, NoteWords } from "./NoteWords.tsx";

interface CallNoteProps {
  note: DeskNote | null;
  signals: readonly DeskSignal[];
}

export const CallNote = memo(function CallNote({ note, signals }: CallNoteProps) {
  if (!note)
    return <p className="text-quiet">There is no note yet. It is written after the caller’s first turn.</p>;
  return (
    <div className="grid content-start gap-5">
      <section aria-label="Note" className="grid gap-2">
        <h3 className="text-lg font-bold" dir="auto">
          {note.summaryTitle}
        </h3>
        <NoteWords note={note} unknown="Not known yet" />
      </section>
      {signals.length > 0 && (
        <section aria-labelledby="signals">
          <h4 id="signals" className="font-bold">
            Heard in the caller’s words
          </h4>
          <ul className="mt-1">
            {signals.map(({ claim, words }, i) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: claims have no identity, and may repeat
                key={i}
                className="grid gap-x-4 py-1 sm:grid-cols-[8.5rem_1fr]"
              >
                <span className="text-sm text-quiet first-letter:uppercase">{claim}</span>
                <q dir="auto" className="[overflow-wrap:anywhere]">
                  {words}
                </q>
              </li>
            ))}
          </ul>
        </section>
      )}
      <FollowUpAdvice followUp={note.structuredData.follow_up} />
      <p className="text-sm text-quiet">
        Written by the assistant while it listens. Check it with what is said.
      </p>
    </div>
  );
});
