/**
 * Which of the caller's words a case note rests on: what raised the flag, and where in the transcript
 * a claim's words stand. Pure.
 */
import type { RecordMessage } from "./call-record.ts";

/** One claim of a note and the caller's words behind it. */
export interface Evidence {
  /** A signal's or a fact's name, or "denies" and a signal's name. */
  claim: string;
  words: string;
  /** Which of the caller's turns, from 0. */
  turn: number;
}

/** Where a claim's words stand in the transcript. */
export interface Place {
  /** Index in the record's messages. */
  message: number;
  /** The words themselves, as a range of the message; empty where the message words it otherwise. */
  from: number;
  to: number;
}

/**
 * The signals that make a case urgent by themselves, as the flow names them in live calls and the
 * sample records in theirs.
 */
const ESCALATION_TRIGGERS: ReadonlySet<string> = new Set([
  "violence now",
  "weapon",
  "threat to kill",
  "strangulation",
  "suicidal thoughts",
  "indirect suicidal signs",
  "suicidal signs",
  "giving things away",
  "self-harm now",
  "overdose now",
  "injury",
  "child at risk",
  "escalation",
  "abuser present",
]);

/** Claims that say who and where the caller is, or how the call went, and raise nothing. */
const FACTS: ReadonlySet<string> = new Set([
  "name",
  "location",
  "age",
  "who did it",
  "latest incident",
  "safe for now",
  "refusal",
]);

export const isDenial = ({ claim }: Evidence) => claim.startsWith("denies ");

/** The evidence that raised an urgent case's flag; for a case that is not urgent there is none. */
export function escalationTriggers(evidence: readonly Evidence[], urgent: boolean): Evidence[] {
  if (!urgent) return [];
  const triggers = evidence.filter(({ claim }) => ESCALATION_TRIGGERS.has(claim));
  if (triggers.length > 0) return triggers;
  // A name this page does not know yet: better everything that was heard than nothing.
  return evidence.filter((each) => !isDenial(each) && !FACTS.has(each.claim));
}

/**
 * The turn is tried first. It counts what the caller said without a break, which a transcript may hold
 * as several messages, so where the words are not there they are looked for in all that the caller said.
 */
export function placeOf({ words, turn }: Evidence, messages: readonly RecordMessage[]): Place | null {
  const callers = messages.flatMap(({ role, message }, i) => (role === "user" ? [{ i, message }] : []));
  const told = callers[turn];
  for (const candidate of told ? [told, ...callers] : callers) {
    const from = words === "" ? -1 : candidate.message.toLowerCase().indexOf(words.toLowerCase());
    if (from >= 0) return { message: candidate.i, from, to: from + words.length };
  }
  return told ? { message: told.i, from: 0, to: 0 } : null;
}
