/** How the line's state is told: what each thing is, and what an operator can do about it. Pure. */
import type { LineStatus, PartStatus } from "../../api/contract.ts";
import type { PillTone } from "../../ui/Pill.tsx";

type Trouble = PartStatus["troubles"][number];

export const LINE_WORDS: Record<
  LineStatus["line"],
  { headline: string; word: string; tone: PillTone; rest: string }
> = {
  open: { headline: "The line is open", word: "Up", tone: "calm", rest: "Whoever rings now is answered." },
  busy: {
    headline: "All lines are busy",
    word: "Full",
    tone: "urgent",
    rest: "Whoever rings now is told whom to ring instead. Where the machine has room, raise max_calls.",
  },
  stopping: {
    headline: "The line is closing",
    word: "Stopping",
    tone: "urgent",
    rest: "No new call is taken. Live callers hear whom to ring.",
  },
};

export const PART_NAMES: Record<PartStatus["part"], string> = {
  ears: "Ears",
  voice: "Voice",
  reader: "Reader",
  records: "Records",
  "chat-model": "Chat model",
  "media-address": "Media address",
};

export const STATE_WORDS: Record<PartStatus["state"], { word: string; tone: PillTone }> = {
  well: { word: "Well", tone: "calm" },
  limited: { word: "Limited", tone: "lamp" },
  failing: { word: "Failing", tone: "urgent" },
  off: { word: "Not set", tone: "plain" },
};

export const TROUBLE_WORDS: Record<Trouble, { what: string; todo: string }> = {
  "ears-busy": {
    what: "More is said than this machine can make out in time.",
    todo: "Lower max_calls, or use a machine with more cores.",
  },
  "ears-failing": {
    what: "What callers say cannot be made out. They are asked to say it once more.",
    todo: "Read the log for the cause. If it lasts, run make setup and start the server again.",
  },
  "voice-busy": {
    what: "It has too much to say. New calls are answered in the lighter voice.",
    todo: "Wait for the rush to pass, or lower max_calls. With tts_url, look at that service.",
  },
  "voice-missing": {
    what: "The voice that is set cannot be had. Callers hear another.",
    todo: "Run make setup, or see the log’s first lines for what is missing.",
  },
  "rules-alone": {
    what: "The trained reader’s weights are missing. Callers are read by the rules alone.",
    todo: "Put the weights where reader_dir says, and start the server again.",
  },
  "records-not-stored": {
    what: "What is said is not stored. It is kept in memory and tried again.",
    todo: "Make room on the disk, end what holds the database, or bring PostgreSQL back. Do not restart the server before.",
  },
  "records-not-read": {
    what: "Records cannot be read. Calls go on.",
    todo: "See that the database can be reached, and what the log says of it.",
  },
  "records-kept-aside": {
    what: "The database could not be opened at the start. What is said is kept in a file aside; the desk is closed.",
    todo: "Do what the log’s first error says. What was kept is taken in by itself: leave the file where it is.",
  },
  "chat-model-failing": {
    what: "It has failed of late and is left alone for half a minute. Replies are the flow’s own.",
    todo: "Look at the service at model_url.",
  },
  "media-only-here": {
    what: "Callers elsewhere are told to send their sound to an address of this machine alone.",
    todo: "Set media_bind to an address they can reach, or media_advertise, and open the port for UDP.",
  },
};

const END_WORDS: Record<string, string> = {
  "assistant-ended-call": "Ended by the assistant",
  "assistant-forwarded-call": "Handed to an agency",
  "silence-timed-out": "Ended in silence",
  "exceeded-max-duration": "Reached the longest duration",
  "customer-ended-call": "Ended by the caller",
  "worker-shutdown": "Ended as the server stopped",
  "call-media-lost": "Line lost",
};

export const endWords = (reason: string) => END_WORDS[reason] ?? reason;

/** "2 days 4 hours", "4 hours 5 minutes", "5 minutes": the two largest. */
export function lengthOfTime(from: string, to: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 60_000));
  const parts = [
    [Math.floor(minutes / 1440), "day"],
    [Math.floor(minutes / 60) % 24, "hour"],
    [minutes % 60, "minute"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).slice(0, 2);
  if (told.length === 0) return "less than a minute";
  return told.map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}
