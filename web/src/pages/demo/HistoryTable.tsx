/** The call history: a dense table where there is room, a list of cases where there is not. */
import { memo } from "react";
import type { CallRecord } from "../../records/call-record.ts";
import type { History } from "../../records/history.ts";
import type { Order } from "../../records/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { COLUMNS, type Column, nextOrder } from "./history-columns.tsx";
import { useWide } from "./use-wide.ts";

interface HistoryTableProps {
  records: History;
  order: Order | null;
  onOrder: (order: Order | null) => void;
  onOpen: (record: CallRecord) => void;
}

/* During a call the page is rendered with every word that is heard; the table is not.

   The roles are written out because, as a list on narrow screens, the elements lose their table display,
   and browsers then drop the meaning with it. */
export const HistoryTable = memo(function HistoryTable({
  records,
  order,
  onOrder,
  onOpen,
}: HistoryTableProps) {
  const wide = useWide();
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    // biome-ignore-start lint/a11y/useSemanticElements: see above
    <table
      role="table"
      aria-labelledby="history-heading"
      className="mt-1 block w-full border-collapse text-sm xl:table"
    >
      <thead role="rowgroup" className="sr-only xl:not-sr-only xl:table-header-group">
        <tr role="row">
          {COLUMNS.map((column) => (
            <th
              key={column.header}
              role="columnheader"
              scope="col"
              aria-sort={sortOf(column, order)}
              className="border-b-2 border-line-strong px-2.5 py-1 text-left align-bottom font-semibold text-quiet first:pl-0"
            >
              {/* As a list the headers are out of sight, where nothing may take the focus. */}
              {wide && column.sort ? (
                <SortButton column={column} sort={column.sort} order={order} onOrder={onOrder} />
              ) : (
                <span className="inline-block py-1.5">{column.header}</span>
              )}
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
                {listed.labelled && !wide && (
                  <span aria-hidden="true" className="mr-1.5 font-normal text-quiet">
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
});

function sortOf({ sort }: Column, order: Order | null): "ascending" | "descending" | undefined {
  if (!sort || order?.by !== sort.by) return undefined;
  return order.descending ? "descending" : "ascending";
}

interface SortButtonProps extends Pick<HistoryTableProps, "order" | "onOrder"> {
  column: Column;
  sort: NonNullable<Column["sort"]>;
}

function SortButton({ column, sort, order, onOrder }: SortButtonProps) {
  const way = sortOf(column, order);
  return (
    <Button
      onClick={() => onOrder(nextOrder(sort, order))}
      data-sorted={way !== undefined}
      className="group -mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-control px-1.5 text-left hover:text-ink data-[sorted=true]:text-ink"
    >
      {column.header}
      <svg
        viewBox="0 0 8 12"
        aria-hidden="true"
        focusable="false"
        className="h-3 w-2 shrink-0 fill-current opacity-35 group-hover:opacity-70 group-data-[sorted=true]:opacity-100"
      >
        {way !== "descending" && <path d="M4 1 7.5 5h-7z" />}
        {way !== "ascending" && <path d="M4 11 .5 7h7z" />}
      </svg>
    </Button>
  );
}
