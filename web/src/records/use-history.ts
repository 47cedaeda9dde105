/**
 * The history of calls for a page: loaded from the server, kept up to date by its pushes, and changed
 * by what happens here. The query cache is its one place; local storage gets a copy of every change.
 */
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchCallInfo, fetchCalls, watchCalls } from "../api/server.ts";
import { left } from "../call/leaving.ts";
import {
  addNewCall,
  fillRecord,
  type History,
  historyFromServer,
  removePlaceholder,
  removeRecord,
} from "./history.ts";
import { storedHistory, storeHistory } from "./stored-history.ts";

const KEY = ["history"] as const;

interface Loaded {
  history: History;
  /** Whether the server gave it, or this browser's storage because the server could not be reached. */
  from: "server" | "storage";
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
    remove: (id: string) => change(client, (shown) => removeRecord(shown, id)),
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

async function load(client: QueryClient): Promise<Loaded> {
  const shown = () => client.getQueryData<Loaded>(KEY)?.history ?? [];
  try {
    const calls = await fetchCalls();
    return { history: historyFromServer(calls, shown()), from: "server" };
  } catch (error) {
    console.error("the call records could not be fetched", error);
    return { history: shown().length > 0 ? shown() : storedHistory(), from: "storage" };
  }
}

function change(client: QueryClient, update: (history: History) => History): void {
  client.setQueryData<Loaded>(KEY, (loaded) => ({
    history: update(loaded?.history ?? []),
    from: loaded?.from ?? "server",
  }));
}
