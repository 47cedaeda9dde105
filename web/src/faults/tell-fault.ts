/**
 * Tells our own server that something in a page failed, where errors are reported elsewhere: what kind of failure, on which
 * page, at which places in our scripts. Never what the error says, which may hold a caller's words. Loaded when something
 * has failed, and not before.
 */
import { api, told } from "../api/client.ts";

/** A page that fails in every frame tells of it no oftener. */
const MOST_OF_A_PAGE = 5;
const MOST_FRAMES = 20;

export interface Place {
  file: string;
  line: number;
  column: number;
}

/** Whether it is wanted; asked once. */
let wanted: Promise<boolean> | undefined;
const toldOf = new Set<string>();

export async function tellFault(error: unknown): Promise<void> {
  const frames = placesIn(error);
  const place = frames[0];
  // What no script of ours has part in is an extension's, or another's.
  if (!place) return;
  const key = `${place.file}:${place.line}:${place.column}`;
  if (toldOf.has(key) || toldOf.size >= MOST_OF_A_PAGE) return;
  toldOf.add(key);
  wanted ??= told(api.GET("/api/config")).then(({ errorReporting }) => errorReporting);
  if (!(await wanted)) return;
  // The path alone: what stands after it may be a call's id, or a token.
  await api.POST("/api/page-fault", { body: { kind: kindOf(error), page: location.pathname, frames } });
}

/** An error's own name. The server knows which there are. */
function kindOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : "Error";
}

/** Where one of our scripts was at work, the innermost first; of each line, its address alone. */
export function placesIn(error: unknown, origin: string = location.origin): Place[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const places: Place[] = [];
  for (const line of stack.split("\n")) {
    const found = /(?:^|[\s(@])(https?:\/\/[^\s()/]+)\/(assets\/[\w.-]+\.js):(\d{1,9}):(\d{1,9})\)?$/.exec(
      line.trim(),
    );
    if (found?.[1] === origin && found[2] && places.length < MOST_FRAMES) {
      places.push({ file: found[2], line: Number(found[3]), column: Number(found[4]) });
    }
  }
  return places;
}
