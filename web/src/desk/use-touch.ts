/**
 * Tells the server that somebody is at work on a case of theirs, though nothing is saved: a case that nobody
 * touches goes back to the queue. While they type, and at most once a minute.
 */
import { useEffect } from "react";
import { touchCase } from "./case-api.ts";

export const TOUCH_EVERY_MS = 60_000;

/** A case has several forms, and one officer. */
const toldAt = new Map<string, number>();

/** `words` are other ones each time that something is typed, and null while nothing is to be saved. */
export function useTouch(id: string, words: unknown): void {
  useEffect(() => {
    if (words === null) return;
    const due = (toldAt.get(id) ?? 0) + TOUCH_EVERY_MS;
    const touch = () => {
      toldAt.set(id, Date.now());
      // One that has gone back by now tells so itself; a server that is away is told in a minute.
      touchCase(id).catch(() => {});
    };
    const timer = setTimeout(touch, Math.max(0, due - Date.now()));
    return () => clearTimeout(timer);
  }, [id, words]);
}
