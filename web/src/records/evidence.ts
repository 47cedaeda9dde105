/**
 * Which of the caller's words a case note rests on: what raised the flag, and where in the transcript
 * a claim's words stand. Pure.
 */
import type { CallRecord, RecordMessage } from "./call-record.ts";

/** One claim of a note and the caller's words behind it. */
export interface Evidence {
  /** A signal's or a fact's name, or "denies" and a signal's name. */
  claim: string;
  words: string;
  /** Index in the record's messages, where the server says so. */
  message: number | null;
  raisedFlag: boolean;
}

/** Where a claim's words stand in the transcript. */
export interface Place {
  /** Index in the record's messages. */
  message: number;
  /** The words themselves, as a range of the message; empty where the message words it otherwise. */
  from: number;
  to: number;
}

/** What raised an urgent case's flag, and the rest. */
export function divided({ details }: CallRecord): Divided {
  return dividedEvidence(details.evidence ?? [], details.structuredData.urgentStatus === true);
}

export interface Divided {
  triggers: Evidence[];
  rest: Evidence[];
}

export function dividedEvidence(evidence: readonly Evidence[], urgent: boolean): Divided {
  const triggers = urgent ? evidence.filter(({ raisedFlag }) => raisedFlag) : [];
  return { triggers, rest: evidence.filter((each) => !triggers.includes(each)) };
}

/** Looked for in what the caller said; the assistant's words are evidence of nothing. */
export function placeOf(
  { words, message: told }: Evidence,
  messages: readonly RecordMessage[],
): Place | null {
  const sought = words.toLowerCase();
  const at = (index: number) =>
    messages[index]?.role === "user" && sought !== ""
      ? messages[index].message.toLowerCase().indexOf(sought)
      : -1;
  const index = told !== null && messages[told] ? told : messages.findIndex((_, i) => at(i) >= 0);
  if (index < 0) return null;
  const from = Math.max(0, at(index));
  return { message: index, from, to: at(index) < 0 ? 0 : from + words.length };
}
