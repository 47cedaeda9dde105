/**
 * What of the history's selection stands in the page's address, so that Back, reload and a shared link
 * show the same records. What is searched for does not: it may be a caller's name, and addresses are
 * kept in places that records are not.
 */
import { EVERYTHING, type Order, type Selection, SORT_KEYS } from "../../records/selection.ts";

export type AddressedSelection = Omit<Selection, "search">;

/** Anything unknown in an address is passed over. */
export function selectionIn(params: URLSearchParams): AddressedSelection {
  return {
    urgent: oneOf(params.get("urgent"), ["urgent", "not-urgent"], EVERYTHING.urgent),
    agency: params.get("agency") ?? EVERYTHING.agency,
    status: oneOf(params.get("status"), ["ongoing", "completed"], EVERYTHING.status),
    onlyNew: params.get("new") === "only",
    order: orderIn(params.get("sort")),
  };
}

export function pageIn(params: URLSearchParams): number {
  return Number.parseInt(params.get("page") ?? "", 10) || 1;
}

/** The address with parts of the selection changed. Another selection begins at its first page. */
export function withSelection(params: URLSearchParams, change: Partial<AddressedSelection>): URLSearchParams {
  const { urgent, agency, status, onlyNew, order } = { ...selectionIn(params), ...change };
  const changed = withPage(params, 1);
  put(changed, "urgent", urgent === "all" ? "" : urgent);
  put(changed, "agency", agency);
  put(changed, "status", status === "all" ? "" : status);
  put(changed, "new", onlyNew ? "only" : "");
  put(changed, "sort", order ? `${order.descending ? "-" : ""}${order.by}` : "");
  return changed;
}

export function withPage(params: URLSearchParams, page: number): URLSearchParams {
  const changed = new URLSearchParams(params);
  put(changed, "page", page > 1 ? String(page) : "");
  return changed;
}

function put(params: URLSearchParams, name: string, value: string): void {
  if (value) params.set(name, value);
  else params.delete(name);
}

function orderIn(text: string | null): Order | null {
  const descending = text?.startsWith("-") ?? false;
  const by = SORT_KEYS.find((key) => key === (descending ? text?.slice(1) : text));
  return by ? { by, descending } : null;
}

function oneOf<T extends string>(text: string | null, known: readonly T[], otherwise: T | "all"): T | "all" {
  return known.find((each) => each === text) ?? otherwise;
}
