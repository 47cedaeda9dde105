/**
 * What is said and found in one live call while it is open on the page. A stream that breaks is opened again; one that the
 * server refuses is asked about, because a browser does not say why.
 */
import type { CallEvents, CallInside } from "./contract.ts";

export type CallNews = { [Name in keyof CallEvents]: { type: Name } & CallEvents[Name] }[keyof CallEvents];

const NAMES: readonly (keyof CallEvents)[] = ["inside", "caption", "note", "over"];

/** Longer each time: what comes of each try stands on the audit trail. */
const AGAIN_AFTER_MS = [500, 1000, 2000, 4000, 15_000] as const;

export interface CallWatcher {
  told(news: CallNews): void;
  /** Asks the server for the call; rejected when it refuses, or does not answer. */
  read(): Promise<CallInside>;
  /** Whether it is of use to try again. */
  refused(error: unknown): boolean;
}

/** Returns what ends it. */
export function watchCall(watcher: CallWatcher, address: string): () => void {
  let stream: EventSource | null = null;
  let tries = 0;
  let ended = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const open = () => {
    const opened = new EventSource(address);
    let wasOpen = false;
    stream = opened;
    opened.addEventListener("open", () => {
      wasOpen = true;
    });
    opened.addEventListener("error", () => opened === stream && void lose(wasOpen));
    for (const name of NAMES) {
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        if (ended) return;
        tries = 0;
        try {
          watcher.told({ type: name, ...JSON.parse(event.data) } as CallNews);
        } catch {
          console.warn(`an event "${name}" of a call could not be read`);
        }
        if (name === "over") end();
      });
    }
  };
  const lose = async (wasOpen: boolean) => {
    stream?.close();
    stream = null;
    if (!wasOpen) {
      try {
        const inside = await watcher.read();
        if (!ended) watcher.told({ type: "inside", ...inside });
      } catch (error) {
        if (ended || !watcher.refused(error)) return;
      }
    }
    if (ended) return;
    clearTimeout(again);
    again = setTimeout(open, AGAIN_AFTER_MS[Math.min(tries++, AGAIN_AFTER_MS.length - 1)]);
  };
  const end = () => {
    ended = true;
    clearTimeout(again);
    stream?.close();
    stream = null;
  };
  open();
  return end;
}
