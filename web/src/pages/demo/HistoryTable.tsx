/** The call history: a dense table where there is room, a list of cases where there is not. */
import { Button } from "@base-ui/react/button";
import type { ReactNode } from "react";
import { type CallRecord, isOngoing, NOT_APPLICABLE, transferStatus } from "../../records/call-record.ts";
import { truncate } from "../../records/format.ts";
import type { History } from "../../records/history.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { Pill } from "../../ui/Pill.tsx";

const CALL_ID_LENGTH = 8;
const DESCRIPTION_LENGTH = 30;

interface Column {
  header: string;
  cell: (record: CallRecord) => ReactNode;
  className?: string;
  /** As a list: where the cell stands, and whether its header is needed to understand it. */
  listed: { className: string; labelled: boolean };
}

const QUIET_DETAIL = { className: "order-3 max-xl:text-quiet", labelled: false };

const COLUMNS: readonly Column[] = [
  {
    header: "ID",
    cell: (record) => record.id,
    className: "tabular-nums xl:font-semibold",
    listed: { ...QUIET_DETAIL, labelled: true },
  },
  {
    header: "Call ID",
    cell: (record) => <span title={record.callId}>{`${record.callId.slice(0, CALL_ID_LENGTH)}…`}</span>,
    className: "tabular-nums text-quiet",
    listed: { ...QUIET_DETAIL, labelled: true },
  },
  {
    header: "Call Status",
    cell: (record) => (isOngoing(record) ? <Pill tone="lamp">Ongoing</Pill> : "Completed"),
    listed: QUIET_DETAIL,
  },
  {
    header: "Created Date",
    cell: (record) => record.createdDate,
    className: "tabular-nums whitespace-nowrap",
    listed: QUIET_DETAIL,
  },
  {
    header: "Duration",
    cell: (record) => record.duration,
    className: "tabular-nums whitespace-nowrap",
    listed: QUIET_DETAIL,
  },
  {
    header: "Urgent Status",
    cell: (record) =>
      record.details.structuredData.urgentStatus ? (
        <Pill tone="urgent" icon={<AlertIcon className="size-4" />}>
          Urgent
        </Pill>
      ) : (
        <Pill>Not Urgent</Pill>
      ),
    listed: { className: "order-2", labelled: false },
  },
  {
    header: "Transfer To",
    cell: ({ details: { structuredData } }) =>
      structuredData.transferTo ? (
        <Pill tone="lamp">{structuredData.transferTo}</Pill>
      ) : (
        <Pill>{NOT_APPLICABLE}</Pill>
      ),
    listed: { className: "order-2", labelled: true },
  },
  {
    header: "Transfer Status",
    cell: (record) => transferStatus(record.details.structuredData),
    className: "whitespace-nowrap",
    listed: { className: "order-2", labelled: true },
  },
  {
    header: "Short Description",
    cell: (record) => <bdi>{truncate(record.details.summaryTitle, DESCRIPTION_LENGTH)}</bdi>,
    className: "break-words text-balance min-[88rem]:whitespace-nowrap",
    listed: { className: "order-1 max-xl:basis-full max-xl:text-base max-xl:font-semibold", labelled: false },
  },
];

interface HistoryTableProps {
  records: History;
  loading: boolean;
  serverReached: boolean;
  onReload: () => void;
  onOpen: (record: CallRecord) => void;
}

export function HistoryTable({ records, loading, serverReached, onReload, onOpen }: HistoryTableProps) {
  if (loading) return <p className="mt-8 text-quiet">Fetching the records…</p>;
  return (
    <>
      {!serverReached && (
        <p className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-raised px-4 py-3 text-sm">
          The server cannot be reached. These are the records this browser kept.
          <Button
            onClick={onReload}
            className="min-h-10 rounded-control border border-line-strong px-4 font-semibold hover:border-ink"
          >
            Try again
          </Button>
        </p>
      )}
      {records.length === 0 ? (
        <p className="mt-8 text-quiet">There are no records yet. The next call will appear here.</p>
      ) : (
        <Table records={records} onOpen={onOpen} />
      )}
    </>
  );
}

/* The roles are written out because, as a list on narrow screens, the elements lose their table display,
   and browsers then drop the meaning with it. */
function Table({ records, onOpen }: Pick<HistoryTableProps, "records" | "onOpen">) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    // biome-ignore-start lint/a11y/useSemanticElements: see above
    <table
      role="table"
      aria-labelledby="history-heading"
      className="mt-5 block w-full border-collapse text-sm xl:table"
    >
      <thead role="rowgroup" className="sr-only xl:not-sr-only xl:table-header-group">
        <tr role="row">
          {COLUMNS.map(({ header }) => (
            <th
              key={header}
              role="columnheader"
              scope="col"
              className="border-b-2 border-line-strong px-2.5 py-2.5 text-left align-bottom font-semibold text-quiet first:pl-0"
            >
              {header}
            </th>
          ))}
          <th role="columnheader" scope="col" className="border-b-2 border-line-strong py-2.5">
            <span className="sr-only">Details</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup" className="block xl:table-row-group">
        {records.map((record) => (
          <tr
            key={record.id}
            role="row"
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-4 xl:table-row xl:hover:bg-raised"
          >
            {COLUMNS.map(({ header, cell, className = "", listed }) => (
              <td
                key={header}
                role="cell"
                className={`min-w-0 align-middle xl:table-cell xl:border-b xl:border-line xl:px-2.5 xl:py-2.5 xl:first:pl-0 ${className} ${listed.className}`}
              >
                {listed.labelled && (
                  <span aria-hidden="true" className="mr-1.5 font-normal text-quiet xl:hidden">
                    {header}
                  </span>
                )}
                {cell(record)}
              </td>
            ))}
            <td
              role="cell"
              className="order-4 ml-auto align-middle xl:border-b xl:border-line xl:py-1.5 xl:text-right"
            >
              <Button
                onClick={() => onOpen(record)}
                aria-label={`Expand View of case ${record.id}`}
                className="min-h-10 rounded-control border border-line-strong px-3 font-semibold whitespace-nowrap hover:border-ink hover:bg-surface"
              >
                Expand View
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/useSemanticElements: see above
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}
