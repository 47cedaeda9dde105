/** The way to the records of a long history that have not been fetched yet. */
import type { Rest } from "../../records/use-history.ts";
import { Button } from "../../ui/Button.tsx";

export function MoreRecords({ rest: { state, fetch } }: { rest: Rest }) {
  if (state === "none") return null;
  return (
    <div className="mt-5 flex print:hidden flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        // Stays focusable meanwhile, so that the focus is not lost.
        unavailable={state === "fetching"}
        onClick={fetch}
        className="min-h-11 rounded-control border border-line-strong px-4 font-semibold hover:border-ink aria-disabled:border-line aria-disabled:text-quiet"
      >
        Fetch more records
      </Button>
      <p role="status" className="text-sm text-quiet">
        {state === "fetching" && "Fetching more records…"}
        {state === "failed" && "They could not be fetched. Try again in a moment."}
      </p>
    </div>
  );
}
