/** What was written down of a conversation that is over: the note's title, and the way to the whole of it. */
import { type CallRecord, isOngoing } from "../../records/call-record.ts";
import { Button } from "../../ui/Button.tsx";
import { QUIET } from "./call-style.ts";

interface NoteWrittenProps {
  /** Null where it could not be fetched, or was removed from the view. */
  record: CallRecord | null;
  onOpen: (record: CallRecord) => void;
}

export function NoteWritten({ record, onOpen }: NoteWrittenProps) {
  const written = record !== null && !isOngoing(record);
  return (
    <section aria-labelledby="note-heading" className="mt-4 border-t border-line pt-3">
      <h2 id="note-heading" className="text-sm font-semibold text-quiet">
        What was written down
      </h2>
      {/* As tall before as after, so that nothing under it moves. */}
      <div className="min-h-[4.5rem]">
        <p role="status" className="mt-1 text-pretty" dir="auto">
          {noteWords(record)}
        </p>
        {written && (
          <Button className={QUIET} onClick={() => onOpen(record)}>
            Open the case note
          </Button>
        )}
      </div>
    </section>
  );
}

function noteWords(record: CallRecord | null): string {
  if (record === null) return "The note could not be fetched.";
  return isOngoing(record) ? "The note is being written." : record.details.summaryTitle;
}
