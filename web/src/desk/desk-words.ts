/** The desk's words for agencies, states, times and roles. Pure. */
import { AGENCY_NAMES } from "../records/agencies.ts";
import type { AccountState, DeskCall, DeskCaption, Role, UnreachedWhy } from "./contract.ts";

/** A code that is not known here is its own name. */
export function agencyName(code: string | null): string {
  return code === null ? "No agency yet" : (AGENCY_NAMES[code] ?? code);
}

export const AGENCY_CODES = Object.keys(AGENCY_NAMES);

export const LANGUAGES: Readonly<Record<string, string>> = {
  en: "English",
  zh: "Mandarin",
  ms: "Malay",
  ta: "Tamil",
};

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  officer: "Duty officer",
  supervisor: "Supervisor",
  administrator: "Administrator",
  auditor: "Auditor",
};

export const ACCOUNT_STATES: Readonly<Record<AccountState, string>> = {
  invited: "Invited",
  active: "Active",
  locked: "Locked for a while",
  closed: "Closed",
};

export function stageWords({ state, officer, yours, step }: DeskCall): string {
  switch (state) {
    case "assistant":
      return `With the assistant, ${step.words}`;
    case "ringing":
      return "Ringing";
    case "accepted":
      return yours ? "You are being briefed" : `${officer ?? "A colleague"} is being briefed`;
    case "officer":
      return yours ? "You are talking" : `With ${officer ?? "a colleague"}`;
    case "on-hold":
      return yours ? "You have them on hold" : `On hold, with ${officer ?? "a colleague"} on the line`;
  }
}

export function unreachedTitle(agency: string | null): string {
  const call = agency === null ? "a call" : `the call for ${agency}`;
  return `Nobody reached ${call}: the assistant is with the caller`;
}

export const UNREACHED_WHY: Readonly<Record<UnreachedWhy, string>> = {
  "nobody-answered": "Nobody answered in time.",
  "all-declined": "Everybody who was rung declined, or had gone.",
  "accepted-in-vain": "An officer accepted and did not reach the caller, nor did anybody else.",
  "line-dropped": "The officer’s line was lost.",
};

export function dutyWords(onDuty: boolean, agencies: readonly string[], connected = true): string {
  if (!onDuty) return "Off duty: your desk does not ring.";
  if (!connected) return "On duty, but not connected: your desk does not ring now.";
  return `On duty: your desk rings for calls to ${agencies.length > 0 ? listed(agencies) : "any agency"}.`;
}

/** While one wraps up a call; null when that is over. */
export function wrapUpWords(until: string | null, now: number): string | null {
  const left = until === null ? 0 : Math.ceil((Date.parse(until) - now) / 1000);
  return left > 0 ? `Wrapping up: your desk rings again in ${clockOf(left)}.` : null;
}

/** "PAVE, SPF and SOS". */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${last}` : last;
}

const SPEAKERS: Readonly<Record<DeskCaption["speaker"], string>> = {
  caller: "Caller",
  assistant: "Assistant",
  officer: "Officer",
};

/** Who said it; of several officers, which. Callers have names too, so a name does not stand alone. */
export function speakerWords({ speaker, officer }: Pick<DeskCaption, "speaker" | "officer">): string {
  return officer ? `${SPEAKERS[speaker]} ${officer}` : SPEAKERS[speaker];
}

/** Minutes and seconds since then: "0:07", "12:40", "1:02:03". */
export function elapsed(since: string, now: number): string {
  return clockOf((now - Date.parse(since)) / 1000);
}

export function inMinutes(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  if (minutes === 0) return "less than a minute";
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Why a line that was not put down is gone, from how the call stands now. */
export function goneWords(call: DeskCall | undefined): string {
  if (!call) return "The call is over.";
  const isAnOfficers = call.state === "officer" || call.state === "on-hold";
  if (isAnOfficers && call.officer && !call.yours) return `${call.officer} has this call now.`;
  if (call.state === "ringing")
    return "Your line was lost. The assistant is with the caller, and colleagues are being rung.";
  return "Your line was lost. The assistant is with the caller again.";
}
