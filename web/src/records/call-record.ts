/** The record of a call as the history shows and stores it, and how one is made from the server's call-info. */
import type { CallInfo, EvidenceInfo } from "../api/contract.ts";
import type { Evidence } from "./evidence.ts";
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

export type RecordStatus = "in-progress" | "ended";

export interface CallRecord {
  /** A sequential number as text. */
  id: string;
  /** As shown, see `formatDate`. */
  createdDate: string;
  /** As shown, see `formatDuration`. */
  duration: string;
  callId: string;
  status: RecordStatus;
  /** For sorting and counting, where it is known: milliseconds since 1970. */
  startedAt?: number;
  /** For sorting, where it is known. */
  durationSeconds?: number;
  /** For telling what is new, where it is known: milliseconds since 1970. */
  endedAt?: number;
  details: {
    summary: string;
    summaryTitle: string;
    /** Absent until they are fetched, with the evidence: see `isWhole`. */
    messages?: RecordMessage[];
    /** Empty while the call is under way. */
    structuredData: Partial<StructuredData>;
    /** Absent in records from before it was kept. */
    evidence?: Evidence[];
    /** What the page told the caller before it, where that is known. */
    notice?: string;
  };
}

/** The summary title that a call under way is shown with. */
export const ACTIVE_CALL = "Active Call";
export const NOT_APPLICABLE = "Not Applicable";
export const NOT_ASSESSED_YET = "Not assessed yet";

export function isOngoing(record: CallRecord): boolean {
  return record.status === "in-progress";
}

/** Whether what was said is in it, or only what a list tells. */
export function isWhole(record: CallRecord): boolean {
  return record.details.messages !== undefined;
}

/** The record of a call that has just begun. */
export function recordOfNewCall(id: string, callId: string, now: Date): CallRecord {
  return {
    id,
    createdDate: formatDate(now),
    duration: "0:00",
    callId,
    status: "in-progress",
    startedAt: now.getTime(),
    details: { summary: "Call in progress", summaryTitle: ACTIVE_CALL, messages: [], structuredData: {} },
  };
}

/** Whatever is missing, or is not of the kind it should be, gets the specified default. */
export function recordFromInfo(id: string, info: CallInfo): CallRecord {
  const callId = text(info.callId);
  const startedAt = instant(info.startedAt);
  const endedAt = instant(info.endedAt);
  const started = startedAt === undefined ? {} : { startedAt };
  if (info.status && info.status !== "ended") {
    const { startedAt: _, ...record } = recordOfNewCall(id, callId, new Date());
    return { ...record, createdDate: formatDate(info.startedAt), ...started };
  }
  const facts = info.structuredData ?? {};
  const agency = text(facts.transfer_to);
  return {
    id,
    createdDate: formatDate(info.startedAt),
    duration: formatDuration(info.durationSeconds),
    callId,
    status: "ended",
    ...started,
    ...(Number.isFinite(info.durationSeconds) && { durationSeconds: info.durationSeconds as number }),
    ...(endedAt !== undefined && { endedAt }),
    details: {
      summary: text(info.summary) || "No summary provided",
      summaryTitle: text(info.summaryTitle) || "No summary provided",
      ...(info.messages && { messages: messagesFrom(info) }),
      structuredData: {
        urgentStatus: facts.urgent === true,
        transferTo: agency === "" || agency === NOT_APPLICABLE ? null : agency,
        transferred: facts.transferred === true,
        abuseType: text(facts.abuse_type) || "Not specified",
        callerName: text(facts.name) || "Unknown",
        callerLocation: text(facts.location) || "Unknown",
        latestIncident: text(facts.latest_incident_date) || "N/A",
        follow_up: text(facts.follow_up) || "No follow-up required",
      },
      ...(info.evidence && { evidence: evidenceFrom(info) }),
      ...(info.notice && { notice: noticeFrom(info.notice) }),
    },
  };
}

export type Urgency = "urgent" | "not-urgent" | "not-assessed";

/** Nothing is known of a call under way: it must not be taken for one that can wait. */
export function urgencyOf(record: CallRecord): Urgency {
  if (isOngoing(record)) return "not-assessed";
  return record.details.structuredData.urgentStatus ? "urgent" : "not-urgent";
}

export type TransferStatus = "Transferred" | "Not transferred" | "Not Applicable";

export function transferStatus({ transferTo, transferred }: Partial<StructuredData>): TransferStatus {
  if (!transferTo) return NOT_APPLICABLE;
  return transferred ? "Transferred" : "Not transferred";
}

function messagesFrom(info: CallInfo): RecordMessage[] {
  return list(info.messages).map(({ role, message }) => ({ role: text(role), message: text(message) }));
}

function noticeFrom({ version, keptDays }: NonNullable<CallInfo["notice"]>): string {
  return `The caller was shown the notice of ${text(version)}: an AI answers, kept for ${text(keptDays)} days.`;
}

function evidenceFrom(info: CallInfo): Evidence[] {
  const same = (one: EvidenceInfo, other: EvidenceInfo) =>
    one.claim === other.claim && one.words === other.words && one.turn === other.turn;
  const triggers = list(info.escalationTriggers);
  return list(info.evidence).map((each) => ({
    claim: text(each.claim),
    words: text(each.words),
    message: Number.isInteger(each.messageIndex) ? (each.messageIndex as number) : null,
    raisedFlag: triggers.some((trigger) => same(trigger, each)),
  }));
}

function instant(date: string | null | undefined): number | undefined {
  const time = date ? new Date(date).getTime() : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function list<T extends object>(values: readonly T[] | null | undefined): T[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "object" && value !== null) : [];
}
