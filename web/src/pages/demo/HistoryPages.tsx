/** Which part of a long history is shown, and the way to the rest. */
import type { Page } from "../../records/selection.ts";
import { Button } from "../../ui/Button.tsx";

interface HistoryPagesProps {
  page: Page;
  onTurn: (number: number) => void;
}

export function HistoryPages({ page, onTurn }: HistoryPagesProps) {
  if (page.count === 1) return null;
  const turns = [
    ["First", 1, page.number === 1],
    ["Previous", page.number - 1, page.number === 1],
    ["Next", page.number + 1, page.number === page.count],
    ["Last", page.count, page.number === page.count],
  ] as const;
  return (
    <nav aria-label="Pages of the call history" className="mt-5 flex flex-wrap items-center gap-2">
      <p className="mr-2 text-sm text-quiet max-sm:basis-full">
        Page {page.number.toLocaleString("en-SG")} of {page.count.toLocaleString("en-SG")}
      </p>
      {turns.map(([label, number, useless]) => (
        // Stays focusable at an end, so that the focus is not lost there.
        <Button
          key={label}
          unavailable={useless}
          onClick={() => onTurn(number)}
          aria-label={`${label} page`}
          className="min-h-11 rounded-control border border-line-strong px-3 text-sm font-semibold hover:border-ink aria-disabled:border-line aria-disabled:text-quiet"
        >
          {label}
        </Button>
      ))}
    </nav>
  );
}
