/** What is asked about cases, the report, shifts, and what is kept and deleted. */
import { api, told, within } from "../api/client.ts";
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
} from "./case-contract.ts";

const CASES_PAGE = 50;

const of = (id: string) => ({ params: { path: { id } } });

export type Queue = "open" | "closed";

export const fetchCases = (state: Queue, after: string | null): Promise<CasePage> =>
  told(
    api.GET("/api/desk/cases", { params: { query: { state, limit: CASES_PAGE, ...(after && { after }) } } }),
  );
export const fetchCase = (id: string): Promise<CaseInside> => told(api.GET("/api/desk/cases/{id}", of(id)));
export const fetchColleagues = (): Promise<{ colleagues: Colleague[] }> =>
  told(api.GET("/api/desk/colleagues"));

export const enterCase = (entered: EnteredCase) => told(api.POST("/api/desk/cases", { body: entered }));
export const takeCase = (id: string) => told(api.POST("/api/desk/cases/{id}/take", of(id)));
export const giveCaseBack = (id: string) => told(api.POST("/api/desk/cases/{id}/give-back", of(id)));
/** One is at work on it, and has saved nothing yet. */
export const touchCase = (id: string) => told(api.POST("/api/desk/cases/{id}/touch", of(id)));
export const closeCase = (id: string, version: number, outcome: Outcome, words: string) =>
  told(
    api.POST("/api/desk/cases/{id}/close", {
      ...of(id),
      body: { version, outcome, ...(words && { words }) },
    }),
  );
export const reopenCase = (id: string, why: string) =>
  told(api.POST("/api/desk/cases/{id}/reopen", { ...of(id), body: { why } }));
export const holdCase = (id: string, reason: string) =>
  told(api.PUT("/api/desk/cases/{id}/hold", { ...of(id), body: { reason } }));
export const letCaseGo = (id: string) => told(api.DELETE("/api/desk/cases/{id}/hold", of(id)));

// What is saved over a version of a case gives the next.
export const saveNote = (id: string, version: number, note: CaseNote) =>
  told(api.PUT("/api/desk/cases/{id}/note", { ...of(id), body: { version, ...note } }));
export const saveActionTaken = (
  id: string,
  version: number,
  { actions, words }: { actions: readonly string[]; words: string },
) =>
  told(
    api.PUT("/api/desk/cases/{id}/action-taken", {
      ...of(id),
      body: { version, actions: [...actions], words },
    }),
  );
export const saveCallerNumber = (id: string, version: number, callerNumber: string | null) =>
  told(api.PUT("/api/desk/cases/{id}/caller-number", { ...of(id), body: { version, callerNumber } }));

export const addFollowUp = (id: string, followUp: NewFollowUp): Promise<FollowUp> =>
  told(api.POST("/api/desk/cases/{id}/follow-ups", { ...of(id), body: followUp }));
export const changeFollowUp = (id: string, followUpId: string, change: FollowUpChange): Promise<FollowUp> =>
  told(
    api.PATCH("/api/desk/cases/{id}/follow-ups/{followUpId}", {
      params: { path: { id, followUpId } },
      body: change,
    }),
  );

export interface Period {
  from: string;
  until: string;
}
const between = ({ from, until }: Period) => ({ params: { query: { from, until } } });

export const fetchReport = (period: Period): Promise<Report> =>
  told(api.GET("/api/desk/report", between(period)));
/** A link's address, for the browser to save what is there. */
export const reportFile = ({ from, until }: Period) =>
  `/api/desk/report.csv?${new URLSearchParams({ from, until })}`;

export const fetchShifts = (period: Period) => told(api.GET("/api/desk/shifts", between(period)));
export const planShift = (shift: { accountId: string; begins: string; ends: string }) =>
  told(api.POST("/api/desk/shifts", { body: shift }));
export const dropShift = (id: string) => told(api.DELETE("/api/desk/shifts/{id}", of(id)));

export const fetchReceipts = (before: string | null): Promise<ReceiptPage> =>
  told(api.GET("/api/desk/receipts", { params: { query: before === null ? {} : { before } } }));

/** A file is put together of many records. */
const FILE_WITHIN_MS = 60_000;

/** A file as the server names it. */
export interface NamedFile {
  name: string | null;
  file: Blob;
}

/** By POST: a caller's number has no place in an address. */
export async function requestAccess(request: AccessRequest): Promise<NamedFile> {
  const answer = api.POST("/api/desk/access-request", {
    body: request,
    parseAs: "blob",
    fetch: within(FILE_WITHIN_MS),
  });
  const { response } = await answer;
  const name = response.headers.get("Content-Disposition")?.match(/filename="([^"/\\]+)"/)?.[1] ?? null;
  return { name, file: await told(answer) };
}
