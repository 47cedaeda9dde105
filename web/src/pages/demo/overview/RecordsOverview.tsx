/** The records in pictures: when calls come, how many were urgent, and for whom. The same as tables on request. */
import { type ReactNode, useMemo, useState } from "react";
import { AGENCY_NAMES } from "../../../records/agencies.ts";
import type { History } from "../../../records/history.ts";
import { type Count, overviewOf } from "../../../records/overview.ts";
import { AgenciesChart } from "./AgenciesChart.tsx";
import { AgencyNames } from "./AgencyNames.tsx";
import { ColumnsChart } from "./ColumnsChart.tsx";
import {
  agenciesWords,
  hoursWords,
  isEven,
  NIGHT,
  nightsWords,
  undatedWords,
  urgentWords,
} from "./overview-words.ts";
import { UrgentShare } from "./UrgentShare.tsx";

const HOURS = "Calls by hour";
const NIGHTS = "Calls by night of the week";
const AGENCIES = "Calls by agency";

export function RecordsOverview({ history }: { history: History }) {
  const [tables, setTables] = useState(false);
  const overview = useMemo(() => overviewOf(history), [history]);
  const { completed, urgent, hours, nights, agencies } = overview;
  const assessed: Count[] = [{ label: "Completed", calls: completed, urgent }];
  return (
    <>
      <p className={`flex items-center gap-2 text-sm text-quiet ${tables ? "invisible" : ""}`}>
        <span aria-hidden="true" className="size-3 rounded-sm bg-urgent" />
        Urgent calls, as part of all
      </p>
      <div className="mt-5 grid gap-x-14 gap-y-8 md:grid-cols-2 lg:grid-cols-[3fr_2fr]">
        <Part heading={HOURS} says={hoursWords(overview)} note={undatedWords(overview.undated)}>
          {tables ? (
            <CountTable caption={HOURS} of="From" counts={hours} />
          ) : (
            <ColumnsChart
              name={HOURS}
              counts={hours}
              label={({ label }, i) => (i % 6 === 3 ? label : null)}
              band={NIGHT}
            />
          )}
        </Part>
        <Part
          heading={NIGHTS}
          says={nightsWords(overview)}
          note="A night goes from noon to noon: a call at 2 AM on Tuesday counts as Monday night."
        >
          {tables ? (
            <CountTable caption={NIGHTS} of="Night" counts={nights} />
          ) : (
            <ColumnsChart name={NIGHTS} counts={nights} label={({ label }) => label.slice(0, 3)} />
          )}
        </Part>
        <Part heading="Urgent calls" says={urgentWords(overview)} note={null}>
          {tables ? (
            <CountTable caption="Urgent calls" of="Call Status" counts={assessed} />
          ) : (
            completed > 0 && <UrgentShare overview={overview} />
          )}
        </Part>
        <Part heading={AGENCIES} says={agenciesWords(overview)} note={null}>
          {tables && <CountTable caption={AGENCIES} of="Agency" counts={agencies} />}
          {!tables &&
            (isEven(agencies) ? <AgencyNames agencies={agencies} /> : <AgenciesChart overview={overview} />)}
        </Part>
      </div>
      <button
        type="button"
        onClick={() => setTables(!tables)}
        className="mt-4 min-h-11 text-sm font-semibold text-link underline underline-offset-4 hover:decoration-2"
      >
        {tables ? "Show as pictures" : "Show as tables"}
      </button>
    </>
  );
}

interface PartProps {
  heading: string;
  /** What the picture says, in a sentence. */
  says: string;
  note: string | null;
  children: ReactNode;
}

function Part({ heading, says, note, children }: PartProps) {
  return (
    <div className="min-w-0">
      <h4 className="text-sm font-semibold text-quiet">{heading}</h4>
      <p className="mt-0.5 mb-3">{says}</p>
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
