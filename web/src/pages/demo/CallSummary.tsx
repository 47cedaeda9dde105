/** The summary view of a record: the case note as the morning team reads it. */
import { type CallRecord, isOngoing, NOT_APPLICABLE } from "../../records/call-record.ts";
import { followUpPoints } from "../../records/format.ts";
import { AlertIcon } from "../../ui/icons.tsx";

const NOT_KNOWN_YET = "Not known yet";

export function CallSummary({ record }: { record: CallRecord }) {
  const { summary, summaryTitle, structuredData: facts } = record.details;
  const flag = (value: boolean | undefined) => (value ? "TRUE" : "FALSE");
  const rows: readonly (readonly [label: string, value: string])[] = [
    ["CALL ID", record.callId],
    ["CALL STARTED AT", record.createdDate],
    ["CALL DURATION", record.duration],
    ["TYPE OF ABUSE", facts.abuseType ?? NOT_KNOWN_YET],
    ["URGENT STATUS", flag(facts.urgentStatus)],
    ["TRANSFER TO", facts.transferTo ?? NOT_APPLICABLE],
    ["TRANSFER STATUS", flag(facts.transferred)],
    ["CALLER NAME", facts.callerName ?? NOT_KNOWN_YET],
    ["CALLER LOCATION", facts.callerLocation ?? NOT_KNOWN_YET],
    ["LATEST INCIDENT", facts.latestIncident ?? NOT_KNOWN_YET],
  ];

  return (
    <>
      {facts.urgentStatus && (
        <p className="mb-6 flex gap-3 rounded-control bg-urgent-surface px-4 py-3 font-semibold text-urgent">
          <AlertIcon className="mt-0.5 size-6" />
          Heads up! This caller has been flagged as an urgent case and requires active follow-up.
        </p>
      )}
      <dl className="divide-y divide-line border-y border-line">
        {rows.map(([label, value]) => (
          <div key={label} className="grid gap-x-6 py-2.5 sm:grid-cols-[11rem_1fr]">
            <dt className="text-sm leading-relaxed font-semibold tracking-wide text-quiet">{label}</dt>
            <dd className="min-w-0 break-words tabular-nums" dir="auto">
              {value}
            </dd>
          </div>
        ))}
      </dl>

      <h3 className="mt-8 text-sm font-semibold text-quiet">Transcript Summary</h3>
      <p className="mt-1 font-serif text-title font-medium break-words" dir="auto">
        {summaryTitle}
      </p>
      <p className="mt-3 max-w-[60ch] break-words" dir="auto">
        {summary || "No summary available."}
      </p>

      {!isOngoing(record) && (
        <>
          <h3 className="mt-8 text-sm font-semibold text-quiet">Recommended Follow-up</h3>
          <ul className="mt-2 max-w-[60ch] list-disc space-y-1.5 pl-5 marker:text-lamp-ink">
            {followUpPoints(facts.follow_up ?? "").map((point) => (
              <li key={point} className="pl-1 break-words" dir="auto">
                {point}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
