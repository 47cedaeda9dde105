/** Requests about cases, the report, shifts, and what is kept and deleted. */
import type {
  AccessRequest,
  CaseInside,
  CaseNote,
  CasePage,
  Colleague,
  EnteredCase,
  FollowUp,
  FollowUpChange,
  NewFollowUp,
  Outcome,
  ReceiptPage,
  Report,
  Shift,
} from "./case-contract.ts";
import { ask, askForFile } from "./desk-api.ts";

const CASES_PAGE = 50;

export type Queue = "open" | "closed";

export const fetchCases = (state: Queue, after: string | null) =>
  ask<CasePage>(
    "GET",
    `/cases?${new URLSearchParams({ state, limit: `${CASES_PAGE}`, ...(after && { after }) })}`,
  );
export const fetchCase = (id: string) => ask<CaseInside>("GET", `/cases/${id}`);
export const fetchColleagues = () => ask<{ colleagues: Colleague[] }>("GET", "/colleagues");

export const enterCase = (entered: EnteredCase) => ask<{ callId: string }>("POST", "/cases", entered);
export const takeCase = (id: string) => ask<void>("POST", `/cases/${id}/take`);
export const giveCaseBack = (id: string) => ask<void>("POST", `/cases/${id}/give-back`);
/** One is at work on it, and has saved nothing yet. */
export const touchCase = (id: string) => ask<void>("POST", `/cases/${id}/touch`);
export const closeCase = (id: string, version: number, outcome: Outcome, words: string) =>
  ask<void>("POST", `/cases/${id}/close`, { version, outcome, ...(words && { words }) });
export const reopenCase = (id: string, why: string) => ask<void>("POST", `/cases/${id}/reopen`, { why });
export const holdCase = (id: string, reason: string) => ask<void>("PUT", `/cases/${id}/hold`, { reason });
export const letCaseGo = (id: string) => ask<void>("DELETE", `/cases/${id}/hold`);

/** What is saved over a version of a case, and gives the next. */
type Saved = { version: number };
export const saveNote = (id: string, version: number, note: CaseNote) =>
  ask<Saved>("PUT", `/cases/${id}/note`, { version, ...note });
export const saveActionTaken = (
  id: string,
  version: number,
  taken: { actions: readonly string[]; words: string },
) => ask<Saved>("PUT", `/cases/${id}/action-taken`, { version, ...taken });
export const saveCallerNumber = (id: string, version: number, callerNumber: string | null) =>
  ask<Saved>("PUT", `/cases/${id}/caller-number`, { version, callerNumber });

export const addFollowUp = (id: string, followUp: NewFollowUp) =>
  ask<FollowUp>("POST", `/cases/${id}/follow-ups`, followUp);
export const changeFollowUp = (id: string, followUpId: string, change: FollowUpChange) =>
  ask<FollowUp>("PATCH", `/cases/${id}/follow-ups/${followUpId}`, change);

export interface Period {
  from: string;
  until: string;
}
const between = ({ from, until }: Period) => new URLSearchParams({ from, until });

export const fetchReport = (period: Period) => ask<Report>("GET", `/report?${between(period)}`);
export const reportFile = (period: Period) => `/api/desk/report.csv?${between(period)}`;

export const fetchShifts = (period: Period) => ask<{ shifts: Shift[] }>("GET", `/shifts?${between(period)}`);
export const planShift = (shift: { accountId: string; begins: string; ends: string }) =>
  ask<unknown>("POST", "/shifts", shift);
export const dropShift = (id: string) => ask<void>("DELETE", `/shifts/${id}`);

export const fetchReceipts = (before: string | null) =>
  ask<ReceiptPage>("GET", `/receipts${before === null ? "" : `?${new URLSearchParams({ before })}`}`);
/** By POST: a caller's number has no place in an address. */
export const requestAccess = (request: AccessRequest) => askForFile("POST", "/access-request", request);
