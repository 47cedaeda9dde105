/** Which records the history shows, in which order, and which of them are on a page. Pure. */
import { type CallRecord, isOngoing, transferStatus, type Urgency, urgencyOf } from "./call-record.ts";
import type { History } from "./history.ts";
import { isNew } from "./last-look.ts";

export const SORT_KEYS = [
  "id",
  "status",
  "date",
  "duration",
  "urgent",
  "agency",
  "transfer",
  "description",
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Order {
  by: SortKey;
  descending: boolean;
}

export interface Selection {
  /** Every word must be found somewhere in the record. */
  search: string;
  urgent: "all" | "urgent" | "not-urgent";
  /** A code, or `NO_AGENCY`; empty for all. */
  agency: string;
  status: "all" | "ongoing" | "completed";
  /** Only what this browser has not looked at before. */
  onlyNew: boolean;
  /** Null is the order of a shift: see `asAShiftNeeds`. */
  order: Order | null;
}

export const NO_AGENCY = "none";
export const EVERYTHING: Selection = {
  search: "",
  urgent: "all",
  agency: "",
  status: "all",
  onlyNew: false,
  order: null,
};
export const RECORDS_A_PAGE = 25;

export function isNarrowed({ search, urgent, agency, status, onlyNew }: Selection): boolean {
  return search.trim() !== "" || urgent !== "all" || agency !== "" || status !== "all" || onlyNew;
}

/** What ended after `since` is new. */
export function select(history: History, selection: Selection, since: number | null = null): History {
  const words = folded(selection.search).split(/\s+/).filter(Boolean);
  const { urgent, agency, status, onlyNew } = selection;
  const selected = history.filter((record) => {
    const facts = record.details.structuredData;
    if (urgent !== "all" && urgencyOf(record) !== urgent) return false;
    if (agency !== "" && (facts.transferTo ?? NO_AGENCY) !== agency) return false;
    if (status !== "all" && isOngoing(record) !== (status === "ongoing")) return false;
    if (onlyNew && !isNew(record, since)) return false;
    return words.length === 0 || words.every((word) => searchable(record).includes(word));
  });
  return selection.order ? sorted(selected, selection.order) : asAShiftNeeds(selected);
}

/** Calls under way, then urgent ones, then the rest; each as the history has them, the newest first. */
function asAShiftNeeds(records: History): History {
  const ranks: Record<Urgency, CallRecord[]> = { "not-assessed": [], urgent: [], "not-urgent": [] };
  for (const record of records) ranks[urgencyOf(record)].push(record);
  return Object.values(ranks).flat();
}

/**
 * The records in the places they had, whatever has become of them since; those that had none come first.
 * `places` are ids.
 */
export function inTheirPlaces(records: History, places: readonly string[]): History {
  const place = new Map(places.map((id, i) => [id, i]));
  return records.toSorted((a, b) => (place.get(a.id) ?? -1) - (place.get(b.id) ?? -1));
}

/** The codes of the agencies that appear, in the alphabet's order. */
export function agenciesOf(history: History): string[] {
  const codes = new Set(history.flatMap(({ details }) => details.structuredData.transferTo ?? []));
  return [...codes].sort();
}

export interface Page {
  records: History;
  /** From 1, within the pages there are. */
  number: number;
  count: number;
  /** Places of its first and last record among all, from 1; both 0 when there are none. */
  first: number;
  last: number;
}

export function pageOf(records: History, wanted: number): Page {
  const count = Math.max(1, Math.ceil(records.length / RECORDS_A_PAGE));
  const number = Math.min(Math.max(1, wanted), count);
  const from = (number - 1) * RECORDS_A_PAGE;
  const shown = records.slice(from, from + RECORDS_A_PAGE);
  return { records: shown, number, count, first: shown.length && from + 1, last: from + shown.length };
}

const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
type SortValue = string | number | undefined;

const SORT_VALUES: Record<SortKey, (record: CallRecord) => SortValue> = {
  id: ({ id }) => id,
  status: (record) => (isOngoing(record) ? 0 : 1),
  date: ({ startedAt }) => startedAt,
  duration: ({ durationSeconds }) => durationSeconds,
  urgent: (record) => ["urgent", "not-assessed", "not-urgent"].indexOf(urgencyOf(record)),
  agency: ({ details }) => details.structuredData.transferTo ?? undefined,
  transfer: ({ details }) => transferStatus(details.structuredData),
  description: ({ details }) => details.summaryTitle,
};

/** Equal ones keep the history's order; those without a value come last, whichever way it goes. */
function sorted(records: History, { by, descending }: Order): History {
  const valued = records.map((record) => ({ record, value: SORT_VALUES[by](record) }));
  const direction = descending ? -1 : 1;
  return valued
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      if (typeof a.value === "number" && typeof b.value === "number") return direction * (a.value - b.value);
      return direction * COLLATOR.compare(String(a.value), String(b.value));
    })
    .map(({ record }) => record);
}

/** What is searched of a record, put together once: a search of thousands runs with every key pressed. */
const SEARCHABLE = new WeakMap<CallRecord, string>();

function searchable(record: CallRecord): string {
  const known = SEARCHABLE.get(record);
  if (known !== undefined) return known;
  const { summary, summaryTitle, messages, structuredData: facts } = record.details;
  const text = folded(
    [
      record.id,
      record.callId,
      record.createdDate,
      summaryTitle,
      summary,
      facts.transferTo,
      facts.abuseType,
      facts.callerName,
      facts.callerLocation,
      facts.latestIncident,
      facts.follow_up,
      ...(messages ?? []).map(({ message }) => message),
    ].join("\n"),
  );
  SEARCHABLE.set(record, text);
  return text;
}

/** Without case and accents: who types "Jose" means "José" too. */
function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
