/** The records at a glance: how many, how many urgent, when, and to whom. The same as tables on request. */
import { type ReactNode, useMemo, useState } from "react";
import { AGENCY_NAMES } from "../../../records/agencies.ts";
import type { History } from "../../../records/history.ts";
import { type Count, overviewOf } from "../../../records/overview.ts";
import { AgenciesChart } from "./AgenciesChart.tsx";
import { callsWord, notInPeriodsWords, PERIOD_HEADINGS, percent } from "./overview-words.ts";
import { PeriodsChart } from "./PeriodsChart.tsx";

export function RecordsOverview({ history }: { history: History }) {
  const [tables, setTables] = useState(false);
  const overview = useMemo(() => overviewOf(history), [history]);
  const { calls, urgent, transferred, periods, periodLength, agencies } = overview;
  const omitted = notInPeriodsWords(overview.notInPeriods);
  return (
    <div className="grid gap-x-14 gap-y-8 md:grid-cols-2 lg:grid-cols-[13rem_1.5fr_1fr]">
      <div className="md:max-lg:col-span-2">
        <dl className="grid grid-cols-3 gap-x-6 lg:grid-cols-1">
          <Figure label="All calls" value={calls.toLocaleString("en-SG")} />
          <Figure
            label="Urgent calls"
            value={percent(urgent, calls)}
            more={`${urgent.toLocaleString("en-SG")} of ${callsWord(calls)}`}
            mark="bg-urgent"
          />
          <Figure
            label="Transferred calls"
            value={percent(transferred, calls)}
            more={`${transferred.toLocaleString("en-SG")} of ${callsWord(calls)}`}
          />
        </dl>
        <button
          type="button"
          aria-expanded={tables}
          onClick={() => setTables(!tables)}
          className="mt-4 min-h-11 text-sm font-semibold text-link underline underline-offset-4 hover:decoration-2"
        >
          {tables ? "Show as charts" : "Show as tables"}
        </button>
      </div>
      <Part heading={PERIOD_HEADINGS[periodLength]} note={omitted}>
        {tables ? (
          <CountTable caption={PERIOD_HEADINGS[periodLength]} of="From" counts={periods} />
        ) : (
          periods.length > 0 && <PeriodsChart overview={overview} />
        )}
      </Part>
      <Part heading="Calls by agency" note={null}>
        {tables ? (
          <CountTable caption="Calls by agency" of="Agency" counts={agencies} />
        ) : (
          <AgenciesChart overview={overview} />
        )}
      </Part>
    </div>
  );
}

function Figure({
  label,
  value,
  more,
  mark,
}: {
  label: string;
  value: string;
  more?: string;
  mark?: string;
}) {
  return (
    <div className="row-span-2 grid grid-rows-subgrid lg:not-last:mb-4">
      <dt className="flex items-center gap-2 self-end text-sm text-quiet">
        {mark && <span aria-hidden="true" className={`size-3 rounded-sm ${mark}`} />}
        {label}
      </dt>
      <dd className="font-serif text-title font-medium tabular-nums">
        {value}
        {more && <span className="block font-sans text-sm font-normal text-quiet">{more}</span>}
      </dd>
    </div>
  );
}

function Part({ heading, note, children }: { heading: string; note: string | null; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-sm font-semibold text-quiet">{heading}</h3>
      {children}
      {note && <p className="mt-1 text-sm text-quiet">{note}</p>}
    </div>
  );
}

function CountTable({ caption, of, counts }: { caption: string; of: string; counts: readonly Count[] }) {
  return (
    <table className="w-full border-collapse text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line-strong text-quiet">
          <th scope="col" className="py-1 text-left font-semibold">
            {of}
          </th>
          <th scope="col" className="py-1 text-right font-semibold">
            Calls
          </th>
          <th scope="col" className="py-1 text-right font-semibold">
            Urgent
          </th>
        </tr>
      </thead>
      <tbody>
        {counts.map(({ label, calls, urgent }) => (
          <tr key={label} className="border-b border-line">
            <th scope="row" title={AGENCY_NAMES[label]} className="py-1 text-left font-normal">
              {label}
            </th>
            <td className="py-1 text-right">{calls.toLocaleString("en-SG")}</td>
            <td className="py-1 text-right">{urgent.toLocaleString("en-SG")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
