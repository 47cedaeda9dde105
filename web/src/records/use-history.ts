/**
 * The history of calls for a page: loaded from the server, kept up to date by its pushes, and changed
 * by what happens here. The query cache is its one place; local storage gets a copy of every change.
 */
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Refusal } from "../api/client.ts";
import { fetchCallInfo, fetchCalls, watchCalls } from "../api/server.ts";
import { left } from "../call/leaving.ts";
import { type CallRecord, isWhole } from "./call-record.ts";
import {
  addNewCall,
  fillRecord,
  type History,
  historyFromServer,
  removePlaceholder,
  removeRecord,
  withPage,
} from "./history.ts";
import { storedHistory, storeHistory } from "./stored-history.ts";

const KEY = ["history"] as const;

interface Loaded {
  history: History;
  /** Whether the server gave it, or this browser's storage because the server could not be reached. */
  from: "server" | "storage";
  /** The path of the records after these, if there are any. */
  next: string | null;
  /** The call ids of what was removed from the view. */
  removed: ReadonlySet<string>;
}

/** `streamBroken` is told when the server's pushes break off; it must keep its identity. */
export function useHistory(streamBroken: () => void) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: () => load(client),
    staleTime: Number.POSITIVE_INFINITY,
    // Changes keep every record they do not touch; comparing thousands of them deeply finds nothing new.
    structuralSharing: false,
  });
  const history = query.data?.history;
  const next = query.data?.next ?? null;
  const more = useMutation({
    mutationFn: fetchCalls,
    onSuccess: (page, path) =>
      client.setQueryData<Loaded>(KEY, (loaded) =>
        // A page of a list that was fetched anew meanwhile has no place in it.
        loaded && loaded.next === path
          ? { ...loaded, history: withPage(loaded.history, page.calls, loaded.removed), next: page.next }
          : loaded,
      ),
  });

  // What the page clears as it is left must not be written again.
  useEffect(() => {
    if (history && !left.aborted) storeHistory(history);
  }, [history]);
  useEffect(
    () => watchCalls((info) => change(client, (shown) => fillRecord(shown, info)), streamBroken),
    [client, streamBroken],
  );

  return {
    history: history ?? [],
    loading: query.isPending,
    serverReached: query.data?.from !== "storage",
    reload: () => void query.refetch(),
    addNewCall: (callId: string) => change(client, (shown) => addNewCall(shown, callId, new Date())),
    /** The records that are not here yet: how it stands with them, and what fetches the next of them. */
    rest: {
      state: restState(next, more),
      fetch: () => next !== null && more.mutate(next),
    } satisfies Rest,
    remove: (record: CallRecord) => {
      change(client, (shown) => removeRecord(shown, record.id));
      client.setQueryData<Loaded>(KEY, (loaded) =>
        loaded ? { ...loaded, removed: new Set([...loaded.removed, record.callId]) } : loaded,
      );
    },
    /** Fetches what became of a call and fills its record; a placeholder that cannot be filled goes. */
    refresh: async (callId: string) => {
      try {
        const info = await fetchCallInfo(callId);
        change(client, (shown) => fillRecord(shown, info));
      } catch (error) {
        console.error("Error fetching call info", error);
        change(client, (shown) => removePlaceholder(shown, callId));
      }
    },
  };
}

/** The records of a long history that have not been fetched. */
export interface Rest {
  state: "none" | "waiting" | "fetching" | "failed";
  fetch: () => void;
}

function restState(next: string | null, more: { isPending: boolean; isError: boolean }): Rest["state"] {
  if (next === null) return "none";
  if (more.isPending) return "fetching";
  return more.isError ? "failed" : "waiting";
}

/** What was said in a record: there, on its way, not to be had now, or not kept any more. */
export interface Said {
  state: "here" | "fetching" | "failed" | "gone";
  fetch: () => void;
}

/** Fetches what was said in a record that is read, once, and keeps it in the history. */
export function useSaid(record: CallRecord | null): Said {
  const client = useQueryClient();
  const callId = record && !isWhole(record) ? record.callId : null;
  const query = useQuery({
    queryKey: ["said", callId],
    enabled: callId !== null,
    retry: false,
    gcTime: 0,
    queryFn: async () => {
      const info = await fetchCallInfo(callId as string);
      change(client, (shown) => fillRecord(shown, { messages: [], evidence: [], ...info }));
      return true;
    },
  });
  return { state: saidState(callId, query.error), fetch: () => void query.refetch() };
}

function saidState(callId: string | null, error: unknown): Said["state"] {
  if (callId === null) return "here";
  if (!error) return "fetching";
  return error instanceof Refusal && error.status === 404 ? "gone" : "failed";
}

async function load(client: QueryClient): Promise<Loaded> {
  const shown = () => client.getQueryData<Loaded>(KEY)?.history ?? [];
  try {
    const { calls, next } = await fetchCalls();
    return { history: historyFromServer(calls, shown()), from: "server", next, removed: new Set() };
  } catch (error) {
    console.error("the call records could not be fetched", error);
    const history = shown().length > 0 ? shown() : storedHistory();
    return { history, from: "storage", next: null, removed: new Set() };
  }
}

function change(client: QueryClient, update: (history: History) => History): void {
  client.setQueryData<Loaded>(KEY, (loaded) => ({
    from: "server",
    next: null,
    removed: new Set(),
    ...loaded,
    history: update(loaded?.history ?? []),
  }));
}
