/** The records of the history: what is new, counted, found, in an order, paged, and opened from here. */
import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { CallRecord } from "../../records/call-record.ts";
import type { History } from "../../records/history.ts";
import {
  agenciesOf,
  EVERYTHING,
  isNarrowed,
  type Page,
  pageOf,
  type Selection,
  select,
} from "../../records/selection.ts";
import type { Rest } from "../../records/use-history.ts";
import { useLastLook } from "../../records/use-last-look.ts";
import { Button } from "../../ui/Button.tsx";
import { HistoryControls } from "./HistoryControls.tsx";
import { HistoryPages } from "./HistoryPages.tsx";
import { HistoryTable } from "./HistoryTable.tsx";
import { pageIn, selectionIn, withPage, withSelection } from "./history-address.ts";
import { MoreRecords } from "./MoreRecords.tsx";
import { News } from "./News.tsx";
import { OverviewPlace } from "./OverviewPlace.tsx";
import { type Attention, useSteadyOrder } from "./steady-order.ts";
import { useSeen } from "./use-seen.ts";

interface HistoryRecordsProps {
  history: History;
  rest: Rest;
  /** Whether one of them is open in the panel. */
  reading: boolean;
  onOpen: (record: CallRecord) => void;
}

export function HistoryRecords({ history, rest, reading, onOpen }: HistoryRecordsProps) {
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState("");
  const [attention, setAttention] = useState<Attention>({ pointing: false, focused: false });
  const heading = useRef<HTMLDivElement>(null);
  const seen = useSeen(heading);
  const since = useLastLook(history, seen);
  const addressed = useMemo(() => selectionIn(params), [params]);
  const searched = useDeferredValue(search);
  const selected = useMemo(
    () => select(history, { ...addressed, search: searched }, since),
    [history, addressed, searched, since],
  );
  const asked = JSON.stringify([addressed, searched, pageIn(params)]);
  const records = useSteadyOrder(selected, reading || attention.pointing || attention.focused, asked);
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
  const attend = useCallback(
    (changed: Partial<Attention>) => setAttention((before) => ({ ...before, ...changed })),
    [],
  );

  const selection = { ...addressed, search };
  const clear = () => {
    const { order: _, ...all } = EVERYTHING;
    change(all);
  };
  return (
    <>
      <News
        history={history}
        since={since}
        all={rest.state === "none"}
        onlyNew={selection.onlyNew}
        onOnlyNew={(onlyNew) => change({ onlyNew })}
      />
      {rest.state !== "none" && (
        <p className="mt-2 max-w-[68ch] text-sm text-quiet">
          The first {history.length.toLocaleString("en-SG")} records are here: ongoing calls, then urgent
          ones, then the rest. What you search, filter, sort or count goes through these.
        </p>
      )}
      <OverviewPlace history={history} />
      <div ref={heading} className="scroll-mt-24">
        <HistoryControls selection={selection} agencies={agencies} onChange={change} onClear={clear} />
        {/* Of no records the words below it tell those who see. */}
        <p role="status" className={records.length === 0 ? "sr-only" : "mt-3 min-h-5 text-sm text-quiet"}>
          {countWords(page, records.length, isNarrowed(selection))}
        </p>
        {records.length > 0 ? (
          <HistoryTable
            records={page.records}
            since={since}
            order={selection.order}
            onOrder={putInOrder}
            onOpen={onOpen}
            onAttention={attend}
          />
        ) : (
          <p className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
            No record matches.
            <Button
              onClick={clear}
              className="min-h-11 rounded-control border border-line-strong px-4 font-semibold hover:border-ink"
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
        <MoreRecords rest={rest} />
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
