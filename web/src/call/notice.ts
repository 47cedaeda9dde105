/**
 * What a caller is told beside the button: that a machine answers, what is kept and for how long, who reads it. Nothing has
 * to be confirmed; what is asked of the server says which words stood there, and the record keeps that. Words that change get
 * a new version, the day of the change, and `docs/privacy.md` keeps the old ones.
 */
export const NOTICE_VERSION = "2026-11-30";

/** The same for calls that the hosted platform holds, whose words are others. */
export const HOSTED_NOTICE_VERSION = "2026-11-26";

/** Unless the server says otherwise. */
export const USUALLY_KEPT_DAYS = 30;

/** `isHosted`: the hosted platform is to hold the call, and hears it. */
export function noticeWords(name: string, keptDays: number, isHosted = false): string {
  const time = keptDays === 1 ? "1 day" : `${keptDays} days`;
  if (isHosted)
    return `${name} is an AI, not a person. Another company’s voice service carries this call: it hears you, and may keep what you say by its own rules. We keep it in writing for up to ${time} after it ends, longer only if the team must keep it for a stated reason, and the duty team can read it.`;
  return `${name} is an AI, not a person. What you say is kept in writing for up to ${time} after it ends, longer only if the team must keep it for a stated reason, and the duty team can read it, and may listen or read along. Sound is not kept.`;
}

/** As the server is told of it. */
export function shownNotice(keptDays: number, isHosted = false): string {
  return `${isHosted ? HOSTED_NOTICE_VERSION : NOTICE_VERSION}/${keptDays}`;
}
