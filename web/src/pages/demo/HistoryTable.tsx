/** The call history: a dense table where there is room, a list of cases where there is not. */
import { memo } from "react";
import type { CallRecord } from "../../records/call-record.ts";
import type { History } from "../../records/history.ts";
import { isNew } from "../../records/last-look.ts";
import type { Order } from "../../records/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { type Column, columnsIn } from "./history-columns.tsx";
import { SortButton, sortOf } from "./SortButton.tsx";
import type { Attention } from "./steady-order.ts";
import { useRoom } from "./use-room.ts";

interface HistoryTableProps {
  records: History;
  /** What ended after it is new. */
  since: number | null;
  order: Order | null;
  onOrder: (order: Order | null) => void;
  onOpen: (record: CallRecord) => void;
  /** Whether the reader points at it, or has the focus in it. */
  onAttention: (change: Partial<Attention>) => void;
}

const IN_TABLE = {
  table: "table",
  head: "",
  row: "hover:bg-raised",
  cell: "border-b border-line px-2 py-1.5 first:pl-0 last:pr-0",
  expand: "text-right",
};
const IN_LIST = {
  table: "block",
  head: "sr-only",
  row: "grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 border-b border-line py-4 md:flex md:flex-wrap md:gap-x-4",
  cell: "",
  expand: "col-start-3 row-span-3 row-start-2 self-end md:order-4 md:ml-auto",
};

/* During a call the page is rendered with every word that is heard; the table is not.

   The roles are written out because, as a list on narrow screens, the elements lose their table display,
   and browsers then drop the meaning with it. */
export const HistoryTable = memo(function HistoryTable({
  records,
  since,
  order,
  onOrder,
  onOpen,
  onAttention,
}: HistoryTableProps) {
  const room = useRoom();
  const listed = room === "list";
  const columns = columnsIn(room);
  const style = listed ? IN_LIST : IN_TABLE;
  const cellStyle = ({ className = "", listed: place = "" }: Column) =>
    `min-w-0 align-middle ${style.cell} ${className} ${listed ? place : ""}`;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    // biome-ignore-start lint/a11y/useSemanticElements: see above
    <table
      role="table"
      aria-labelledby="history-heading"
      className={`mt-1 w-full border-collapse text-sm ${style.table}`}
      onPointerEnter={({ pointerType }) => pointerType !== "touch" && onAttention({ pointing: true })}
      onPointerLeave={() => onAttention({ pointing: false })}
      onFocus={() => onAttention({ focused: true })}
      onBlur={({ currentTarget, relatedTarget }) =>
        !currentTarget.contains(relatedTarget) && onAttention({ focused: false })
      }
    >
      <thead role="rowgroup" className={style.head}>
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column.header}
              role="columnheader"
              scope="col"
              aria-sort={sortOf(column, order)}
              className="border-b-2 border-line-strong px-2 text-left align-bottom font-semibold text-quiet first:pl-0"
            >
              {/* As a list the headers are out of sight, where nothing may take the focus. */}
              {!listed && column.sort ? (
                <SortButton column={column} sort={column.sort} order={order} onOrder={onOrder} />
              ) : (
                <span className="inline-flex min-h-11 items-center">{column.header}</span>
              )}
            </th>
          ))}
          <th role="columnheader" scope="col" className="border-b-2 border-line-strong py-2.5">
            <span className="sr-only">Details</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup" className={listed ? "block" : ""}>
        {records.map((record) => (
          <tr key={record.id} role="row" className={style.row}>
            {columns.map((column) => (
              <td key={column.header} role="cell" className={cellStyle(column)}>
                {column.cell(record, { room, isNew: isNew(record, since) })}
              </td>
            ))}
            <td role="cell" className={`align-middle ${style.cell} ${style.expand}`}>
              <Button
                onClick={() => onOpen(record)}
                aria-label={`Expand View of case ${record.id}`}
                className="min-h-11 rounded-control border border-line-strong px-3 font-semibold whitespace-nowrap hover:border-ink hover:bg-surface"
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
});
