/** What is new since this browser last looked, in a sentence, with the way to it. */
import type { History } from "../../records/history.ts";
import { isNew, newsWords } from "../../records/last-look.ts";
import { Button } from "../../ui/Button.tsx";

interface NewsProps {
  history: History;
  since: number | null;
  /** Whether no record is missing from the history. */
  all: boolean;
  onlyNew: boolean;
  onOnlyNew: (onlyNew: boolean) => void;
}

export function News({ history, since, all, onlyNew, onOnlyNew }: NewsProps) {
  const words = newsWords(history, since, all);
  if (!words) return null;
  return (
    <p className="mt-3 flex print:hidden min-h-11 flex-wrap items-center gap-x-4 font-semibold">
      {words}
      {(onlyNew || history.some((record) => isNew(record, since))) && (
        <Button
          onClick={() => onOnlyNew(!onlyNew)}
          className="min-h-11 rounded-control text-link underline underline-offset-4 hover:decoration-2"
        >
          {onlyNew ? "Show all records" : "Show only what is new"}
        </Button>
      )}
    </p>
  );
}
