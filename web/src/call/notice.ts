/**
 * What a caller is told beside the button: that a machine answers, what is kept and for how long, who reads it. Nothing has
 * to be confirmed; what is asked of the server says which words stood there, and the record keeps that. Words that change get
 * a new version, the day of the change, and `docs/privacy.md` keeps the old ones.
 */
export const NOTICE_VERSION = "2026-11-25";

/** Unless the server says otherwise. */
export const USUALLY_KEPT_DAYS = 30;

export function noticeWords(name: string, keptDays: number): string {
  const time = keptDays === 1 ? "1 day" : `${keptDays} days`;
  return `${name} is an AI, not a person. What you say is kept in writing for up to ${time} after it ends, longer only if the team must keep it for a stated reason, and the duty team can read it. Sound is not kept.`;
}

/** As the server is told of it. */
export function shownNotice(keptDays: number): string {
  return `${NOTICE_VERSION}/${keptDays}`;
}
