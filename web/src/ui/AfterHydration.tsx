/**
 * Shows `before` in the prerendered document and until the script has taken it over, then `children`: for
 * a page that reads the browser's storage and devices while it renders, and so cannot be prerendered.
 *
 * The children come as a transition, which React renders in slices: a slow phone stays touchable meanwhile.
 */
import { type ReactNode, startTransition, useEffect, useState } from "react";

export function AfterHydration({ before, children }: { before: ReactNode; children: ReactNode }) {
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => {
    startTransition(() => setHydrated(true));
  }, []);
  return hydrated ? children : before;
}
