/** The morning report: a night at a glance, what is due, and its cases as a list; on paper and as a file too. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchReport, reportFile } from "../../../desk/case-api.ts";
import type { CaseSummary, FollowUp, Report } from "../../../desk/case-contract.ts";
import { REPORT } from "../../../desk/case-queries.ts";
import { dueWords, FOLLOW_UP_KINDS, stateWords, within } from "../../../desk/case-words.ts";
import type { Signed } from "../../../desk/contract.ts";
import { caseFragment } from "../../../desk/desk-address.ts";
import { agencyName } from "../../../desk/desk-words.ts";
import { refusalWords } from "../../../desk/refusal-words.ts";
import { clockWords, dayAfter, dayOf, dayWords, lastEvening, nightOf } from "../../../desk/singapore-days.ts";
import { useMinute } from "../../../desk/use-clock.ts";
import { formatDate } from "../../../records/format.ts";
import { AlertIcon } from "../../../ui/icons.tsx";
import { Pill } from "../../../ui/Pill.tsx";
import { FIELD, PAGE, PLAIN } from "../desk-style.ts";
import { Trouble } from "../Trouble.tsx";

export function MorningReport({ may }: { may: Signed["may"] }) {
  const [evening, setEvening] = useState(() => lastEvening(Date.now()));
  const period = nightOf(evening);
  const { data, error } = useQuery({ queryKey: [...REPORT, evening], queryFn: () => fetchReport(period) });
  const mayExport = (may.export ?? "never") !== "never";

  return (
    <div className={`${PAGE} grid gap-7 py-6 print:max-w-none print:p-0`}>
      <title>Morning report – Duty desk</title>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="font-serif text-section font-medium">Morning report</h1>
          <p className="mt-1 text-lg">The night of {dayWords(evening)}</p>
          <p className="text-sm text-quiet">From 6:00 PM to 8:00 AM, Singapore time</p>
        </div>
        <div className="flex flex-wrap items-end gap-3 print:hidden">
          <button type="button" className={PLAIN} onClick={() => setEvening(dayAfter(evening, -1))}>
            Night before
          </button>
          <label className="text-sm font-semibold">
            Night of
            <input
              type="date"
              value={evening}
              max={dayOf(Date.now())}
              onChange={({ target }) => target.value && setEvening(target.value)}
              className={`${FIELD} mt-1 block font-normal`}
            />
          </label>
          {evening < lastEvening(Date.now()) && (
            <button type="button" className={PLAIN} onClick={() => setEvening(dayAfter(evening))}>
              Night after
            </button>
          )}
          <button type="button" className={PLAIN} onClick={() => window.print()}>
            Print
          </button>
          {mayExport && (
            <a className={PLAIN} href={reportFile(period)} download>
              Download as CSV
            </a>
          )}
        </div>
      </div>
      <Trouble words={error ? refusalWords(error) : null} className="empty:hidden" />
      {!data && !error && (
        <p role="status" className="text-quiet">
          Reading the report
        </p>
      )}
      {data && <Night report={data} />}
    </div>
  );
}

function Night({ report }: { report: Report }) {
  return (
    <>
      <Glance report={report} />
      {report.followUpsDue.length > 0 && <Due followUps={report.followUpsDue} cases={report.cases} />}
      <CaseTable report={report} />
    </>
  );
}

function Glance({ report }: { report: Report }) {
  const { calls, urgent, transferred, reachedAPerson, notReached, cutOff, waiting, closed } = report;
  const numbers = [
    ["Calls", calls, null],
    ["Urgent", urgent, null],
    ["Reached a person", reachedAPerson, `of ${transferred} handed over`],
    ["Reached nobody", notReached, null],
    ["Cut off", cutOff, null],
    ["Still waiting", waiting, null],
    ["Closed", closed, null],
  ] as const;
  return (
    <section
      aria-label="The night at a glance"
      className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-[1fr_22rem]"
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        {numbers.map(([name, value, of]) => (
          <div key={name} className="flex flex-col-reverse justify-end border-t-2 border-line pt-2">
            <dt className="text-sm text-quiet">
              {name}
              {of && <span className="block">{of}</span>}
            </dt>
            <dd
              data-urgent={name === "Urgent" && value > 0}
              className="flex items-center gap-2 font-serif text-section font-medium tabular-nums data-[urgent=true]:text-urgent"
            >
              {value}
              {name === "Urgent" && value > 0 && <AlertIcon className="size-6" />}
            </dd>
          </div>
        ))}
      </dl>
      {report.byAgency.length > 0 && (
        <table className="w-full text-sm tabular-nums">
          <caption className="sr-only">Cases by agency</caption>
          <thead>
            <tr className="border-b-2 border-line-strong text-quiet">
              <th scope="col" className="py-1 text-left font-semibold">
                Agency
              </th>
              <th scope="col" className="py-1 text-right font-semibold">
                Cases
              </th>
              <th scope="col" className="py-1 text-right font-semibold">
                Urgent
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {report.byAgency.map(({ agency, cases, urgent: those }) => (
              <tr key={agency}>
                <th scope="row" title={agencyName(agency)} className="py-1 text-left font-normal">
                  {agency ?? "No agency"}
                </th>
                <td className="py-1 text-right">{cases}</td>
                <td className="py-1 text-right">{those}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Due({ followUps, cases }: { followUps: readonly FollowUp[]; cases: readonly CaseSummary[] }) {
  const now = useMinute();
  return (
    <section aria-labelledby="due">
      <h2 id="due" className="text-lg font-bold">
        Due today and overdue
      </h2>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {followUps.map((each) => (
          <li
            key={each.id}
            className="grid gap-x-6 py-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_24rem] lg:items-baseline"
          >
            <a
              href={caseFragment(each.callId)}
              className="font-semibold underline underline-offset-4 [overflow-wrap:anywhere] hover:decoration-2"
              dir="auto"
            >
              {each.words}
            </a>
            <span className="text-sm text-quiet" dir="auto">
              {cases.find(({ callId }) => callId === each.callId)?.title}
            </span>
            <span className="text-sm tabular-nums">
              {FOLLOW_UP_KINDS[each.kind]}, {within(dueWords(each, now))},{" "}
              {each.owner?.name ?? "nobody owns it"}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CaseTable({ report: { cases, complete } }: { report: Report }) {
  return (
    <section aria-labelledby="night-cases" className="min-w-0">
      <h2 id="night-cases" className="text-lg font-bold">
        Cases of the night
      </h2>
      {!complete && (
        <p className="mt-2 font-semibold">
          There were more cases than are listed here. Choose a shorter time to see all of them.
        </p>
      )}
      {cases.length === 0 ? (
        <p className="mt-2 text-quiet">It was a quiet night: nobody called.</p>
      ) : (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          aria-label="Table of the cases"
          className="relative mt-2 overflow-x-auto print:overflow-visible"
        >
          <table className="w-full min-w-[52rem] text-left tabular-nums print:min-w-0">
            <thead>
              <tr className="border-b-2 border-line-strong text-sm text-quiet">
                {["Began", "Case", "Agency", "Status", "How it stands", "Follow-ups"].map((title) => (
                  <th key={title} scope="col" className="py-2 pr-5 font-semibold">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {cases.map((each) => (
                <tr key={each.callId} className="align-baseline">
                  <td className="py-2 pr-5 text-sm whitespace-nowrap">
                    <time dateTime={each.startedAt} title={formatDate(each.startedAt)}>
                      {clockWords(each.startedAt)}
                    </time>
                  </td>
                  <th scope="row" className="max-w-[28rem] py-2 pr-5 font-semibold [overflow-wrap:anywhere]">
                    <a
                      href={caseFragment(each.callId)}
                      dir="auto"
                      className="underline decoration-current/40 underline-offset-4 hover:decoration-2 print:no-underline"
                    >
                      {each.title}
                    </a>
                  </th>
                  <td className="py-2 pr-5" title={agencyName(each.agency)}>
                    {each.agency ?? "None"}
                  </td>
                  <td className="py-2 pr-5">
                    {each.urgent ? (
                      <Pill tone="urgent" icon={<AlertIcon className="size-4" />}>
                        Urgent
                      </Pill>
                    ) : (
                      <span className="text-sm text-quiet">Not urgent</span>
                    )}
                  </td>
                  <td className="py-2 pr-5">
                    {stateWords(each)}
                    {each.escalated && each.state !== "closed" && (
                      <span className="block text-sm font-semibold">Escalated</span>
                    )}
                  </td>
                  <td className="py-2">{each.openFollowUps === 0 ? "None" : `${each.openFollowUps} open`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
