/** The call history on `/Demo`: what it is, and its records once they have come. */
import { useDeferredValue } from "react";
import type { CallRecord } from "../../records/call-record.ts";
import type { useHistory } from "../../records/use-history.ts";
import { Button } from "../../ui/Button.tsx";
import { ExternalLink } from "../../ui/ExternalLink.tsx";
import { HistoryRecords } from "./HistoryRecords.tsx";

interface HistorySectionProps {
  history: ReturnType<typeof useHistory>;
  feedback: string;
  /** Whether one of them is open in the panel. */
  reading: boolean;
  onOpen: (record: CallRecord) => void;
}

export function HistorySection({ history, feedback, reading, onOpen }: HistorySectionProps) {
  return (
    <section aria-labelledby="history-heading" className="mt-12 sm:mt-16">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <div>
          <h2 id="history-heading" tabIndex={-1} className="font-serif text-title font-medium outline-none">
            Call history
          </h2>
          <p className="mt-1 text-sm text-quiet">
            Ten fictional samples and the calls made from this browser. What the morning team reads.
          </p>
        </div>
        <ExternalLink href={feedback}>Provide Feedback Here</ExternalLink>
      </div>
      {!history.loading && !history.serverReached && (
        <p className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-raised px-4 py-3 text-sm">
          The server cannot be reached.{" "}
          {history.history.length > 0
            ? "These are the records this browser kept."
            : "This browser has kept no records."}
          <Button
            onClick={history.reload}
            className="min-h-11 rounded-control border border-line-strong px-4 font-semibold hover:border-ink"
          >
            Try again
          </Button>
        </p>
      )}
      <Records history={history} reading={reading} onOpen={onOpen} />
    </section>
  );
}

function Records({
  history: { history: latest, rest, loading, serverReached },
  reading,
  onOpen,
}: Omit<HistorySectionProps, "feedback">) {
  // Rendered in slices between what the reader does: the call above must not wait for a table.
  const history = useDeferredValue(latest);
  if (loading || (history.length === 0 && latest.length > 0))
    return <p className="mt-8 text-quiet">Fetching the records…</p>;
  if (history.length > 0)
    return <HistoryRecords history={history} rest={rest} reading={reading} onOpen={onOpen} />;
  return serverReached ? (
    <p className="mt-8 text-quiet">There are no records yet. The next call will appear here.</p>
  ) : null;
}
