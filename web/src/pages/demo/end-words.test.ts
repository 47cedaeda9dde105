/** What a caller reads after every end that there is, with every agency. */
import { describe, expect, it } from "vitest";
import { AGENCY_NAMES } from "../../records/agencies.ts";
import { withKnownNumbers } from "../../ui/known-numbers.ts";
import { type End, endWords } from "./end-words.ts";

/** Every reason that the server gives, and one that nobody knows. */
const REASONS = [
  "assistant-ended-call",
  "assistant-forwarded-call",
  "silence-timed-out",
  "exceeded-max-duration",
  "customer-ended-call",
  "worker-shutdown",
  "call-media-lost",
  "",
];
const AGENCIES = Object.keys(AGENCY_NAMES);
const WHATS = ["call", "conversation"] as const;
const EVERY_END: End[] = WHATS.flatMap((what) =>
  REASONS.flatMap((reason) =>
    [null, ...AGENCIES].flatMap((agency) =>
      [true, false].map((transferred) => ({ what, reason, agency, transferred, withOfficer: false })),
    ),
  ),
);
const call = (reason: string, agency: string | null = null, transferred = false) =>
  endWords({ what: "call", reason, agency, transferred, withOfficer: false });
const allOf = ({ title, told, ring, ownLine, until }: ReturnType<typeof endWords>) =>
  [title, ...told, ring?.label, ring?.who, ownLine, until].join(" ");

describe("after every end, with every agency", () => {
  it.each(EVERY_END)("$what, $reason, $agency, transferred: $transferred", (end) => {
    const words = endWords(end);
    const all = allOf(words);
    // Plain words, and no raw word of the platform's.
    expect(words.title).toMatch(/^[A-Z].*[^.]$/);
    expect(all).not.toMatch(/!|undefined|null|-call|-timed-out|\b(?:user|agent|session)\b/);
    // One word for what it was.
    if (words.title.includes(end.what === "call" ? "conversation" : "call ")) throw new Error(words.title);
    // Danger has its number, also here.
    expect(all).toContain(end.agency === "SOS" ? "995" : "999");
    if (end.agency) expect(all).toContain(`${AGENCY_NAMES[end.agency]} (${end.agency})`);
    // A promise of a counsellor stands only beside a consent, and with the truth about this demonstration.
    if (/counsellor/.test(all)) {
      expect(end.transferred).toBe(true);
      expect(all).toContain("This is a demonstration, and nothing is passed on.");
    }
    if (/^Handed over/.test(words.title)) expect(all).toContain("nobody was dialled");
    // What can be rung is a number the page knows.
    if (words.ring)
      expect(withKnownNumbers(words.ring.label).some(({ href }) => href === words.ring?.href)).toBe(true);
  });
});

describe("a call that an officer talked in last", () => {
  const ended = (agency: string | null, reason = "assistant-forwarded-call") =>
    endWords({
      what: "call",
      reason,
      agency,
      transferred: agency !== null,
      withOfficer: true,
    });

  it.each([null, "SPF", "PAVE"])("says so, and not that nobody was dialled (%s)", (agency) => {
    const words = ended(agency);
    expect(words.title).toBe("The duty officer has ended the call");
    expect(allOf(words)).not.toContain("nobody was dialled");
    expect(allOf(words)).toContain("999");
  });

  it("says who ended it where that was the caller", () => {
    const words = ended("SPF", "customer-ended-call");
    expect(words.title).toBe("You ended the call");
    expect(allOf(words)).not.toContain("nobody was dialled");
  });

  it("leads to the agency's number first", () => {
    expect(ended("SPF").ring?.href).toBe("tel:999");
  });
});

describe("a warm transfer", () => {
  it.each([
    ["SPF", "Handed over to the Singapore Police Force (SPF)", "tel:999"],
    ["SOS", "Handed over to Samaritans of Singapore (SOS)", "tel:1767"],
  ])("to %s names it, and leads to its number first", (agency, title, href) => {
    const words = call("assistant-forwarded-call", agency, true);
    expect(words).toMatchObject({ title, ring: { href }, ringFirst: true });
  });

  it("of which the agency is not known yet shows every number", () => {
    expect(call("assistant-forwarded-call")).toMatchObject({ title: "Handed over", ring: null });
  });

  it("stays one when the caller hangs up first", () => {
    expect(call("customer-ended-call", "SPF", true).title).toMatch(/^Handed over/);
  });

  it("that was not reached says so, and still leads there", () => {
    const words = call("customer-ended-call", "SPF");
    expect(words.title).toBe("You ended the call");
    expect(words.told[0]).toBe(
      "You were not connected to the Singapore Police Force (SPF). You can ring them now.",
    );
    expect(words.ring?.href).toBe("tel:999");
  });
});

describe("a cold transfer", () => {
  it.each([
    ["FSC", "Your case is for a Family Service Centre (FSC)"],
    ["SACC", "Your case is for the Sexual Assault Care Centre (SACC)"],
    ["DVERT", "Your case is for the Domestic Violence Emergency Response Team (DVERT)"],
    ["PAVE", "Your case is for PAVE Integrated Services (PAVE)"],
    ["NAVH", "Your case is for the National Anti-Violence and Sexual Harassment Helpline (NAVH)"],
    ["CPS", "Your case is for the Child Protective Service (CPS)"],
    ["APS", "Your case is for the Adult Protective Service (APS)"],
  ])("to %s, with consent: the next working day, and a line that answers tonight", (agency, title) => {
    const words = call("assistant-ended-call", agency, true);
    expect(words).toMatchObject({ title, ring: { href: "tel:18007770000" } });
    expect(allOf(words)).toContain("within the next working day");
  });

  it("without consent: nothing was shared, and no counsellor is spoken of", () => {
    const words = call("assistant-ended-call", "CPS", false);
    expect(words.title).toBe("The call has ended");
    expect(words.told[0]).toMatch(/^Nothing was shared with the Child Protective Service \(CPS\)\./);
    expect(allOf(words)).not.toMatch(/counsellor|working day/);
  });

  it.each(["SACC", "PAVE"])("to %s, whose number could not be confirmed, says so", (agency) => {
    expect(allOf(call("assistant-ended-call", agency, true))).toContain("(check before launch)");
  });
});

describe("an end without an agency", () => {
  it.each([
    ["assistant-ended-call", "The call has ended"],
    ["customer-ended-call", "You ended the call"],
    ["silence-timed-out", "It was quiet, so the call ended"],
    ["exceeded-max-duration", "The call reached its longest time"],
    ["worker-shutdown", "The call was ended on our side"],
    ["call-media-lost", "The call was cut off"],
    ["something new", "The call has ended"],
  ])("%s: %s, and one can call again", (reason, title) => {
    const words = call(reason);
    expect(words.title).toBe(title);
    expect(words.told.join(" ")).toContain("You can call again at any time.");
    expect(words.ringFirst).toBe(false);
  });

  it("by silence offers the police by text: the caller may not have been able to speak", () => {
    expect(call("silence-timed-out").ring?.href).toBe("sms:70999");
    expect(call("assistant-ended-call").ring?.href).toBe("tel:1771");
  });
});

it("an agency that the page does not know is none", () => {
  expect(call("assistant-ended-call", "XYZ", true)).toEqual(call("assistant-ended-call"));
});
