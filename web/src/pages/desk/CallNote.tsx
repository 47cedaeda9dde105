/** The note of a call under way, and the caller's words that it rests on. */
import type { DeskNote, DeskSignal } from "../../desk/contract.ts";
import { routingNote } from "../../records/agencies.ts";
import { NOT_APPLICABLE } from "../../records/call-record.ts";
import { followUpPoints } from "../../records/format.ts";

interface CallNoteProps {
  note: DeskNote | null;
  signals: readonly DeskSignal[];
}

export function CallNote({ note, signals }: CallNoteProps) {
  if (!note)
    return <p className="text-quiet">There is no note yet. It is written after the caller’s first turn.</p>;
  const { structuredData: facts } = note;
  const rows = [
    ["Name", facts.name],
    ["Place", facts.location],
    ["Kind of abuse", facts.abuse_type],
    ["Latest incident", facts.latest_incident_date],
  ] as const;
  const routing = routingNote(facts.transfer_to);
  const followUp = followUpPoints(facts.follow_up ?? "");
  return (
    <div className="grid content-start gap-5">
      <section aria-label="Note" className="grid gap-2">
        <h3 className="text-lg font-bold" dir="auto">
          {note.summaryTitle}
        </h3>
        <p dir="auto">{note.summary}</p>
        {routing && <p className="text-sm text-quiet">{routing}</p>}
        <dl className="mt-1 grid grid-cols-[8.5rem_1fr] gap-x-4 gap-y-1">
          {rows.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-sm text-quiet">{label}</dt>
              <dd dir="auto" className="[overflow-wrap:anywhere]">
                {value && value !== NOT_APPLICABLE ? value : "Not known yet"}
              </dd>
            </div>
          ))}
        </dl>
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
      {followUp.length > 0 && (
        <section aria-labelledby="follow-up">
          <h4 id="follow-up" className="font-bold">
            Recommended follow-up
          </h4>
          <ul className="mt-1 list-disc pl-5">
            {followUp.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </section>
      )}
      <p className="text-sm text-quiet">
        Written by the assistant while it listens. Check it with what is said.
      </p>
    </div>
  );
}
