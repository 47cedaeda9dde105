/** The last look in the browser's local storage. Storage that is full or forbidden is as if nobody had looked. */
import type { Look } from "./last-look.ts";

const KEY = "last-look";

export function storeLook(look: Look): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(look));
  } catch {
    console.warn("that the records were looked at could not be stored in this browser");
  }
}

export function storedLook(): Look | null {
  try {
    const { since, upTo, at } = JSON.parse(localStorage.getItem(KEY) ?? "null") ?? {};
    return [since, upTo, at].every(Number.isFinite) ? { since, upTo, at } : null;
  } catch {
    return null;
  }
}
