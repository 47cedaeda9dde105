/** A link that opens a page outside the site in a new tab, without access back to this one. */
import type { ReactNode } from "react";
import { ExternalIcon } from "./public-icons.tsx";

export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-11 items-center gap-2 rounded-control font-semibold text-link underline underline-offset-4 hover:decoration-2"
    >
      {children}
      <ExternalIcon className="size-4" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}
