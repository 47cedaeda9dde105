/** A link to a document that is not written yet: it says so, and leads nowhere. */
import { notBuiltYet } from "./not-built-yet.ts";

export function ToBeAddedLink({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link by the specification, and in time to a document
    <a
      href="#to-be-added"
      onClick={(event) => {
        event.preventDefault();
        notBuiltYet.document();
      }}
      className="inline-block py-1 font-semibold text-ink underline underline-offset-4 hover:decoration-2"
    >
      {children}
    </a>
  );
}
