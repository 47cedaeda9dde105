/**
 * Requests of the duty desk. The session is a cookie that no script can read. What is asked about a live call goes to the
 * node that has it; all else is the same wherever it is asked.
 */
import type {
  AccountChange,
  AuditPage,
  CallInside,
  DeskAccount,
  DeskCall,
  DeskNodes,
  Hint,
  Invitation,
  Invited,
  NewAccount,
  NodeName,
  OwnDuty,
  SaidDuty,
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

/** The node that is asked puts one off duty. Others would remember it, and ring at the next sign-in. */
export async function signOut(): Promise<void> {
  const { nodes } = await fetchNodes().catch(() => NO_NODES);
  const leave = async (node: NodeName) => {
    if ((await fetchDuty(node)).onDuty) await setDuty({ onDuty: false }, node);
  };
  // One after the other, so that the audit trail has it once.
  for (const node of nodes) await leave(node).catch(() => {});
  await ask<void>("POST", "/sign-out");
}

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

const NO_NODES: DeskNodes = { here: null, nodes: [] };

/** A server of before there were nodes is asked as the only one. */
export const fetchNodes = () =>
  ask<DeskNodes>("GET", "/nodes").catch((error: unknown) => {
    if (error instanceof DeskRefusal && error.code === "path-not-found") return NO_NODES;
    throw error;
  });

/** Where the desk's paths of a node begin. */
const deskOf = (node: NodeName) =>
  node === null ? "/api/desk" : `/node/${encodeURIComponent(node)}/api/desk`;

export const eventsAddress = (node: NodeName) => `${deskOf(node)}/events`;
/** Whether this node is there, and knows who is signed in. */
export const fetchSignedAt = (node: NodeName) => ask<Signed>("GET", "/me", undefined, node);
export const fetchLiveCalls = (node: NodeName) => ask<{ calls: DeskCall[] }>("GET", "/live", undefined, node);
export const fetchCallInside = (id: string, node: NodeName) =>
  ask<CallInside>("GET", `/live/${id}`, undefined, node);

export const fetchDuty = (node: NodeName) => ask<OwnDuty>("GET", "/duty", undefined, node);
export const setDuty = (said: SaidDuty, node: NodeName) => ask<OwnDuty>("PUT", "/duty", said, node);

export type CallAct = "accept" | "decline" | "ready" | "leave" | "take-over";
export const actOnCall = (id: string, act: CallAct, node: NodeName) =>
  ask<void>("POST", `/calls/${id}/${act}`, undefined, node);

export const fetchHints = () => ask<{ hints: Hint[] }>("GET", "/hints");
export const whisper = (id: string, hint: string, node: NodeName) =>
  ask<void>("POST", `/calls/${id}/hint`, { hint }, node);

/** Where the offer of a line to a call goes. */
export const lineAddress = (id: string, way: "line" | "listening" | "coaching", node: NodeName) =>
  `${deskOf(node)}/calls/${id}/${way}`;

/** A caller waits meanwhile: without an answer the line is tried directly. */
const RELAYS_WITHIN_MS = 2000;

/** What a line to a call at this node may go through, where the network lets nothing else through. */
export async function fetchRelays(node: NodeName): Promise<RTCIceServer[]> {
  const response = await answerTo("GET", `${deskOf(node)}/relays`, undefined, RELAYS_WITHIN_MS);
  return ((await response.json()) as { iceServers: RTCIceServer[] }).iceServers;
}

export async function ask<T>(method: string, path: string, body?: object, node: NodeName = null): Promise<T> {
  const response = await answerTo(method, `${deskOf(node)}${path}`, body, ANSWER_WITHIN_MS);
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
  const response = await answerTo(method, `${deskOf(null)}${path}`, body, FILE_WITHIN_MS);
  const name = response.headers.get("Content-Disposition")?.match(/filename="([^"/\\]+)"/)?.[1] ?? null;
  return { name, file: await response.blob() };
}

async function answerTo(
  method: string,
  address: string,
  body: object | undefined,
  within: number,
): Promise<Response> {
  const response = await fetch(address, {
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
