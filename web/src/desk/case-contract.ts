/**
 * Cases, the morning report, shifts and what is kept: what the desk's page and the server tell each other
 * about the work after a call. Beside `contract.ts`, and written by hand for the same reason.
 */
import type { Role } from "./contract.ts";

export interface Person {
  id: string;
  name: string;
}

export type CaseKind = "webCall" | "chat" | "elsewhere";
export type CaseState = "waiting" | "taken" | "closed";
export type Outcome = "helped" | "referred" | "not-reached" | "no-action-needed";

/** A case as the queue tells it. */
export interface CaseSummary {
  callId: string;
  kind: CaseKind;
  startedAt: string;
  endedAt: string;
  durationSeconds: number;
  agency: string | null;
  urgent: boolean;
  state: CaseState;
  /** It is in this state since. */
  since: string;
  takenBy: Person | null;
  yours: boolean;
  /** How often it came back to the queue because nobody touched it. */
  returned: number;
  escalated: boolean;
  title: string;
  openFollowUps: number;
  nextDueAt: string | null;
  outcome: Outcome | null;
  held: boolean;
  /** When its record is deleted by itself; null while it is held. */
  deletedAt: string | null;
}

export interface CasePage {
  cases: CaseSummary[];
  /** What `after` asks for the next ones by. */
  next: string | null;
}

/** The platform's eight fields. */
export interface CaseFacts {
  name: string;
  urgent: boolean;
  location: string;
  follow_up: string;
  abuse_type: string;
  transfer_to: string;
  transferred: boolean;
  latest_incident_date: string;
}

export interface CaseNote {
  summaryTitle: string;
  summary: string;
  structuredData: CaseFacts;
}

export interface CaseEvidence {
  claim: string;
  words: string;
  messageIndex: number | null;
  escalates: boolean;
}

export interface CaseMessage {
  speaker: "caller" | "assistant" | "officer";
  text: string;
  /** Seconds from the call's start. */
  at: number;
}

export interface TakenAction {
  actions: string[];
  words: string;
  by: Person;
  at: string;
}

export type FollowUpKind = "task" | "call-back";

export interface FollowUp {
  id: string;
  kind: FollowUpKind;
  words: string;
  dueAt: string;
  owner: Person | null;
  done: { by: Person; at: string } | null;
  callId: string;
}

export interface TimelineEntry {
  at: string;
  /** "Assistant", "Server" or a name. */
  by: string;
  what: string;
  words: string | null;
}

export type CaseAct = "take" | "edit" | "close" | "reopen" | "hold";

export interface CaseInside {
  case: CaseSummary;
  /** Counts changes: whoever changes another version than the latest is told. */
  version: number;
  note: CaseNote;
  machineNote: CaseNote | null;
  noteEdited: { by: Person; at: string } | null;
  evidence: CaseEvidence[];
  messages: CaseMessage[];
  /** What can be done, by the list of this case's agency. */
  actions: { code: string; label: string }[];
  actionTaken: TakenAction | null;
  followUps: FollowUp[];
  timeline: TimelineEntry[];
  callerNumber: string | null;
  earlier: CaseSummary[];
  hold: { by: Person; at: string; reason: string } | null;
  may: Record<CaseAct, boolean>;
  /** When it would be deleted if it were closed now, by its outcome; absent where the server does not say. */
  deletedIfClosed?: Partial<Record<Outcome, string>>;
}

/** A call that was taken elsewhere. */
export interface EnteredCase extends CaseNote {
  startedAt: string;
  durationMinutes: number;
  callerNumber?: string;
}

export interface NewFollowUp {
  kind: FollowUpKind;
  words: string;
  dueAt: string;
  ownerId?: string;
}
export interface FollowUpChange {
  words?: string;
  dueAt?: string;
  ownerId?: string | null;
  done?: boolean;
}

/** Who may own a follow-up, or be on a shift. */
export interface Colleague extends Person {
  role: Role;
}

export interface Report {
  from: string;
  until: string;
  calls: number;
  urgent: number;
  transferred: number;
  reachedAPerson: number;
  notReached: number;
  cutOff: number;
  waiting: number;
  closed: number;
  byAgency: { agency: string | null; cases: number; urgent: number }[];
  cases: CaseSummary[];
  followUpsDue: FollowUp[];
}

export interface Shift {
  id: string;
  account: Person;
  begins: string;
  ends: string;
}

export type ForgottenWhy = "closed" | "age" | "asked";

/** What remains of a record that was deleted. */
export interface Receipt {
  callId: string;
  deletedAt: string;
  why: ForgottenWhy;
  /** A name, `server` or `command line`. */
  who: string;
  kinds: string[];
  hash: string;
}

export interface ReceiptPage {
  receipts: Receipt[];
  next: string | null;
}

/** Whose records an access request asks for. */
export type AccessRequest = { callerNumber: string } | { callId: string };
