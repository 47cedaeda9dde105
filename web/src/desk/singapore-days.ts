/** Days, nights and weeks by Singapore's calendar, and what a browser's date fields hold. Pure. */
import { singaporeClock } from "../records/singapore-time.ts";
import type { Period } from "./case-api.ts";

const DAY_MS = 86_400_000;
const ZONE = "+08:00";
/** A night at the desk goes from this hour of its evening to that of its morning. */
const EVENING = "18:00";
const MORNING = "08:00";
const EVENING_HOUR = 18;

const instant = (day: string, clock: string) => new Date(`${day}T${clock}:00${ZONE}`).toISOString();

/** "2026-11-25", in Singapore. */
export function dayOf(time: string | number): string {
  return singaporeClock(new Date(time).getTime()).toISOString().slice(0, 10);
}

export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The evening of the night that began last. */
export function lastEvening(now: number): string {
  const today = dayOf(now);
  return singaporeClock(now).getUTCHours() >= EVENING_HOUR ? today : dayAfter(today, -1);
}

export function nightOf(evening: string): Period {
  return { from: instant(evening, EVENING), until: instant(dayAfter(evening), MORNING) };
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return dayAfter(day, -((weekday + 6) % 7));
}

export function weekFrom(monday: string): { days: string[]; period: Period } {
  const days = Array.from({ length: 7 }, (_, i) => dayAfter(monday, i));
  return { days, period: { from: instant(monday, "00:00"), until: instant(dayAfter(monday, 7), "00:00") } };
}

const LONG = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});

/** "Tuesday 24 November". */
export function dayWords(day: string): string {
  return LONG.format(new Date(`${day}T00:00:00Z`)).replace(",", "");
}

/** "6:00 PM", in Singapore. */
export function clockWords(time: string): string {
  const clock = singaporeClock(Date.parse(time));
  const hours = clock.getUTCHours();
  const minutes = String(clock.getUTCMinutes()).padStart(2, "0");
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
}

/** What a field for a date and a time holds: "2026-11-25T14:00", in Singapore. */
export function fieldOf(time: string | number): string {
  return singaporeClock(new Date(time).getTime()).toISOString().slice(0, 16);
}

/** The moment that such a field means; null where it is empty or no date. */
export function momentOf(field: string): string | null {
  const time = Date.parse(`${field}${ZONE}`);
  return field === "" || Number.isNaN(time) ? null : new Date(time).toISOString();
}
