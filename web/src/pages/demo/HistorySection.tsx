/** The records on `/Demo`: found, counted, paged, and opened from here. */
import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { CallRecord } from "../../records/call-record.ts";
import {
  agenciesOf,
  EVERYTHING,
  isNarrowed,
  type Page,
  pageOf,
  type Selection,
  select,
} from "../../records/selection.ts";
import type { useHistory } from "../../records/use-history.ts";
import { Button } from "../../ui/Button.tsx";
import { ExternalLink } from "../../ui/ExternalLink.tsx";
import { HistoryControls } from "./HistoryControls.tsx";
import { HistoryPages } from "./HistoryPages.tsx";
import { HistoryTable } from "./HistoryTable.tsx";
import { pageIn, selectionIn, withPage, withSelection } from "./history-address.ts";
import { OverviewPlace } from "./OverviewPlace.tsx";

interface HistorySectionProps {
  history: ReturnType<typeof useHistory>;
  feedback: string;
  onOpen: (record: CallRecord) => void;
}

export function HistorySection({ history, feedback, onOpen }: HistorySectionProps) {
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
            className="min-h-10 rounded-control border border-line-strong px-4 font-semibold hover:border-ink"
          >
            Try again
          </Button>
        </p>
      )}
      <Records history={history} onOpen={onOpen} />
    </section>
  );
}

function Records({
  history: { history: latest, loading, serverReached },
  onOpen,
}: Pick<HistorySectionProps, "history" | "onOpen">) {
  // Rendered in slices between what the reader does: the call above must not wait for a table.
  const history = useDeferredValue(latest);
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState("");
  const heading = useRef<HTMLDivElement>(null);
  const addressed = useMemo(() => selectionIn(params), [params]);
  const searched = useDeferredValue(search);
  const records = useMemo(
    () => select(history, { ...addressed, search: searched }),
    [history, addressed, searched],
  );
  const agencies = useMemo(() => agenciesOf(history), [history]);
  const page = useMemo(() => pageOf(records, pageIn(params)), [records, params]);
  const change = useCallback(
    ({ search: words, ...rest }: Partial<Selection>) => {
      if (words !== undefined) setSearch(words);
      setParams(withSelection(params, rest), { replace: true, preventScrollReset: true });
    },
    [params, setParams],
  );
  const putInOrder = useCallback((order: Selection["order"]) => change({ order }), [change]);

  if (loading || (history.length === 0 && latest.length > 0))
    return <p className="mt-8 text-quiet">Fetching the records…</p>;
  if (history.length === 0)
    return serverReached ? (
      <p className="mt-8 text-quiet">There are no records yet. The next call will appear here.</p>
    ) : null;

  const selection = { ...addressed, search };
  const clear = () => {
    const { order: _, ...all } = EVERYTHING;
    change(all);
  };
  return (
    <>
      <OverviewPlace history={history} />
      <div ref={heading} className="scroll-mt-24">
        <HistoryControls selection={selection} agencies={agencies} onChange={change} onClear={clear} />
        {/* Of no records the words below it tell those who see. */}
        <p role="status" className={records.length === 0 ? "sr-only" : "mt-3 min-h-5 text-sm text-quiet"}>
          {countWords(page, records.length, isNarrowed(selection))}
        </p>
        {records.length > 0 ? (
          <HistoryTable records={page.records} order={selection.order} onOrder={putInOrder} onOpen={onOpen} />
        ) : (
          <p className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
            No record matches.
            <Button
              onClick={clear}
              className="min-h-10 rounded-control border border-line-strong px-4 font-semibold hover:border-ink"
            >
              Show all records
            </Button>
          </p>
        )}
        <HistoryPages
          page={page}
          onTurn={(number) => {
            setParams(withPage(params, number), { preventScrollReset: true });
            heading.current?.scrollIntoView({ block: "start" });
          }}
        />
      </div>
    </>
  );
}

/** Told to screen readers as it changes; of a short history shown whole there is nothing to tell. */
function countWords(page: Page, found: number, narrowed: boolean): string {
  const records = `${found.toLocaleString("en-SG")} ${found === 1 ? "record" : "records"}`;
  if (page.count > 1)
    return `${page.first.toLocaleString("en-SG")} to ${page.last.toLocaleString("en-SG")} of ${records}`;
  if (!narrowed) return "";
  return found === 0 ? "No records found" : `${records} found`;
}
