/** Requests of the duty desk. The session is a cookie that no script can read. */
import type {
  AccountChange,
  AuditPage,
  CallInside,
  DeskAccount,
  DeskCall,
  Hint,
  Invitation,
  Invited,
  NewAccount,
  OwnDuty,
  Signed,
  SignInForm,
} from "./contract.ts";

const ANSWER_WITHIN_MS = 10_000;

/** An answer that is not a success. What it says is told by `refusal-words.ts`. */
export class DeskRefusal extends Error {
  override readonly name = "DeskRefusal";
  readonly status: number;
  readonly code: string;
  /** The server's own words. */
  readonly told: string;
  readonly againAfterSeconds: number | null;

  constructor(status: number, code: string, told: string, againAfterSeconds: number | null = null) {
    // Without the words: an error may end in the console.
    super(`the desk answered ${status} ${code}`);
    this.status = status;
    this.code = code;
    this.told = told;
    this.againAfterSeconds = againAfterSeconds;
  }
}

export const fetchSigned = () => ask<Signed>("GET", "/me");
export const signIn = (form: SignInForm) => ask<Signed>("POST", "/sign-in", form);
/** The identity provider's name, if there is one to sign in by. */
export const fetchWaysIn = () => ask<{ provider: string | null }>("GET", "/provider");
export const askWayToProvider = () => ask<{ location: string }>("POST", "/provider");
export const signOut = () => ask<void>("POST", "/sign-out");

export const fetchInvitation = (token: string) => ask<Invitation>("POST", "/invitation", { token });
export const acceptInvitation = (token: string, password: string, code: string) =>
  ask<{ recoveryCodes: string[] }>("POST", "/invitation/accept", { token, password, code });

export const fetchAccounts = () => ask<{ accounts: DeskAccount[] }>("GET", "/accounts");
export const invite = (account: NewAccount) => ask<Invited>("POST", "/accounts", account);
export const inviteAgain = (id: string) => ask<Invited>("POST", `/accounts/${id}/invitation`);
export const changeAccount = (id: string, change: AccountChange) =>
  ask<DeskAccount>("PATCH", `/accounts/${id}`, change);
export const closeAccount = (id: string) => ask<void>("DELETE", `/accounts/${id}`);

const AUDIT_PAGE = 100;

export const fetchAudit = (before: number | null) =>
  ask<AuditPage>("GET", `/audit?limit=${AUDIT_PAGE}${before === null ? "" : `&before=${before}`}`);

export const fetchLiveCalls = () => ask<{ calls: DeskCall[] }>("GET", "/live");
export const fetchCallInside = (id: string) => ask<CallInside>("GET", `/live/${id}`);

export const fetchDuty = () => ask<OwnDuty>("GET", "/duty");
export const setDuty = (onDuty: boolean) => ask<OwnDuty>("PUT", "/duty", { onDuty });

export type CallAct = "accept" | "decline" | "ready" | "leave" | "take-over";
export const actOnCall = (id: string, act: CallAct) => ask<void>("POST", `/calls/${id}/${act}`);

export const fetchHints = () => ask<{ hints: Hint[] }>("GET", "/hints");
export const whisper = (id: string, hint: string) => ask<void>("POST", `/calls/${id}/hint`, { hint });

/** Where the offer of a line to a call goes. */
export const lineAddress = (id: string, way: "line" | "listening" | "coaching") =>
  `/api/desk/calls/${id}/${way}`;

export async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await answerTo(method, path, body, ANSWER_WITHIN_MS);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** A file is put together of many records. */
const FILE_WITHIN_MS = 60_000;

/** A file as the server names it. */
export interface NamedFile {
  name: string | null;
  file: Blob;
}

export async function askForFile(method: string, path: string, body?: object): Promise<NamedFile> {
  const response = await answerTo(method, path, body, FILE_WITHIN_MS);
  const name = response.headers.get("Content-Disposition")?.match(/filename="([^"/\\]+)"/)?.[1] ?? null;
  return { name, file: await response.blob() };
}

async function answerTo(
  method: string,
  path: string,
  body: object | undefined,
  within: number,
): Promise<Response> {
  const response = await fetch(`/api/desk${path}`, {
    method,
    headers: { Accept: "application/json", ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    cache: "no-store",
    signal: AbortSignal.timeout(within),
  });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

async function refusalOf(response: Response): Promise<DeskRefusal> {
  const answer: unknown = await response.json().catch(() => null);
  const { code, message } = (typeof answer === "object" && answer !== null ? answer : {}) as {
    code?: unknown;
    message?: unknown;
  };
  const after = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new DeskRefusal(
    response.status,
    typeof code === "string" ? code : "",
    typeof message === "string" ? message : "",
    Number.isFinite(after) ? after : null,
  );
}

/** The session is over, or never was. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof DeskRefusal && error.code === "not-signed-in";
}
