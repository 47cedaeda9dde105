/**
 * What the duty desk's page and the server tell each other. Written by hand, in one place, so that the
 * generated types can stand here once the server's description has them.
 */

export type Role = "officer" | "supervisor" | "administrator" | "auditor";
export type AccountState = "invited" | "active" | "locked" | "closed";

export interface DeskAccount {
  id: string;
  /** What colleagues see. */
  name: string;
  signInName: string;
  role: Role;
  agencies: string[];
  languages: string[];
  state: AccountState;
}

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

export interface Signed {
  account: DeskAccount;
  may: Partial<Record<string, Reach>>;
  /** When one has to sign in again. */
  until: string;
  /** How many are left; told at signing in alone. */
  recoveryCodes?: number;
}

export interface SignInForm {
  signInName: string;
  password: string;
  code: string;
}

export interface Invitation {
  name: string;
  signInName: string;
  until: string;
  totpSecret: string;
  /** `otpauth:`, for the app's camera. */
  totpAddress: string;
}

/** What is known of an account before it is invited. */
export type NewAccount = Pick<DeskAccount, "name" | "signInName" | "role" | "agencies" | "languages">;
export type AccountChange = Partial<Omit<NewAccount, "signInName">>;

/** The token is told this once. */
export interface Invited {
  account: DeskAccount;
  token: string;
  until: string;
}

export interface AuditEntry {
  number: number;
  at: string;
  who: string;
  what: string;
  about: string | null;
  /** Of the account that did it. */
  name?: string | null;
}

export interface AuditPage {
  entries: AuditEntry[];
  /** What `before` asks for the older ones by. */
  next: number | null;
}

/** Who has the caller. */
export type CallStage = "assistant" | "ringing" | "accepted" | "officer";

/** Where the conversation with the assistant is: a stable code, and plain words. */
export interface CallStep {
  code: string;
  words: string;
}

export interface OwnDuty {
  onDuty: boolean;
  /** After a call: one's desk does not ring before then. */
  wrapUpUntil?: string | null;
}

/** What is said of oneself, to each node. */
export interface SaidDuty {
  onDuty: boolean;
  /** On a call that another node has: not rung at this one. */
  busy?: boolean;
  /** One has just had a call at another node. */
  wrapUpUntil?: string;
}

/** One of several nodes behind one address, by its name; null: whichever answers, where only one does. */
export type NodeName = string | null;

/** Of several nodes, each knows the calls that it has, and is asked about them by its name. */
export interface DeskNodes {
  /** The one that answered. */
  here: NodeName;
  nodes: string[];
}

/** A live call, without anything that was said in it. */
export interface DeskCall {
  callId: string;
  startedAt: string;
  agency: string | null;
  urgent: boolean;
  state: CallStage;
  since: string;
  step?: CallStep;
  /** The name of the officer who has it. */
  officer: string | null;
  yours: boolean;
  mayListen: boolean;
}

/** What a supervisor may whisper to the assistant, which says it in its own words. */
export interface Hint {
  code: string;
  /** For who whispers; no caller hears it. */
  label: string;
}

export interface DeskNote {
  summaryTitle: string;
  summary: string;
  structuredData: {
    name?: string | null;
    urgent?: boolean | null;
    location?: string | null;
    follow_up?: string | null;
    abuse_type?: string | null;
    transfer_to?: string | null;
    latest_incident_date?: string | null;
  };
}

/** What was found in a call, and the caller's words that it rests on. */
export interface DeskSignal {
  claim: string;
  words: string;
}

export interface DeskCaption {
  speaker: "caller" | "assistant" | "officer";
  text: string;
  /** Seconds from the call's start. */
  at: number;
}

export interface CallInside {
  call: DeskCall;
  note: DeskNote | null;
  signals: DeskSignal[];
  captions: DeskCaption[];
}

export type UnreachedWhy = "nobody-answered" | "all-declined" | "line-dropped";

/** The events of `GET /api/desk/events`, by their names. */
export interface DeskEvents {
  ringing: { callId: string; agency: string; since: string; everyone: boolean };
  "ringing-over": { callId: string; takenBy: string | null; yours: boolean };
  unreached: { callId: string; agency: string | null; why: UnreachedWhy };
  call: DeskCall;
  "call-over": { callId: string };
  duty: OwnDuty;
  caption: DeskCaption & { callId: string };
  /** A case is new, or stands otherwise. Without words: the page reads it again. */
  case: { callId: string };
}
