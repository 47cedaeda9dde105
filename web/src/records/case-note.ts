/** The case note of a record: its rows, as the panel shows them, and the whole as plain text. Pure. */
import { routingNote } from "./agencies.ts";
import {
  type CallRecord,
  isOngoing,
  isWhole,
  NOT_APPLICABLE,
  NOT_ASSESSED_YET,
  urgencyOf,
} from "./call-record.ts";
import { divided, type Evidence } from "./evidence.ts";
import { followUpPoints } from "./format.ts";

export const NOT_KNOWN_YET = "Not known yet";
export const URGENT_BANNER =
  "Heads up! This caller has been flagged as an urgent case and requires active follow-up.";
export const NO_SUMMARY = "No summary available.";

export function detailRows(record: CallRecord): readonly (readonly [label: string, value: string])[] {
  const facts = record.details.structuredData;
  const flag = (value: boolean | undefined) => (value ? "TRUE" : "FALSE");
  return [
    ["CALL ID", record.callId],
    ["CALL STARTED AT", record.createdDate],
    ["CALL DURATION", record.duration],
    ["TYPE OF ABUSE", facts.abuseType ?? NOT_KNOWN_YET],
    ["URGENT STATUS", urgencyOf(record) === "not-assessed" ? NOT_ASSESSED_YET : flag(facts.urgentStatus)],
    ["TRANSFER TO", facts.transferTo ?? NOT_APPLICABLE],
    ["TRANSFER STATUS", flag(facts.transferred)],
    ["CALLER NAME", facts.callerName ?? NOT_KNOWN_YET],
    ["CALLER LOCATION", facts.callerLocation ?? NOT_KNOWN_YET],
    ["LATEST INCIDENT", facts.latestIncident ?? NOT_KNOWN_YET],
  ];
}

export function followUpOf(record: CallRecord): string[] {
  return isOngoing(record) ? [NOT_KNOWN_YET] : followUpPoints(record.details.structuredData.follow_up ?? "");
}

/** Not the transcript: a note is passed on to people who need not read every word. */
export function caseNoteText(record: CallRecord): string {
  const { summary, summaryTitle, structuredData } = record.details;
  const urgent = structuredData.urgentStatus === true;
  const { triggers, rest } = divided(record);
  const quoted = (each: Evidence) => `- ${each.claim}: "${each.words}"`;
  const routing = routingNote(structuredData.transferTo);
  const rows = detailRows(record);
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const sections: string[][] = [
    [`Call Log: case ${record.id}`, ...(urgent ? ["", URGENT_BANNER] : [])],
    rows.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`),
    routing ? [routing] : [],
    ["Transcript Summary", summaryTitle, summary || NO_SUMMARY],
    ["Recommended Follow-up", ...followUpOf(record).map((point) => `- ${point}`)],
    triggers.length > 0 ? ["Words that raised the flag", ...triggers.map(quoted)] : [],
    rest.length > 0 ? ["The caller’s words behind this note", ...rest.map(quoted)] : [],
    isWhole(record) ? [] : ["What the caller said could not be fetched, and is not in this note."],
    ["Written by an AI assistant from the call. Check it with the transcript before acting on it."],
  ];
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join("\n"))
    .join("\n\n")}\n`;
}

export function caseNoteFileName(record: CallRecord): string {
  return `case-${record.id.replace(/[^\w-]/g, "")}.txt`;
}
