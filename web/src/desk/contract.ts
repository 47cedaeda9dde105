/**
 * What the duty desk's page and the server tell each other. The shapes are generated from the server's description
 * (`api/schema.d.ts`); here they are named, and known more closely: what may be null is always said, and what is one of a
 * few words is. The stream's events, which no description has, are made of them.
 */
import type { components } from "../api/schema.d.ts";

type Schemas = components["schemas"];

/** A shape by its name, with what is known more closely of some of its fields. */
export type Told<Name extends keyof Schemas, Known = object> = Required<Omit<Schemas[Name], keyof Known>> &
  Known;

export type { NodeName } from "../api/client.ts";

export type Role = "officer" | "supervisor" | "administrator" | "auditor";
export type AccountState = "invited" | "active" | "locked" | "closed";

/** `name` is what colleagues see. */
export type DeskAccount = Omit<Schemas["DeskAccount"], "role" | "state" | "lockedUntil"> & {
  role: Role;
  state: AccountState;
};

export type Reach = "all" | "own-agency" | "never";

/** The acts that the page asks about; the server tells of more. */
export type Act =
  | "see-queue"
  | "see-case"
  | "enter-case"
  | "edit-note"
  | "close-case"
  | "hold-record"
  | "export"
  | "read-report"
  | "manage-shifts"
  | "accept-call"
  | "listen-in"
  | "whisper"
  | "take-over"
  | "take-shift"
  | "manage-accounts"
  | "read-audit";

/** The recovery codes that are left are told at signing in alone. */
export type Signed = Omit<Schemas["DeskSession"], "account" | "may"> & {
  account: DeskAccount;
  may: { [act: string]: Reach };
};

export type SignInForm = Schemas["DeskAttempt"];
export type Invitation = Schemas["DeskInvitation"];

/** What is known of an account before it is invited. */
export type NewAccount = Told<"DeskNewAccount", { role: Role }>;
export type AccountChange = Partial<Omit<NewAccount, "signInName">>;

/** The token is told this once. */
export type Invited = Told<"DeskInvited", { account: DeskAccount }>;

export type AuditPage = Told<"DeskAudit">;

/** Who has the caller. On hold they are the officer's, and with the assistant. */
export type CallStage = "assistant" | "ringing" | "accepted" | "officer" | "on-hold";

/** After a call, one's desk does not ring before `wrapUpUntil`. */
export type OwnDuty = Schemas["Duty"];
/** What is said of oneself, to each node. */
export type SaidDuty = Schemas["OnDuty"];

/** Of several nodes, each knows the calls that it has, and is asked about them by its name. */
export type DeskNodes = Told<"DeskNodes">;

/** A live call, without anything that was said in it. */
export type DeskCall = Told<"DeskCall", { state: CallStage }>;

/** What a supervisor may whisper to the assistant, which says it in its own words. No caller hears the label. */
export type Hint = Schemas["HintOffered"];

export type DeskNote = Schemas["DeskNote"];
/** What was found in a call, and the caller's words that it rests on. */
export type DeskSignal = Schemas["DeskSignal"];

/**
 * `at` is in seconds from the call's start. `officer` is the officer's name; null of others, and where it is not known. One that
 * is partial stands in for its speaker's next words, until those are final.
 */
export type DeskCaption = Told<"DeskCaption", { speaker: Speaker }> & { partial?: true };
export type Speaker = "caller" | "assistant" | "officer";

export type CallInside = Told<"DeskCallInside", { call: DeskCall; captions: DeskCaption[] }>;

export type UnreachedWhy = "nobody-answered" | "all-declined" | "accepted-in-vain" | "line-dropped";

/** The events of `GET /api/desk/events`, by their names. */
export interface DeskEvents {
  ringing: { callId: string; agency: string; since: string; everyone: boolean };
  "ringing-over": { callId: string; takenBy: string | null; yours: boolean };
  unreached: { callId: string; agency: string | null; why: UnreachedWhy };
  call: DeskCall;
  "call-over": { callId: string };
  duty: OwnDuty;
  /** A case is new, or stands otherwise. Without words: the page reads it again. */
  case: { callId: string };
}

/** The events of `GET /api/desk/live/{id}/events`, by their names: of a call while it is open on the page. */
export interface CallEvents {
  /** First. */
  inside: CallInside;
  caption: Omit<DeskCaption, "partial"> & { callId: string; isFinal: boolean };
  /** As they stand now. */
  note: { callId: string; note: DeskNote; signals: DeskSignal[] };
  over: { callId: string };
}
