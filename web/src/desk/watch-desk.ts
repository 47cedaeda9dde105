/**
 * The desk's events at one node while the page is open. A stream that ends is opened again; one that the server
 * refuses is asked about first, because a browser does not say why.
 */
import type { DeskEvents } from "./contract.ts";
import type { DeskNews } from "./desk-state.ts";

const NAMES: readonly (keyof DeskEvents)[] = [
  "ringing",
  "ringing-over",
  "unreached",
  "call",
  "call-over",
  "duty",
  "case",
];

/** Longer each time, so that a server that comes back is not met by all desks at once. */
const AGAIN_AFTER_MS = [500, 1000, 2000, 4000] as const;
/** A network that falls silent closes no stream: the server is asked now and then, and an answer that never comes tells. */
export const LOOK_EVERY_MS = 10_000;

export interface DeskWatcher {
  connected(): void;
  lost(): void;
  told(news: DeskNews): void;
  /** Asks the server for anything; false when it says that nobody is signed in, rejected when it does not answer. */
  isStillSignedIn(): Promise<boolean>;
  signedOut(): void;
}

/** Returns what ends it. */
export function watchDesk(watcher: DeskWatcher, address: string): () => void {
  let stream: EventSource | null = null;
  let tries = 0;
  let ended = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const open = () => {
    const opened = new EventSource(address);
    stream = opened;
    opened.addEventListener("open", () => {
      tries = 0;
      watcher.connected();
    });
    // The browser's own tries come seconds apart; a caller waits for none of them.
    opened.addEventListener("error", () => opened === stream && lose());
    for (const name of NAMES) {
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        try {
          watcher.told({ type: name, ...JSON.parse(event.data) } as DeskNews);
        } catch {
          console.warn(`an event "${name}" of the desk could not be read`);
        }
      });
    }
  };
  const lose = () => {
    if (ended) return;
    stream?.close();
    stream = null;
    watcher.lost();
    clearTimeout(again);
    again = setTimeout(look, AGAIN_AFTER_MS[Math.min(tries++, AGAIN_AFTER_MS.length - 1)]);
  };
  const look = async () => {
    try {
      const signedIn = await watcher.isStillSignedIn();
      if (ended) return;
      if (!signedIn) watcher.signedOut();
      else if (!stream) open();
    } catch {
      lose();
    }
  };
  const looking = setInterval(() => stream && void look(), LOOK_EVERY_MS);
  const offline = () => lose();
  window.addEventListener("offline", offline);
  open();
  return () => {
    ended = true;
    clearTimeout(again);
    clearInterval(looking);
    window.removeEventListener("offline", offline);
    stream?.close();
  };
}
