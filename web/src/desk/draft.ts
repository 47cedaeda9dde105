/**
 * What somebody types beside what is kept, which a colleague may change meanwhile. Nothing typed is ever
 * lost, and nothing of a colleague's is overwritten unseen. Pure.
 */
export interface Draft<T> {
  /** What was kept when the typing began. */
  base: T;
  mine: T;
}

/** `conflict`: what is kept is neither what was there when the typing began, nor what was typed. */
export type Standing = "unchanged" | "edited" | "conflict";

export function standingOf<T>(draft: Draft<T> | null, kept: T): Standing {
  if (!draft || same(draft.mine, draft.base) || same(draft.mine, kept)) return "unchanged";
  return same(draft.base, kept) ? "edited" : "conflict";
}

/** What the form shows: one's own words while there are any. */
export function shownOf<T>(draft: Draft<T> | null, kept: T): T {
  return draft && standingOf(draft, kept) !== "unchanged" ? draft.mine : kept;
}

export function typed<T>(draft: Draft<T> | null, kept: T, mine: T): Draft<T> {
  const base = draft && standingOf(draft, kept) !== "unchanged" ? draft.base : kept;
  return { base, mine };
}

/** One's own words are to stand, now that the colleague's have been seen. */
export function keepMine<T>(draft: Draft<T>, kept: T): Draft<T> {
  return { base: kept, mine: draft.mine };
}

/** After `saved` was kept: whatever was typed while it was on its way is still a draft. */
export function afterSaving<T>(draft: Draft<T> | null, saved: T): Draft<T> | null {
  return draft && !same(draft.mine, saved) ? { base: saved, mine: draft.mine } : null;
}

/** Plain data of fixed shape. */
export function same(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other;
  const [these, those] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    these.length === those.size &&
    these.every(([key, value]) => those.has(key) && same(value, those.get(key)))
  );
}
