/** A form's words beside those that are kept, saved over the version they were typed over. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Refusal } from "../api/client.ts";
import type { CaseInside } from "./case-contract.ts";
import { caseKey, readCase } from "./case-queries.ts";
import {
  afterSaving,
  type Draft,
  keepMine,
  type Standing,
  same,
  shownOf,
  standingOf,
  typed,
} from "./draft.ts";
import { refusalWords } from "./refusal-words.ts";
import { useUnsaved } from "./unsaved-words.ts";
import { useTouch } from "./use-touch.ts";

export interface CaseDraft<T> {
  /** What the form shows. */
  value: T;
  /** What is kept, of which a colleague may be the author. */
  kept: T;
  standing: Standing;
  change(to: T): void;
  save(): Promise<boolean>;
  saving: boolean;
  trouble: string | null;
  keepMine(): void;
  /** One's own words go. */
  drop(): void;
}

interface HowToSave<T> {
  inside: CaseInside;
  of: (inside: CaseInside) => T;
  send: (id: string, version: number, value: T) => Promise<{ version: number }>;
  /** The case with what was saved in it, until it is read again. */
  put: (inside: CaseInside, value: T) => CaseInside;
}

export function useCaseDraft<T>({ inside, of, send, put }: HowToSave<T>): CaseDraft<T> {
  const client = useQueryClient();
  const id = inside.case.callId;
  const key = caseKey(id);
  const [draft, setDraft] = useState<Draft<T> | null>(null);
  const kept = of(inside);
  const standing = standingOf(draft, kept);
  useUnsaved(standing !== "unchanged");
  // A colleague's case that one edits stays theirs to touch.
  const isAtWork = standing !== "unchanged" && inside.case.yours && inside.case.state === "taken";
  useTouch(id, isAtWork ? draft : null);

  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: async (value: T) => {
      try {
        return await send(id, inside.version, value);
      } catch (refusal) {
        if (!(refusal instanceof Refusal && refusal.code === "case-changed")) throw refusal;
        const now = await client.fetchQuery({ queryKey: key, queryFn: () => readCase(id), staleTime: 0 });
        // Another part of the case was changed: that hinders nobody here.
        if (same(of(now), kept)) return await send(id, now.version, value);
        throw refusal;
      }
    },
    onSuccess: ({ version }, value) => {
      client.setQueryData<CaseInside>(key, (now) => now && { ...put(now, value), version });
      setDraft((now) => afterSaving(now, value));
      void client.invalidateQueries({ queryKey: key });
    },
  });
  const isConflict = error instanceof Refusal && error.code === "case-changed" && standing === "conflict";

  return {
    value: shownOf(draft, kept),
    kept,
    standing,
    change: (to) => {
      reset();
      setDraft((now) => typed(now, kept, to));
    },
    save: () =>
      mutateAsync(shownOf(draft, kept)).then(
        () => true,
        () => false,
      ),
    saving: isPending,
    // A conflict is told with both versions beside each other.
    trouble: error && !isConflict ? refusalWords(error) : null,
    keepMine: () => setDraft((now) => now && keepMine(now, kept)),
    drop: () => {
      reset();
      setDraft(null);
    },
  };
}
