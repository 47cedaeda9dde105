/** What one is to look at soon and nothing rings for: a call that has become urgent, one for which nobody was reached, a case that came back. */
import { useEffect, useRef } from "react";
import { showNotification } from "./desk-notification.ts";
import { chime } from "./desk-sound.ts";

export interface Alert {
  /** Its own: what was there before is told once. */
  id: string;
  /** Without a word of a caller's. */
  title: string;
}

/**
 * Sounds once and shows a notification for what is new among these. What stands there when the page begins is read and not told; null until
 * that is known. `quiet`: one talks with a caller, and is told nothing.
 */
export function useAlerts(alerts: readonly Alert[] | null, quiet: boolean): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!alerts) return;
    const before = known.current;
    known.current = new Set(alerts.map(({ id }) => id));
    const fresh = before ? alerts.filter(({ id }) => !before.has(id)) : [];
    if (quiet || fresh.length === 0) return;
    chime();
    for (const { id, title } of fresh) showNotification(id, title);
  }, [alerts, quiet]);
}
