/** The desk's words for cases: how one stands, how long it waits, what is due, when it is deleted. Pure. */
import { NOT_APPLICABLE } from "../records/call-record.ts";
import { formatDate } from "../records/format.ts";
import type {
  CaseFacts,
  CaseKind,
  CaseSummary,
  FollowUp,
  FollowUpKind,
  ForgottenWhy,
  Outcome,
} from "./case-contract.ts";
import { listed } from "./desk-words.ts";

export const OUTCOMES: readonly (readonly [outcome: Outcome, name: string, means: string])[] = [
  ["helped", "Helped", "The caller has what they needed."],
  ["referred", "Referred", "Another service has taken it on."],
  ["not-reached", "Not reached", "The caller could not be reached, or did not want to be."],
  ["no-action-needed", "No action needed", "There is nothing to follow up."],
];

export function outcomeName(outcome: Outcome): string {
  return OUTCOMES.find(([code]) => code === outcome)?.[1] ?? outcome;
}

export const KINDS: Readonly<Record<CaseKind, string>> = {
  webCall: "Call",
  chat: "In writing",
  elsewhere: "Taken elsewhere",
};

export const FOLLOW_UP_KINDS: Readonly<Record<FollowUpKind, string>> = {
  task: "Task",
  "call-back": "Call back",
};

export const FORGOTTEN_WHY: Readonly<Record<ForgottenWhy, string>> = {
  closed: "Its time after closing was over",
  age: "The time that callers are told was over",
  asked: "Somebody asked for it",
};

export function stateWords({ state, takenBy, yours, outcome }: CaseSummary): string {
  if (state === "waiting") return "Waiting";
  if (state === "taken") return yours ? "With you" : `With ${takenBy?.name ?? "a colleague"}`;
  return outcome ? `Closed: ${outcomeName(outcome).toLowerCase()}` : "Closed";
}

/** Why a case stands above its equals. */
export function escalationWords({ returned }: Pick<CaseSummary, "returned">): string {
  const times = returned === 1 ? "once" : returned === 2 ? "twice" : `${returned} times`;
  return `It was taken and came back untouched ${times}.`;
}

const JUST_NOW = "just now";
const HOUR = 60;
const DAY = 24 * HOUR;

/** "4 min", "2 h 05 min", "3 days". */
export function waitWords(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  if (minutes < 1) return JUST_NOW;
  if (minutes < HOUR) return `${minutes} min`;
  if (minutes < DAY) return `${Math.floor(minutes / HOUR)} h ${String(minutes % HOUR).padStart(2, "0")} min`;
  const days = Math.floor(minutes / DAY);
  return days === 1 ? "1 day" : `${days} days`;
}

/** "for 4 min". */
export function waitedWords(since: string, now: number): string {
  const words = waitWords(since, now);
  return words === JUST_NOW ? words : `for ${words}`;
}

export function isOverdue({ dueAt, done }: Pick<FollowUp, "dueAt" | "done">, now: number): boolean {
  return done === null && Date.parse(dueAt) < now;
}

export function dueWords(followUp: Pick<FollowUp, "dueAt" | "done">, now: number): string {
  if (followUp.done) return `Done by ${followUp.done.by.name} on ${formatDate(followUp.done.at)}`;
  return `${isOverdue(followUp, now) ? "Overdue since" : "Due"} ${formatDate(followUp.dueAt)}`;
}

export function deletionWords({ held, deletedAt, kind }: CaseSummary): string {
  if (held) return "It is held: nothing of it is deleted by itself.";
  if (deletedAt === null) return "No day is set on which it is deleted.";
  const what = kind === "elsewhere" ? "This case" : "This case and the call’s record";
  return `${what} will be deleted on ${formatDate(deletedAt)}.`;
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  case: "the team’s work",
  acts: "timeline",
  "caller-number": "number",
};

/** "Transcript, note and follow-ups". */
export function kindsWords(kinds: readonly string[]): string {
  const words = listed(kinds.map((kind) => KIND_WORDS[kind] ?? kind));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The facts of a note that are words, in the order in which they are read and edited. */
export const FACT_NAMES: readonly (readonly [
  fact: Exclude<keyof CaseFacts, "urgent" | "transferred" | "transfer_to" | "follow_up">,
  name: string,
])[] = [
  ["name", "Name"],
  ["location", "Place"],
  ["abuse_type", "Kind of abuse"],
  ["latest_incident_date", "Latest incident"],
];

/** The kinds that a note may name. */
export const ABUSE_TYPES = [
  "Physical",
  "Sexual",
  "Emotional",
  "Psychological",
  "Financial",
  "Neglect",
  "Other",
] as const;

export const NOT_KNOWN = "Not known";

/** What stands in the place of a fact. */
export function factWords(value: string | null | undefined, unknown = NOT_KNOWN): string {
  return value && value !== NOT_APPLICABLE ? value : unknown;
}

export const EMPTY_FACTS: CaseFacts = {
  name: "",
  urgent: false,
  location: "",
  follow_up: "",
  abuse_type: "Other",
  transfer_to: NOT_APPLICABLE,
  transferred: false,
  latest_incident_date: "",
};

/** As it stands within a sentence; a name in it keeps its capital. */
export function within(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** "+65 9123 4567". */
export function numberWords(number: string): string {
  return number.replace(/^\+65(\d{4})(\d{4})$/, "+65 $1 $2");
}
