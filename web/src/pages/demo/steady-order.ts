/**
 * Keeps records in their places while the reader points at the table, has the focus in it or reads one
 * of them: a call that ends meanwhile changes its row, and moves when they turn away. What the reader
 * asks for themselves, another order or page, comes at once.
 */
import { useMemo, useState } from "react";
import type { History } from "../../records/history.ts";
import { inTheirPlaces } from "../../records/selection.ts";

export interface Attention {
  pointing: boolean;
  focused: boolean;
}

/** `asked` is what the reader asked to see; the places are kept only as long as it stays the same. */
export function useSteadyOrder(records: History, held: boolean, asked: string): History {
  const [kept, setKept] = useState<{ asked: string; places: string[] } | null>(null);
  if (!held && kept) setKept(null);
  if (held && kept?.asked !== asked) setKept({ asked, places: records.map(({ id }) => id) });
  return useMemo(
    () => (held && kept?.asked === asked ? inTheirPlaces(records, kept.places) : records),
    [records, held, kept, asked],
  );
}
