/** What the demonstration and the status page ask. Starting and carrying calls is the voice client's. */
import { left, onLeaving } from "../call/leaving.ts";
import { api, told } from "./client.ts";
import type { CallInfo, LineStatus, PageConfig } from "./contract.ts";

export const fetchConfig = (): Promise<PageConfig> => told(api.GET("/api/config"));

/** How the line is. From another machine than the server's own it takes the operator's key. */
export const fetchStatus = (key?: string): Promise<LineStatus> =>
  told(api.GET("/api/status", key ? { headers: { Authorization: `Bearer ${key}` } } : {}));

/** Some of the samples and the visitor's own calls: those under way first, then urgent ones, each newest first. */
export interface PageOfCalls {
  calls: CallInfo[];
  /** What the next page is asked for by, if there is one. */
  next: string | null;
}

export async function fetchCalls(next?: string): Promise<PageOfCalls> {
  const asked = api.GET("/api/calls", { params: { query: Object.fromEntries(new URLSearchParams(next)) } });
  const { response } = await asked;
  const [, after = null] =
    /<[^>?]*\?([^>]*)>\s*;\s*rel="?next"?/.exec(response.headers.get("Link") ?? "") ?? [];
  return { calls: await told(asked), next: after };
}

export const fetchCallInfo = (callId: string): Promise<CallInfo> =>
  told(api.GET("/api/getCallInfo", { params: { query: { callId } } }));

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
