/**
 * Cases, the morning report, shifts and what is kept: what the desk's page and the server tell each other
 * about the work after a call. Generated and named as in `contract.ts`.
 */
import type { components } from "../api/schema.d.ts";
import type { Role, Speaker, Told } from "./contract.ts";

type Schemas = components["schemas"];

export type Person = Schemas["DeskPerson"];

export type CaseKind = "webCall" | "chat" | "elsewhere";
export type CaseState = "waiting" | "taken" | "closed";
export type Outcome = "helped" | "referred" | "not-reached" | "no-action-needed";

/**
 * A case as the queue tells it, in its `state` since `since`; it came back to the queue `returned` times because nobody
 * touched it. Its record is deleted by itself at `deletedAt`; null while it is held.
 */
export type CaseSummary = Told<
  "DeskCase",
  { kind: CaseKind; state: CaseState; outcome: Outcome | null; takenBy: Person | null }
>;

/** `next` is what `after` asks for the next ones by. */
export type CasePage = Told<"DeskCases", { cases: CaseSummary[] }>;

/** The platform's eight fields. */
export type CaseFacts = Schemas["StructuredData"];
export type CaseNote = Schemas["DeskCaseNote"];
export type CaseEvidence = Told<"DeskEvidence">;
export type CaseMessage = Told<"DeskCaseMessage", { speaker: Speaker }>;
export type TakenAction = Schemas["DeskActionTaken"];

export type FollowUpKind = "task" | "call-back";
export type FollowUp = Told<"DeskFollowUp", { kind: FollowUpKind }>;

/** `by` is "Assistant", "Server" or a name. */
export type TimelineEntry = Told<"DeskHappening">;

/**
 * `version` counts changes: whoever changes another version than the latest is told. `actions` can be taken, by the list of
 * this case's agency. `deletedIfClosed` says when its record would be deleted if it were closed now, by its outcome.
 */
export type CaseInside = Told<
  "DeskCaseInside",
  {
    case: CaseSummary;
    evidence: CaseEvidence[];
    messages: CaseMessage[];
    followUps: FollowUp[];
    timeline: TimelineEntry[];
    earlier: CaseSummary[];
    deletedIfClosed: { [outcome in Outcome]?: string };
  }
>;

/** A call that was taken elsewhere. */
export type EnteredCase = Schemas["DeskEnteredCall"];

export type NewFollowUp = Schemas["DeskNewFollowUp"] & { kind: FollowUpKind };
export type FollowUpChange = Schemas["DeskFollowUpChange"];

/** Who may own a follow-up, or be on a shift. */
export type Colleague = Told<"DeskColleague", { role: Role }>;

export type Report = Told<
  "DeskReport",
  {
    byAgency: Told<"DeskReportOfAgency">[];
    cases: CaseSummary[];
    followUpsDue: FollowUp[];
  }
>;

export type Shift = Schemas["DeskShift"];

export type ForgottenWhy = "closed" | "age" | "asked";

/** What remains of a record that was deleted. `who` is a name, `server` or `command line`. */
export type Receipt = Told<"DeskReceipt", { why: ForgottenWhy }>;
export type ReceiptPage = Told<"DeskReceipts", { receipts: Receipt[] }>;

/** Whose records an access request asks for. */
export type AccessRequest = { callerNumber: string } | { callId: string };
