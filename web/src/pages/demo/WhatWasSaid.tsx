/** The words of a conversation that is over, folded away under what matters now. */
import type { ReactNode } from "react";

export function WhatWasSaid({ children }: { children: ReactNode }) {
  return (
    <details className="call-said mt-3 max-w-xl">
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 font-semibold underline decoration-ink/40 underline-offset-4 hover:decoration-2">
        What was said
      </summary>
      {children}
    </details>
  );
}
