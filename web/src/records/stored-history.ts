/**
 * The history in the browser's local storage: written on every change, read only when the server
 * cannot be reached. Storage that is full or forbidden is no reason for anything to fail.
 */
import type { CallRecord } from "./call-record.ts";
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
    return Array.isArray(stored) ? withoutDuplicates(stored.filter(isRecord)) : [];
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is CallRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "callId" in value &&
    typeof value.callId === "string" &&
    "details" in value &&
    typeof value.details === "object" &&
    value.details !== null &&
    "messages" in value.details &&
    Array.isArray(value.details.messages) &&
    "structuredData" in value.details
  );
}
