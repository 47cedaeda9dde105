/** Claims of a case note, each with the caller's words, which lead to their place in the transcript. */
import type { Evidence } from "../../records/evidence.ts";
import { Button } from "../../ui/Button.tsx";

interface EvidenceListProps {
  evidence: readonly Evidence[];
  onShow: (evidence: Evidence) => void;
}

export function EvidenceList({ evidence, onShow }: EvidenceListProps) {
  return (
    <ul className="mt-1">
      {evidence.map((each, i) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: claims have no identity, and may repeat
          key={i}
          className="grid gap-x-6 py-0.5 sm:grid-cols-[9.5rem_1fr] sm:items-baseline"
        >
          <span className="text-sm first-letter:uppercase">{each.claim}</span>
          <Button
            onClick={() => onShow(each)}
            className="min-h-8 min-w-0 text-left [overflow-wrap:anywhere] underline decoration-current/40 underline-offset-4 hover:decoration-2 print:no-underline"
          >
            <q dir="auto">{each.words}</q>
            <span className="sr-only"> Show where it was said</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
