/**
 * The history in the browser's local storage: written on every change, read only when the server
 * cannot be reached. Storage that is full or forbidden is no reason for anything to fail.
 */
import { ACTIVE_CALL, type CallRecord } from "./call-record.ts";
import { type History, withoutDuplicates } from "./history.ts";

const KEY = "call-records";

export function storeHistory(history: History): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(history));
  } catch {
    console.warn("the call records could not be stored in this browser");
  }
}

export function storedHistory(): History {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? withoutDuplicates(stored.filter(isRecord).map(withStatus)) : [];
  } catch {
    return [];
  }
}

type Stored = Omit<CallRecord, "status"> & { status?: unknown };

/** An older page stored no status: by the title it told a call under way. */
function withStatus(stored: Stored): CallRecord {
  const { status } = stored;
  if (status === "in-progress" || status === "ended") return { ...stored, status };
  return { ...stored, status: stored.details.summaryTitle === ACTIVE_CALL ? "in-progress" : "ended" };
}

/** Storage holds whatever an older page, or a person, wrote there. */
function isRecord(value: unknown): value is Stored {
  if (!isObject(value) || !hasTexts(value, "id", "callId", "createdDate", "duration")) return false;
  const { details } = value;
  if (!isObject(details) || !hasTexts(details, "summary", "summaryTitle")) return false;
  const { messages, structuredData, evidence } = details;
  return (
    (messages === undefined || areAll(messages, "role", "message")) &&
    (evidence === undefined || areAll(evidence, "claim", "words")) &&
    isObject(structuredData) &&
    ["string", "undefined"].includes(typeof structuredData.follow_up)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function hasTexts(value: Record<string, unknown>, ...names: string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}

function areAll(values: unknown, ...names: string[]): boolean {
  return Array.isArray(values) && values.every((each) => isObject(each) && hasTexts(each, ...names));
}
