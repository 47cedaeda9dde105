/** Dates, durations and shortenings as the history shows them. Pure. */
import { singaporeClock } from "./singapore-time.ts";

/** Day/month/2-digit-year (hour:minute AM/PM), in Singapore's time: "3/11/26 (2:04 AM)". */
export function formatDate(date: string | Date | null | undefined): string {
  if (date === null || date === undefined || date === "") return "N/A";
  try {
    const clock = singaporeClock(new Date(date).getTime());
    if (Number.isNaN(clock.getTime())) return "Invalid date";
    const day = `${clock.getUTCDate()}/${clock.getUTCMonth() + 1}/${two(clock.getUTCFullYear() % 100)}`;
    const hours = clock.getUTCHours();
    return `${day} (${hours % 12 || 12}:${two(clock.getUTCMinutes())} ${hours < 12 ? "AM" : "PM"})`;
  } catch {
    return "Error formatting date";
  }
}

/** Hours, minutes, seconds: "0h 01m 23s". */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return "N/A";
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 3600)}h ${two(Math.floor(whole / 60) % 60)}m ${two(whole % 60)}s`;
}

function two(value: number): string {
  return String(Math.abs(value)).padStart(2, "0");
}

const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first `length` characters and an ellipsis, when there are more. A character is what a reader takes for one. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters: string[] = [];
  for (const { segment } of CHARACTERS.segment(text)) {
    if (characters.length === length) return `${characters.join("")}…`;
    characters.push(segment);
  }
  return text;
}

/** Follow-up advice as a list: it is split at a full stop followed by a space. */
export function followUpPoints(followUp: string): string[] {
  return followUp
    .split(". ")
    .map((point) => point.trim().replace(/\.$/, ""))
    .filter((point) => point !== "");
}
