/** Dates, durations and shortenings as the history shows them. Pure. */

const SINGAPORE = new Intl.DateTimeFormat("en-US", {
  timeZone: "Asia/Singapore",
  day: "numeric",
  month: "numeric",
  year: "2-digit",
  hour: "numeric",
  minute: "2-digit",
  hour12: true,
});

/** Day/month/2-digit-year (hour:minute AM/PM), in Singapore's time: "3/11/26 (2:04 AM)". */
export function formatDate(date: string | Date | null | undefined): string {
  if (date === null || date === undefined || date === "") return "N/A";
  try {
    const parsed = new Date(date);
    if (Number.isNaN(parsed.getTime())) return "Invalid date";
    const parts = Object.fromEntries(SINGAPORE.formatToParts(parsed).map(({ type, value }) => [type, value]));
    return `${parts.day}/${parts.month}/${parts.year} (${parts.hour}:${parts.minute} ${parts.dayPeriod})`;
  } catch {
    return "Error formatting date";
  }
}

/** Hours, minutes, seconds: "0h 01m 23s". */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return "N/A";
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3600)}h ${two(Math.floor(whole / 60) % 60)}m ${two(whole % 60)}s`;
}

/** The first `length` characters and an ellipsis, when there are more. Characters are never split. */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length > length ? `${characters.slice(0, length).join("").trimEnd()}…` : text;
}

/** Follow-up advice as a list: it is split at a full stop followed by a space. */
export function followUpPoints(followUp: string): string[] {
  return followUp
    .split(". ")
    .map((point) => point.trim().replace(/\.$/, ""))
    .filter((point) => point !== "");
}
