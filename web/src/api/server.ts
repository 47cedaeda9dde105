/** Requests to the server's own API. Starting and carrying calls is the voice client's. */
import { left, onLeaving } from "../call/leaving.ts";
import type { CallInfo, LineStatus, PageConfig } from "./contract.ts";

const ANSWER_WITHIN_MS = 10_000;

/** A non-OK answer, with its status and body. */
export class ServerRefusal extends Error {
  override readonly name = "ServerRefusal";
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`the server answered ${status}: ${body}`);
    this.status = status;
    this.body = body;
  }
}

export const fetchConfig = () => get<PageConfig>("/api/config");

/** How the line is. From another machine than the server's own it takes the operator's key. */
export async function fetchStatus(key?: string): Promise<LineStatus> {
  return (await (await answerOf("/api/status", key)).json()) as LineStatus;
}

const FIRST_PAGE = "/api/calls";

/** Some of the samples and the visitor's own calls: those under way first, then urgent ones, each newest first. */
export interface PageOfCalls {
  calls: CallInfo[];
  /** The path of the next page, if there is one. */
  next: string | null;
}

export async function fetchCalls(path: string = FIRST_PAGE): Promise<PageOfCalls> {
  const response = await answerOf(path);
  const [, next = null] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(response.headers.get("Link") ?? "") ?? [];
  return { calls: (await response.json()) as CallInfo[], next };
}

export const fetchCallInfo = (callId: string) =>
  get<CallInfo>(`/api/getCallInfo?${new URLSearchParams({ callId })}`);

/**
 * Tells every finished or changed call of this visitor as it happens, and when the stream of events
 * breaks off, which may mean that the server is gone. Returns what stops it.
 */
export function watchCalls(changed: (info: CallInfo) => void, broken: () => void): () => void {
  const events = new EventSource("/api/calls/events");
  events.addEventListener("call-updated", (event: MessageEvent<string>) => {
    try {
      changed(JSON.parse(event.data) as CallInfo);
    } catch {
      console.warn("a pushed call could not be read; the fetch after the call will bring it");
    }
  });
  events.addEventListener("error", broken);
  const close = () => events.close();
  const removal = onLeaving(close);
  if (left.aborted) close();
  return () => {
    removal();
    close();
  };
}

async function get<T>(path: string): Promise<T> {
  return (await (await answerOf(path)).json()) as T;
}

async function answerOf(path: string, key?: string): Promise<Response> {
  const response = await fetch(path, {
    headers: { Accept: "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
    signal: AbortSignal.any([left, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  });
  if (!response.ok) throw new ServerRefusal(response.status, await response.text());
  return response;
}
