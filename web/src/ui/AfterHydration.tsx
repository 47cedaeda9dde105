/**
 * Shows `before` in the prerendered document and until the script has taken it over, then `children`: for
 * a page that reads the browser's storage and devices while it renders, and so cannot be prerendered.
 */
import { type ReactNode, useSyncExternalStore } from "react";

const never = () => () => {};

export function AfterHydration({ before, children }: { before: ReactNode; children: ReactNode }) {
  const hydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return hydrated ? children : before;
}
