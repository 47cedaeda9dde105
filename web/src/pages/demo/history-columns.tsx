/** The columns of the call history: what each shows, in which room it has a place, and by what it sorts. */
import type { ReactNode } from "react";
import { AGENCY_NAMES } from "../../records/agencies.ts";
import {
  type CallRecord,
  isOngoing,
  NOT_APPLICABLE,
  NOT_ASSESSED_YET,
  transferStatus,
  type Urgency,
  urgencyOf,
} from "../../records/call-record.ts";
import { truncate } from "../../records/format.ts";
import type { Order, SortKey } from "../../records/selection.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { Pill } from "../../ui/Pill.tsx";
import { ROOMS, type Room } from "./use-room.ts";

const CALL_ID_LENGTH = 8;
const DESCRIPTION_LENGTH = 30;
/** Every agency's own code is shorter; a code nobody knows may not break the table. */
const AGENCY_LENGTH = 10;

export interface Shown {
  room: Room;
  /** Whether this browser has not looked at the record before. */
  isNew: boolean;
}

export interface Column {
  header: string;
  cell: (record: CallRecord, shown: Shown) => ReactNode;
  /** Shown in this room and larger ones. What has no place is in the expand view. */
  from: Room;
  className?: string;
  /** As a list: where the cell stands. */
  listed?: string;
  /** By what it sorts, and whether people first want the highest. A call id sorts by nothing that means anything. */
  sort?: { by: SortKey; descendingFirst?: true };
}

const URGENCY_PILLS: Record<Urgency, ReactNode> = {
  urgent: (
    <Pill tone="urgent" icon={<AlertIcon className="size-4" />}>
      Urgent
    </Pill>
  ),
  "not-urgent": <Pill>Not Urgent</Pill>,
  "not-assessed": <Pill tone="lamp">{NOT_ASSESSED_YET}</Pill>,
};

export const COLUMNS: readonly Column[] = [
  {
    header: "ID",
    cell: ({ id }, { room, isNew }) => (
      <>
        {room === "list" && (
          <span aria-hidden="true" className="mr-1.5 text-sm font-normal text-quiet">
            ID
          </span>
        )}
        {id}
        {isNew && (
          <>
            {" "}
            <span
              className={`rounded-full border border-current px-1.5 text-sm leading-tight font-semibold ${room === "list" ? "ml-1" : "block w-fit"}`}
            >
              New
            </span>
          </>
        )}
      </>
    ),
    from: "list",
    className: "tabular-nums font-semibold",
    listed: "self-baseline text-base md:order-1",
    sort: { by: "id", descendingFirst: true },
  },
  {
    header: "Call ID",
    cell: (record) => <span title={record.callId}>{`${record.callId.slice(0, CALL_ID_LENGTH)}…`}</span>,
    from: "all",
    className: "tabular-nums text-quiet",
  },
  {
    header: "Call Status",
    cell: (record) => (isOngoing(record) ? <Pill tone="lamp">Ongoing</Pill> : "Completed"),
    from: "most",
    sort: { by: "status" },
  },
  {
    header: "Created Date",
    // Day and time, one under the other where that leaves the description its two lines.
    cell: (record, { room }) => (
      <span className={room === "some" ? "block w-22" : "whitespace-nowrap"}>{record.createdDate}</span>
    ),
    from: "list",
    className: "tabular-nums",
    listed: "col-span-2 row-start-4 text-quiet md:order-3",
    sort: { by: "date", descendingFirst: true },
  },
  {
    header: "Duration",
    cell: (record) => record.duration,
    from: "all",
    className: "tabular-nums whitespace-nowrap",
    sort: { by: "duration", descendingFirst: true },
  },
  {
    header: "Urgent Status",
    cell: (record) => URGENCY_PILLS[urgencyOf(record)],
    from: "list",
    listed: "col-span-2 row-start-2 md:order-2",
    sort: { by: "urgent" },
  },
  {
    header: "Transfer To",
    cell: ({ details: { structuredData: facts } }, { room }) =>
      facts.transferTo ? (
        <span className={`flex gap-x-2 ${room === "some" ? "flex-col items-start" : "items-center"}`}>
          <span title={AGENCY_NAMES[facts.transferTo] ?? facts.transferTo}>
            <Pill tone="lamp">{truncate(facts.transferTo, AGENCY_LENGTH)}</Pill>
          </span>
          {/* Where its own column has no place. */}
          {room !== "all" && <span className="whitespace-nowrap text-quiet">{transferStatus(facts)}</span>}
        </span>
      ) : (
        <Pill>{NOT_APPLICABLE}</Pill>
      ),
    from: "list",
    listed: "col-span-2 row-start-3 md:order-2",
    sort: { by: "agency" },
  },
  {
    header: "Transfer Status",
    cell: (record) => transferStatus(record.details.structuredData),
    from: "all",
    className: "whitespace-nowrap",
    sort: { by: "transfer" },
  },
  {
    header: "Short Description",
    cell: (record, { room }) => (
      // Thirty very wide letters would push the buttons off the page.
      <bdi
        className={
          room === "list"
            ? ""
            : "block text-balance min-[88rem]:max-w-68 min-[88rem]:overflow-hidden min-[88rem]:text-ellipsis"
        }
      >
        {truncate(record.details.summaryTitle, DESCRIPTION_LENGTH)}
      </bdi>
    ),
    from: "list",
    className: "[overflow-wrap:anywhere] min-[88rem]:whitespace-nowrap",
    listed: "col-span-2 self-baseline text-base font-semibold md:order-1 md:w-[calc(100%-7rem)]",
    sort: { by: "description" },
  },
];

export function columnsIn(room: Room): readonly Column[] {
  return COLUMNS.filter(({ from }) => ROOMS.indexOf(from) <= ROOMS.indexOf(room));
}

/** The order after a press of a column's header: its first way, the other way, that of a shift. */
export function nextOrder(sort: NonNullable<Column["sort"]>, order: Order | null): Order | null {
  const firstWay = sort.descendingFirst ?? false;
  if (order?.by !== sort.by) return { by: sort.by, descending: firstWay };
  return order.descending === firstWay ? { by: sort.by, descending: !firstWay } : null;
}
