/** What went wrong at the desk, in words that say what to do. Pure. */
import { Refusal } from "../api/client.ts";

export const NO_ANSWER = "The server does not answer. Look at your network, and try again.";
export const NO_DESK =
  "There is no duty desk here yet. Whoever runs this server sets it up with: nightlight desk add-officer";

const WORDS: Readonly<Record<string, string>> = {
  "not-signed-in": "You are not signed in any more. Sign in again.",
  "desk-busy": "Too many people are signing in at this moment. Try again in a few seconds.",
  "provider-unreachable":
    "The service that you sign in by does not answer. Try again in a moment, or use your password and code.",
  "role-forbids": "Your role does not include this.",
  "path-not-found": NO_DESK,
  "call-not-found": "This call is not there any more.",
  "case-not-found": "This case is not there any more, or is not yours to see.",
  "case-changed": "A colleague has changed this case meanwhile. Read it again, then save.",
  "action-missing": "Say first what was done: choose an action, or put it in words.",
  "call-over": "Nobody is rung for this call any more.",
  "call-not-with-assistant": "The assistant does not have this caller now.",
  "invitation-not-found":
    "This link has been used, has run out, or was replaced by a newer one. Ask an administrator to invite you again.",
  "records-unavailable": "The records cannot be reached at this moment. Try again.",
  "origin-foreign": "This page was not opened at the desk’s own address. Open it there.",
};

/** Those whose message is the best there is: it names a colleague, a field, or what to try. */
const TOLD_BEST: ReadonlySet<string> = new Set([
  "call-taken",
  "case-taken",
  "field-invalid",
  "sign-in-refused",
]);

export function refusalWords(error: unknown): string {
  if (!(error instanceof Refusal)) return NO_ANSWER;
  if (TOLD_BEST.has(error.code) && error.told) return sentence(error.told);
  if (error.status === 429) return `Too many tries in a short time. ${again(error.againAfterSeconds)}`;
  return WORDS[error.code] ?? (error.told ? sentence(error.told) : "This did not work. Try again.");
}

function again(seconds: number | null): string {
  if (seconds === null) return "Try again in a minute.";
  if (seconds < 90) return `Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}

/** The server's messages begin small and end open. */
function sentence(told: string): string {
  const begun = told.charAt(0).toUpperCase() + told.slice(1);
  return /[.?]$/.test(begun) ? begun : `${begun}.`;
}
