/** The summary view of a record: the case note as the morning team reads it. */
import { routingNote } from "../../records/agencies.ts";
import type { CallRecord } from "../../records/call-record.ts";
import { detailRows, followUpOf, NO_SUMMARY, URGENT_BANNER } from "../../records/case-note.ts";
import { divided, type Evidence } from "../../records/evidence.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { EvidenceList } from "./EvidenceList.tsx";

interface CallSummaryProps {
  record: CallRecord;
  /** Shows the words of a claim where they stand in the transcript. */
  onShow: (evidence: Evidence) => void;
}

/** Two of them share a line where there is room, so that the summary below comes into view. */
const SHORT = new Set([
  "CALL STARTED AT",
  "CALL DURATION",
  "TYPE OF ABUSE",
  "URGENT STATUS",
  "TRANSFER TO",
  "TRANSFER STATUS",
]);
/** The usual 36 characters stay on one line of the narrowest panel, to be read out and compared. */
const CALL_ID = "text-[clamp(0.75rem,4vw,0.9375rem)]";

export function CallSummary({ record, onShow }: CallSummaryProps) {
  const { summary, summaryTitle, structuredData: facts, notice } = record.details;
  const urgent = facts.urgentStatus === true;
  const { triggers, rest } = divided(record);
  const routing = routingNote(facts.transferTo);

  return (
    <>
      {urgent && (
        <div className="mb-3 rounded-control bg-urgent-surface px-4 py-2.5 text-urgent print:border print:border-urgent">
          <p className="flex gap-3 font-semibold">
            <AlertIcon className="mt-0.5 size-6" />
            {URGENT_BANNER}
          </p>
          {triggers.length > 0 && (
            <section
              aria-labelledby="triggers-heading"
              className="mt-2 border-t border-urgent/30 pt-2 sm:ml-9"
            >
              <h3 id="triggers-heading" className="text-sm font-semibold">
                Words that raised the flag
              </h3>
              <EvidenceList evidence={triggers} onShow={onShow} />
            </section>
          )}
        </div>
      )}
      <dl className="grid border-t border-line text-sm sm:grid-cols-[5fr_4fr] sm:gap-x-5">
        {detailRows(record).map(([label, value]) => (
          <div
            key={label}
            className={`grid items-baseline gap-x-4 border-b border-line py-1 sm:grid-cols-[9rem_1fr] ${SHORT.has(label) ? "grid-cols-[9rem_1fr]" : "sm:col-span-2"}`}
          >
            <dt className="font-semibold tracking-wide text-quiet">{label}</dt>
            <dd
              className={`min-w-0 [overflow-wrap:anywhere] tabular-nums ${label === "CALL ID" ? CALL_ID : ""}`}
              dir="auto"
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {routing && <p className="mt-3 max-w-[60ch] text-sm text-quiet">{routing}</p>}

      <h3 className="mt-4 text-sm font-semibold text-quiet">Transcript Summary</h3>
      <p className="mt-1 font-serif text-caption font-medium [overflow-wrap:anywhere]" dir="auto">
        {summaryTitle}
      </p>
      <p className="mt-2 max-w-[68ch] [overflow-wrap:anywhere]" dir="auto">
        {summary || NO_SUMMARY}
      </p>

      <h3 className="mt-6 text-sm font-semibold text-quiet">Recommended Follow-up</h3>
      <ul className="mt-2 max-w-[68ch] list-disc space-y-1.5 pl-5 marker:text-lamp-ink">
        {followUpOf(record).map((point, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity, and may repeat
          <li key={i} className="pl-1 [overflow-wrap:anywhere]" dir="auto">
            {point}
          </li>
        ))}
      </ul>

      {rest.length > 0 && (
        <section aria-labelledby="evidence-heading" className="mt-8">
          <h3 id="evidence-heading" className="text-sm font-semibold text-quiet">
            The caller’s words behind this note
          </h3>
          <EvidenceList evidence={rest} onShow={onShow} />
        </section>
      )}
      {notice && <p className="mt-8 text-sm text-quiet">{notice}</p>}
    </>
  );
}
