/**
 * What a caller reads when a conversation is over: what happened, whom to ring, what to do until then. Pure.
 *
 * The line promises a person where it hands over; here nobody is dialled and nothing is passed on
 * (docs/decisions/0007), so every word about an agency says so, and leads to its telephone.
 */
import { AGENCY_NAMES } from "../../records/agencies.ts";
import { CONTACTS, reachOf, smsLink, telephoneLink } from "../../records/agency-contacts.ts";
import type { CallRecord } from "../../records/call-record.ts";

export interface End {
  what: "call" | "conversation";
  /** In the platform's words. */
  reason: string;
  /** The agency's code; null where none was called for, or where it is not known yet. */
  agency: string | null;
  /** Whether it was handed over, or passed on with the caller's consent. */
  transferred: boolean;
  /** Whether an officer of the duty team was the last who talked with the caller. */
  withOfficer: boolean;
}

export interface NumberToRing {
  /** What pressing it does: "Ring 999". */
  label: string;
  href: string;
  /** Who answers, and when. */
  who: string;
}

export interface EndWords {
  title: string;
  told: readonly string[];
  ring: NumberToRing | null;
  /** The agency's line comes before calling again. */
  ringFirst: boolean;
  ownLine: string | null;
  until: string | null;
}

export function endWords(end: End): EndWords {
  const agency = end.agency && AGENCY_NAMES[end.agency] ? end.agency : null;
  const { title, told } = reasonWords(end);
  const withOfficer =
    end.reason === FORWARDED
      ? { title: "The duty officer has ended the call", told: TALKED_WITH_OFFICER }
      : { title, told: [...TALKED_WITH_OFFICER, ...told] };
  if (agency === null) {
    const rest = { ownLine: null, until: IN_DANGER };
    if (end.withOfficer) return { ...withOfficer, ring: ringWithoutAgency(end), ringFirst: false, ...rest };
    if (end.reason === FORWARDED)
      return { title: "Handed over", told: NOBODY_DIALLED, ring: null, ringFirst: true, ...rest };
    return { title, told, ring: ringWithoutAgency(end), ringFirst: false, ...rest };
  }
  const about = {
    ring: ringFor(agency),
    ringFirst: true,
    ownLine: ownLine(agency),
    until: untilThen(agency),
  };
  const name = named(agency);
  if (end.withOfficer) {
    const ringThem = `Nobody from ${name} was on the line. If you need them, ring them yourself.`;
    return { title: withOfficer.title, told: [...withOfficer.told, ringThem], ...about };
  }
  if (end.reason === FORWARDED || (end.transferred && CONNECTED_AT_ONCE.has(agency)))
    return { title: `Handed over to ${name}`, told: NOBODY_DIALLED, ...about };
  if (end.transferred) return { title: `Your case is for ${name}`, told: CASE_TO_SHARE, ...about };
  const nothingCameOfIt = CONNECTED_AT_ONCE.has(agency)
    ? `You were not connected to ${name}. You can ring them now.`
    : `Nothing was shared with ${name}. You can still ring for help yourself.`;
  return { title, told: [nothingCameOfIt, ...told], ...about };
}

/** What the assistant told, and what the record adds once it is there. */
export function endOf(
  what: End["what"],
  { endedReason, transferTo }: { endedReason: string | null; transferTo: string | null },
  record: CallRecord | null,
  withOfficer = false,
): End {
  const { transferTo: noted = null, transferred = false } = record?.details.structuredData ?? {};
  return {
    what,
    reason: endedReason ?? "",
    agency: transferTo ?? noted,
    transferred: transferTo !== null || transferred,
    withOfficer,
  };
}

/** "the Singapore Police Force (SPF)", as in a sentence. */
export function named(agency: string): string {
  const article = ARTICLES[agency] ?? "the ";
  return `${article}${AGENCY_NAMES[agency] ?? agency} (${agency})`;
}

const FORWARDED = "assistant-forwarded-call";
const CONNECTED_AT_ONCE = new Set(["SPF", "SOS"]);
const ARTICLES: Readonly<Record<string, string>> = { SOS: "", PAVE: "", FSC: "a " };

const TALKED_WITH_OFFICER = ["At the end you talked with a person of the duty team."];

const NOBODY_DIALLED = [
  "On a real line they would be with you now. This is a demonstration, and nobody was dialled: please ring them yourself.",
];
const CASE_TO_SHARE = [
  "You agreed to share it. On a real line a counsellor would reach out within the next working day.",
  "This is a demonstration, and nothing is passed on. Please do not wait for a call: ring yourself.",
];
const IN_DANGER =
  "If you are in danger, ring 999, or text 70999 if you cannot speak. If you are hurt or have taken something, ring 995.";

function reasonWords({ what, reason }: End): Pick<EndWords, "title" | "told"> {
  const again = what === "call" ? "You can call again at any time." : "You can write again at any time.";
  switch (reason) {
    case "assistant-ended-call":
      return {
        title: `The ${what} has ended`,
        told: [`Thank you for ${what === "call" ? "talking" : "writing"}. ${again}`],
      };
    case "customer-ended-call":
      return { title: `You ended the ${what}`, told: [again] };
    case "silence-timed-out":
      return {
        title: `It was quiet, so the ${what} ended`,
        told: what === "call" ? [`If you could not speak, you can write instead. ${again}`] : [again],
      };
    case "exceeded-max-duration":
      return { title: `The ${what} reached its longest time`, told: [again] };
    case "worker-shutdown":
      return {
        title: `The ${what} was ended on our side`,
        told: [`Our server had to stop. You did nothing wrong. ${again}`],
      };
    case "call-media-lost":
      return {
        title: `The ${what} was cut off`,
        told: [`The connection broke. You did nothing wrong. ${again}`],
      };
    default:
      return { title: `The ${what} has ended`, told: [again] };
  }
}

/** Whoever was silent may not have been able to speak; to anyone else a person can be of use tonight. */
function ringWithoutAgency({ what, reason }: End): NumberToRing {
  if (what === "call" && reason === "silence-timed-out")
    return { label: "Text 70999", href: smsLink("70999"), who: "Police, if it is not safe to speak" };
  return {
    label: "Ring 1771",
    href: telephoneLink("1771"),
    who: "A person to talk to: national mindline, day and night",
  };
}

function ringFor(agency: string): NumberToRing {
  const { code, telephone } = reachOf(agency);
  return {
    label: `Ring ${telephone}`,
    href: telephoneLink(telephone),
    who: WHO_ANSWERS[code] ?? AGENCY_NAMES[code] ?? code,
  };
}

const WHO_ANSWERS: Readonly<Record<string, string>> = {
  SPF: "Police, day and night",
  SOS: "Suicide helpline, day and night",
  NAVH: "Violence or abuse helpline, day and night",
};

/** Where the number to ring first is another's. */
function ownLine(agency: string): string | null {
  const { telephone, unconfirmed } = CONTACTS[agency] ?? {};
  return telephone && unconfirmed ? `Their own line, by day: ${telephone} (check before launch).` : null;
}

/** In keeping with what the assistant says: `config/knowledge.toml` and the phrases. */
function untilThen(agency: string): string {
  switch (agency) {
    case "SPF":
      return "If you can, get to where other people are, or to a room with a way out. If you cannot speak, text 70999. If anyone is hurt, ring 995.";
    case "SOS":
      return "If you can, go to someone you trust, or ask someone to stay with you. Put away what you could hurt yourself with. If you are hurt or have taken something, ring 995.";
    case "FSC":
      return "For a safe place tonight, ring 1800 777 0000. If you leave, take your identity card, keys, some money and your medicine. In danger, ring 999.";
    case "SACC":
      return "A hospital can look after you, and you need no police report for that. Keeping evidence does take a report to the police, best within three days. In danger, ring 999.";
    case "DVERT":
    case "PAVE":
      return "If things heat up, move to a room with a way out, away from the kitchen. In danger, ring 999, or text 70999 if you cannot speak.";
    case "CPS":
      return "If you can, stay near an adult you trust. In danger, ring 999, or text 70999 if you cannot speak.";
    default:
      return "If someone frightens you, get to where other people are, if you can. In danger, ring 999, or text 70999 if you cannot speak.";
  }
}
