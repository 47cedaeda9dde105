/** The desk's places, and what the address says of where one is: a place, and in it a case by its id. Pure. */
import type { Act, Signed } from "./contract.ts";

export type PlaceId = "desk" | "cases" | "report" | "shifts" | "records" | "accounts" | "audit-trail";

export interface Place {
  id: PlaceId;
  name: string;
  act: Act;
}

const PLACES: readonly Place[] = [
  { id: "desk", name: "Desk", act: "see-queue" },
  { id: "cases", name: "Cases", act: "see-case" },
  { id: "report", name: "Report", act: "read-report" },
  { id: "shifts", name: "Shifts", act: "take-shift" },
  { id: "records", name: "Records", act: "export" },
  { id: "accounts", name: "Accounts", act: "manage-accounts" },
  { id: "audit-trail", name: "Audit trail", act: "read-audit" },
];

export function placesOf(may: Signed["may"]): Place[] {
  return PLACES.filter(({ act }) => (may[act] ?? "never") !== "never");
}

/** Where a case stands that is not there yet: the form of a call that was taken elsewhere. */
export const NEW_CASE = "new";

export interface DeskAddress {
  place: PlaceId;
  /** A case's id, or `NEW_CASE`. An id is no word of a caller's. */
  caseId: string | null;
}

/** Null for a fragment that leads to no place, such as the skip link's. */
export function addressOf(fragment: string): DeskAddress | null {
  const [id = "", caseId = null, ...more] = fragment.replace(/^#/, "").split("/");
  const place = PLACES.find((each) => each.id === (id || "desk"));
  if (!place || more.length > 0 || (caseId !== null && place.id !== "cases")) return null;
  return { place: place.id, caseId: caseId || null };
}

export function fragmentOf({ place, caseId }: DeskAddress): string {
  return caseId === null ? `#${place}` : `#${place}/${caseId}`;
}

export const caseFragment = (caseId: string | null) => fragmentOf({ place: "cases", caseId });
