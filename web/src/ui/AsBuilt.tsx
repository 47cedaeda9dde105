/**
 * A part that is only read: it stands in the prerendered document, and its script is not sent to those who
 * began there. `children` are fetched by whoever comes from another page of the site. See decision 0029.
 */
import { type ReactNode, Suspense, useState } from "react";

interface AsBuiltProps {
  /** Unique in the document. */
  id: string;
  /** A lazy component; nothing in it answers to a press but links. */
  children: ReactNode;
}

export function AsBuilt({ id, children }: AsBuiltProps) {
  const [built] = useState(() =>
    typeof document === "undefined" ? undefined : document.getElementById(id)?.innerHTML,
  );
  return built ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: what this very place holds already
    <div id={id} dangerouslySetInnerHTML={{ __html: built }} />
  ) : (
    <div id={id}>
      <Suspense fallback={<div className="min-h-svh" />}>{children}</Suspense>
    </div>
  );
}
