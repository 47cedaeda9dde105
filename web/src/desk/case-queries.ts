/** What is read of cases and when it is read again: after one's own acts, and when the server tells of a change. */
import { infiniteQueryOptions, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { fetchCase, fetchCases, type Queue } from "./case-api.ts";

export const CASES = ["cases"];
export const queueOf = (queue: Queue) =>
  infiniteQueryOptions({
    queryKey: [...CASES, queue],
    queryFn: ({ pageParam }) => fetchCases(queue, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
/** It is told of in every place, and read again when the server tells of a change. */
export const openQueue = { ...queueOf("open"), staleTime: Number.POSITIVE_INFINITY };
export const caseKey = (id: string) => ["case", id];
export const REPORT = ["report"];
export const SHIFTS = ["shifts"];
export const RECEIPTS = ["receipts"];
export const COLLEAGUES = ["colleagues"];

/** When each case was last asked for: a reading stands on the audit trail, and one act needs one. */
const askedAt = new Map<string, number>();

export function readCase(id: string) {
  askedAt.set(id, Date.now());
  return fetchCase(id);
}

/** A case stands otherwise by one's own act. */
export function readAgain(client: QueryClient, id: string): Promise<unknown> {
  void client.invalidateQueries({ queryKey: CASES });
  return client.invalidateQueries({ queryKey: caseKey(id) });
}

/** What a night's end tells of at once is read once. */
const TOGETHER_MS = 400;

export interface CaseNewsListener {
  told(callId: string): void;
  /** Nobody knows what was told while nothing was heard. */
  heardAgain(): void;
}

export function useCaseNews(): CaseNewsListener {
  const client = useQueryClient();
  const told = useRef(new Map<string, number>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const readWhatWasTold = useCallback(() => {
    timer.current = undefined;
    void client.invalidateQueries({ queryKey: CASES });
    for (const [id, at] of told.current) {
      // One's own act has had it read since.
      if ((askedAt.get(id) ?? 0) <= at) void client.invalidateQueries({ queryKey: caseKey(id) });
    }
    told.current.clear();
  }, [client]);

  return useMemo(
    () => ({
      told: (callId) => {
        told.current.set(callId, Date.now());
        timer.current ??= setTimeout(readWhatWasTold, TOGETHER_MS);
      },
      heardAgain: () => {
        void client.invalidateQueries({ queryKey: CASES });
        void client.invalidateQueries({ queryKey: ["case"] });
      },
    }),
    [client, readWhatWasTold],
  );
}
