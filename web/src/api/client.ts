/**
 * The one client of the server's API: paths, methods, bodies and answers are those of the server's own description, by the
 * types that are generated from it (`schema.d.ts`). What all requests have in common stands here: they are of this site's
 * own visitor or officer, bounded in time, given up when the page is left, and refused by one kind of error.
 *
 * It carries no streams, no sound and no offers of a call: `EventSource`, sockets and WHIP are not requests with a JSON answer.
 */
import createClient, { type Middleware } from "openapi-fetch";
import { left } from "../call/leaving.ts";
import type { paths } from "./schema.d.ts";

const ANSWER_WITHIN_MS = 10_000;

/** An answer that is not a success. What it says to people is told by whoever asked. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  /** The server's own words. */
  readonly told: string;
  readonly againAfterSeconds: number | null;

  constructor(status: number, code = "", told = "", againAfterSeconds: number | null = null) {
    // Without the words: an error may end in the console.
    super(`the server answered ${status} ${code}`.trimEnd());
    this.status = status;
    this.code = code;
    this.told = told;
    this.againAfterSeconds = againAfterSeconds;
  }
}

/** How a request is sent that waits no longer than this. A page that is left asks nothing more, and waits for nothing. */
export const within = (bound: number) => (request: Request) =>
  fetch(request, { signal: AbortSignal.any([request.signal, left, AbortSignal.timeout(bound)]) });

/** How one is sent that is the last of its page, and outlives it. */
export const outlivingThePage = (request: Request) => fetch(request);

const refused: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await refusalOf(response);
  },
};

export const api = createClient<paths>({
  // Whole, where there is an address: only a browser's own requests may be relative.
  baseUrl: globalThis.location?.origin ?? "",
  headers: { Accept: "application/json" },
  cache: "no-store",
  // The session is a cookie that no script can read, and goes to no other site. That a page of ours asks, the browser says itself.
  credentials: "same-origin",
  fetch: within(ANSWER_WITHIN_MS),
});
api.use(refused);

/** One of several nodes behind one address, by its name; null: whichever answers, where only one does. */
export type NodeName = string | null;

/** Where the paths of a node begin, below this site's address. */
export const prefixOf = (node: NodeName) => (node === null ? "" : `/node/${encodeURIComponent(node)}`);

/** Asks this node, and no other. */
export const at = (node: NodeName) => ({ baseUrl: `${globalThis.location?.origin ?? ""}${prefixOf(node)}` });

/**
 * What was answered. Who asks may know more closely what it can be than the description says, such as the words that a
 * code can be; it cannot claim what the description does not allow.
 */
export async function told<Told, Known extends Told = Told>(
  asked: Promise<{ data?: Told; response: Response }>,
): Promise<Known> {
  // What is no success was thrown.
  return (await asked).data as Known;
}

async function refusalOf(response: Response): Promise<Refusal> {
  const answer: unknown = await response.json().catch(() => null);
  const { code, message } = (typeof answer === "object" && answer !== null ? answer : {}) as {
    code?: unknown;
    message?: unknown;
  };
  const after = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new Refusal(
    response.status,
    typeof code === "string" ? code : "",
    typeof message === "string" ? message : "",
    Number.isFinite(after) ? after : null,
  );
}
