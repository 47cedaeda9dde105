/**
 * Finds in a text the telephone numbers that the page knows, and no other: an age, an address or a sum of
 * money is none, and a part of a longer number neither. Pure.
 */
import { CONTACTS, smsLink, telephoneLink } from "../records/agency-contacts.ts";

/** A stretch of a text; with `href` where it is a number to ring or to text. */
export interface Stretch {
  text: string;
  href?: string;
}

const LINKS = new Map(
  Object.values(CONTACTS).flatMap(({ telephone, sms }) => [
    ...(telephone ? [[digitsOf(telephone), telephoneLink(telephone)] as const] : []),
    ...(sms ? [[digitsOf(sms), smsLink(sms)] as const] : []),
  ]),
);

/** Digits, grouped or not: the whole of a number as people write it. */
const NUMBER = /\d+(?:[ \u00a0-]\d+)*/g;
/** What stands before a number that is no telephone's: part of a word, a sum, an address, an age. */
const OTHER_BEFORE =
  /(?:[\p{L}#$€£+@/_]|\d[.,:]|\b(?:block|blk|unit|house|flat|room|level|floor|bus|postal code|singapore|aged?)[\s,]*#?)$/iu;
/** And after it: more of a word, a unit of measure, a street. */
const OTHER_AFTER =
  /^(?:[\p{L}%/_]|[.,:-]\d|\s*(?:years?|dollars?|cents?|per cent|metres?|km|kg)\b|\s+(?:Jalan|Lorong)\b|\s+(?:\p{Lu}[\p{L}'’]*\s+){1,3}(?:Road|Street|Avenue|Drive|Lane|Crescent|Close|Place|Walk|Way|Rise|Terrace|Link|Park|Gardens?|View|Hill|Rd|St|Ave)\b)/u;

export function withKnownNumbers(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  for (const found of text.matchAll(NUMBER)) {
    const [number] = found;
    const digits = digitsOf(number);
    // Short numbers are never written in groups.
    const href = digits === number || digits.length >= 8 ? LINKS.get(digits) : undefined;
    const after = found.index + number.length;
    if (!href || OTHER_BEFORE.test(text.slice(0, found.index)) || OTHER_AFTER.test(text.slice(after)))
      continue;
    if (found.index > end) stretches.push({ text: text.slice(end, found.index) });
    stretches.push({ text: number, href });
    end = after;
  }
  if (end < text.length) stretches.push({ text: text.slice(end) });
  return stretches;
}

function digitsOf(number: string): string {
  return number.replace(/\D/g, "");
}
