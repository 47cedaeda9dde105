/** A column's header as the button that sorts by it. */
import type { Order } from "../../records/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { type Column, nextOrder } from "./history-columns.tsx";

interface SortButtonProps {
  column: Column;
  sort: NonNullable<Column["sort"]>;
  order: Order | null;
  onOrder: (order: Order | null) => void;
}

export function SortButton({ column, sort, order, onOrder }: SortButtonProps) {
  const way = sortOf(column, order);
  return (
    <Button
      onClick={() => onOrder(nextOrder(sort, order))}
      data-sorted={way !== undefined}
      className="group -mx-1.5 inline-flex min-h-11 items-center gap-1 rounded-control px-1.5 text-left hover:text-ink data-[sorted=true]:text-ink"
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

export function sortOf({ sort }: Column, order: Order | null): "ascending" | "descending" | undefined {
  if (!sort || order?.by !== sort.by) return undefined;
  return order.descending ? "descending" : "ascending";
}
