/** The record of a call as the history shows and stores it, and how one is made from the server's call-info. */
import type { CallInfo } from "../api/contract.ts";
import { formatDate, formatDuration } from "./format.ts";

export interface RecordMessage {
  role: string;
  message: string;
}

export interface StructuredData {
  urgentStatus: boolean;
  transferTo: string | null;
  transferred: boolean;
  abuseType: string;
  callerName: string;
  callerLocation: string;
  latestIncident: string;
  follow_up: string;
}

export interface CallRecord {
  /** A sequential number as text. */
  id: string;
  /** As shown, see `formatDate`. */
  createdDate: string;
  /** As shown, see `formatDuration`. */
  duration: string;
  callId: string;
  details: {
    summary: string;
    summaryTitle: string;
    messages: RecordMessage[];
    /** Empty while the call is under way. */
    structuredData: Partial<StructuredData>;
  };
}

/** The summary title that marks a call as being under way. */
export const ACTIVE_CALL = "Active Call";
export const NOT_APPLICABLE = "Not Applicable";

export function isOngoing(record: CallRecord): boolean {
  return record.details.summaryTitle === ACTIVE_CALL;
}

/** The record of a call that has just begun. */
export function recordOfNewCall(id: string, callId: string, now: Date): CallRecord {
  return {
    id,
    createdDate: formatDate(now),
    duration: "0:00",
    callId,
    details: { summary: "Call in progress", summaryTitle: ACTIVE_CALL, messages: [], structuredData: {} },
  };
}

export function recordFromInfo(id: string, info: CallInfo): CallRecord {
  if (info.status && info.status !== "ended") {
    const record = recordOfNewCall(id, info.callId, new Date());
    return { ...record, createdDate: formatDate(info.startedAt) };
  }
  const facts = info.structuredData ?? {};
  return {
    id,
    createdDate: formatDate(info.startedAt),
    duration: formatDuration(info.durationSeconds),
    callId: info.callId,
    details: {
      summary: info.summary || "No summary provided",
      summaryTitle: info.summaryTitle || "No summary provided",
      messages: (info.messages ?? []).map(({ role, message }) => ({ role, message: message ?? "" })),
      structuredData: {
        urgentStatus: facts.urgent ?? false,
        transferTo: facts.transfer_to && facts.transfer_to !== NOT_APPLICABLE ? facts.transfer_to : null,
        transferred: facts.transferred ?? false,
        abuseType: facts.abuse_type || "Not specified",
        callerName: facts.name || "Unknown",
        callerLocation: facts.location || "Unknown",
        latestIncident: facts.latest_incident_date || "N/A",
        follow_up: facts.follow_up || "No follow-up required",
      },
    },
  };
}

export type TransferStatus = "Transferred" | "Not transferred" | "Not Applicable";

export function transferStatus({ transferTo, transferred }: Partial<StructuredData>): TransferStatus {
  if (!transferTo) return NOT_APPLICABLE;
  return transferred ? "Transferred" : "Not transferred";
}
