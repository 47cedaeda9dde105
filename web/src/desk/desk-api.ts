/**
 * What the duty desk asks. What is asked about a live call goes to the node that has it; all else is the same wherever it
 * is asked.
 */
import { api, at, type NodeName, prefixOf, Refusal, told, within } from "../api/client.ts";
import type {
  AccountChange,
  AuditPage,
  CallInside,
  DeskAccount,
  DeskCall,
  DeskNodes,
  Invited,
  NewAccount,
  SaidDuty,
  Signed,
  SignInForm,
} from "./contract.ts";

const of = (id: string) => ({ params: { path: { id } } });

export const fetchSigned = (): Promise<Signed> => told(api.GET("/api/desk/me"));
export const signIn = (form: SignInForm): Promise<Signed> =>
  told(api.POST("/api/desk/sign-in", { body: form }));
/** The identity provider's name, if there is one to sign in by. */
export const fetchWaysIn = () => told(api.GET("/api/desk/provider"));
export const askWayToProvider = () => told(api.POST("/api/desk/provider"));

/** The node that is asked puts one off duty. Others would remember it, and ring at the next sign-in. */
export async function signOut(): Promise<void> {
  const { nodes } = await fetchNodes().catch(() => NO_NODES);
  const leave = async (node: NodeName) => {
    if ((await fetchDuty(node)).onDuty) await setDuty({ onDuty: false }, node);
  };
  // One after the other, so that the audit trail has it once.
  for (const node of nodes) await leave(node).catch(() => {});
  await api.POST("/api/desk/sign-out");
}

export const fetchInvitation = (token: string) => told(api.POST("/api/desk/invitation", { body: { token } }));
export const acceptInvitation = (token: string, password: string, code: string) =>
  told(api.POST("/api/desk/invitation/accept", { body: { token, password, code } }));

export const fetchAccounts = (): Promise<{ accounts: DeskAccount[] }> => told(api.GET("/api/desk/accounts"));
export const invite = (account: NewAccount): Promise<Invited> =>
  told(api.POST("/api/desk/accounts", { body: account }));
export const inviteAgain = (id: string): Promise<Invited> =>
  told(api.POST("/api/desk/accounts/{id}/invitation", of(id)));
export const changeAccount = (id: string, change: AccountChange): Promise<DeskAccount> =>
  told(api.PATCH("/api/desk/accounts/{id}", { ...of(id), body: change }));
export const closeAccount = (id: string) => told(api.DELETE("/api/desk/accounts/{id}", of(id)));

const AUDIT_PAGE = 100;

export const fetchAudit = (before: number | null): Promise<AuditPage> =>
  told(
    api.GET("/api/desk/audit", {
      params: { query: { limit: AUDIT_PAGE, ...(before !== null && { before }) } },
    }),
  );

const NO_NODES: DeskNodes = { here: null, nodes: [] };

/** A server of before there were nodes is asked as the only one. */
export const fetchNodes = (): Promise<DeskNodes> =>
  told<{ here?: string | null; nodes: string[] }, DeskNodes>(api.GET("/api/desk/nodes")).catch(
    (error: unknown) => {
      if (error instanceof Refusal && error.code === "path-not-found") return NO_NODES;
      throw error;
    },
  );

export const eventsAddress = (node: NodeName) => `${prefixOf(node)}/api/desk/events`;
/** What is said and found in a call: opening it is a look into the call, and stands on the audit trail. */
export const callEventsAddress = (id: string, node: NodeName) =>
  `${prefixOf(node)}/api/desk/live/${id}/events`;
/** Whether this node is there, and knows who is signed in. */
export const fetchSignedAt = (node: NodeName): Promise<Signed> => told(api.GET("/api/desk/me", at(node)));
export const fetchLiveCalls = (node: NodeName): Promise<{ calls: DeskCall[] }> =>
  told(api.GET("/api/desk/live", at(node)));
export const fetchCallInside = (id: string, node: NodeName): Promise<CallInside> =>
  told(api.GET("/api/desk/live/{id}", { ...of(id), ...at(node) }));

export const fetchDuty = (node: NodeName) => told(api.GET("/api/desk/duty", at(node)));
export const setDuty = (said: SaidDuty, node: NodeName) =>
  told(api.PUT("/api/desk/duty", { body: said, ...at(node) }));

export type CallAct = "accept" | "decline" | "ready" | "leave" | "take-over" | "hold" | "take-back";
export const actOnCall = (id: string, act: CallAct, node: NodeName) =>
  told(api.POST(`/api/desk/calls/{id}/${act}`, { ...of(id), ...at(node) }));

/** The line is open until then. */
const LEFT_WITHIN_MS = 2000;

/** Says that one leaves a call, without waiting for long. */
export const leaveSoon = (id: string, node: NodeName) =>
  told(api.POST("/api/desk/calls/{id}/leave", { ...of(id), ...at(node), fetch: within(LEFT_WITHIN_MS) }));

export const fetchHints = () => told(api.GET("/api/desk/hints"));
export const whisper = (id: string, hint: string, node: NodeName) =>
  told(api.POST("/api/desk/calls/{id}/hint", { ...of(id), ...at(node), body: { hint } }));

/** Where the offer of a line to a call goes. */
export const lineAddress = (id: string, way: "line" | "listening" | "coaching", node: NodeName) =>
  `${prefixOf(node)}/api/desk/calls/${id}/${way}`;

/** A caller waits meanwhile: without an answer the line is tried directly. */
const RELAYS_WITHIN_MS = 2000;

/** What a line to a call at this node may go through, where the network lets nothing else through. */
export async function fetchRelays(node: NodeName): Promise<RTCIceServer[]> {
  const { iceServers } = await told(
    api.GET("/api/desk/relays", { ...at(node), fetch: within(RELAYS_WITHIN_MS) }),
  );
  return iceServers;
}

/** The call is over, or one is not on it. */
export function isNotOnCall(error: unknown): boolean {
  return error instanceof Refusal && error.code === "call-not-found";
}

/** The session is over, or never was. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.code === "not-signed-in";
}
