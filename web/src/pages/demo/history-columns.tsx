/** The columns of the call history: what each shows, and by what it sorts. */
import type { ReactNode } from "react";
import { AGENCY_NAMES } from "../../records/agencies.ts";
import { type CallRecord, isOngoing, NOT_APPLICABLE, transferStatus } from "../../records/call-record.ts";
import { truncate } from "../../records/format.ts";
import type { SortKey } from "../../records/selection.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { Pill } from "../../ui/Pill.tsx";

const CALL_ID_LENGTH = 8;
const DESCRIPTION_LENGTH = 30;
/** Every agency's own code is shorter; a code nobody knows may not break the table. */
const AGENCY_LENGTH = 10;

export interface Column {
  header: string;
  cell: (record: CallRecord) => ReactNode;
  className?: string;
  /** By what it sorts, and whether people first want the highest. A call id sorts by nothing that means anything. */
  sort?: { by: SortKey; descendingFirst?: true };
  /** As a list: where the cell stands, and whether its header is needed to understand it. */
  listed: { className: string; labelled: boolean };
}

const QUIET_DETAIL = { className: "order-3 max-xl:text-quiet", labelled: false };

export const COLUMNS: readonly Column[] = [
  {
    header: "ID",
    cell: (record) => record.id,
    className: "tabular-nums xl:font-semibold",
    sort: { by: "id", descendingFirst: true },
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
    sort: { by: "status" },
    listed: QUIET_DETAIL,
  },
  {
    header: "Created Date",
    cell: (record) => record.createdDate,
    className: "tabular-nums whitespace-nowrap",
    sort: { by: "date", descendingFirst: true },
    listed: QUIET_DETAIL,
  },
  {
    header: "Duration",
    cell: (record) => record.duration,
    className: "tabular-nums whitespace-nowrap",
    sort: { by: "duration", descendingFirst: true },
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
    sort: { by: "urgent" },
    listed: { className: "order-2", labelled: false },
  },
  {
    header: "Transfer To",
    cell: ({ details: { structuredData } }) =>
      structuredData.transferTo ? (
        <span title={AGENCY_NAMES[structuredData.transferTo] ?? structuredData.transferTo}>
          <Pill tone="lamp">{truncate(structuredData.transferTo, AGENCY_LENGTH)}</Pill>
        </span>
      ) : (
        <Pill>{NOT_APPLICABLE}</Pill>
      ),
    sort: { by: "agency" },
    listed: { className: "order-2", labelled: true },
  },
  {
    header: "Transfer Status",
    cell: (record) => transferStatus(record.details.structuredData),
    className: "whitespace-nowrap",
    sort: { by: "transfer" },
    listed: { className: "order-2", labelled: true },
  },
  {
    header: "Short Description",
    cell: (record) => (
      // Thirty very wide letters would push the buttons off the page.
      <bdi className="min-[88rem]:block min-[88rem]:max-w-68 min-[88rem]:overflow-hidden min-[88rem]:text-ellipsis">
        {truncate(record.details.summaryTitle, DESCRIPTION_LENGTH)}
      </bdi>
    ),
    className: "[overflow-wrap:anywhere] text-balance min-[88rem]:whitespace-nowrap",
    sort: { by: "description" },
    listed: { className: "order-1 max-xl:basis-full max-xl:text-base max-xl:font-semibold", labelled: false },
  },
];

/** The order after a press of a column's header: its first way, the other way, the history's own. */
export function nextOrder(
  sort: NonNullable<Column["sort"]>,
  order: { by: SortKey; descending: boolean } | null,
) {
  const firstWay = sort.descendingFirst ?? false;
  if (order?.by !== sort.by) return { by: sort.by, descending: firstWay };
  return order.descending === firstWay ? { by: sort.by, descending: !firstWay } : null;
}
