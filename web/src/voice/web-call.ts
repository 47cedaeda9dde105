/** Asks the voice platform for a call: `POST /call/web`. Joining it is a transport's work. */
import { api, Refusal } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import { VoiceError } from "./voice-error.ts";

/** Whom to call: at least one of assistant, squad or workflow, by id or whole. */
export interface CallTarget {
  assistant?: string | object;
  squad?: string | object;
  workflow?: string | object;
  assistantOverrides?: Overrides;
  /** For all members of a squad; a word of the hosted platform's. */
  squadOverrides?: Overrides;
}

export interface Overrides {
  variableValues?: Record<string, unknown>;
}

/** The part of the platform's `Call` that the page reads. */
export interface WebCall {
  id: string;
  webCallUrl: string;
  /** `iceServers` are relays, for networks that let no UDP through; `callToken` opens a room of the hosted platform. */
  transport?: { websocketCallUrl?: string; iceServers?: RTCIceServer[]; callToken?: string };
  artifactPlan?: { videoRecordingEnabled?: boolean };
  /** Where the call is held, if not on our own server; not part of what a platform answers. */
  heldBy?: "hosted";
}

/** Of several nodes behind one proxy, the one that has a call, as its addresses begin. */
const NODE = /\/node\/[^/]+(?=\/call\/)/;

/** The same call at whichever node is asked; itself where its addresses name none. */
export function atAnyNode(call: WebCall): WebCall {
  if (!NODE.test(call.webCallUrl)) return call;
  const socket = call.transport?.websocketCallUrl?.replace(NODE, "");
  return {
    ...call,
    webCallUrl: call.webCallUrl.replace(NODE, ""),
    transport: { ...call.transport, ...(socket && { websocketCallUrl: socket }) },
  };
}

export interface Platform {
  baseUrl: string;
  publicKey: string;
  /** Not our own server. */
  isHosted?: boolean;
}

type CreateWebCall = components["schemas"]["CreateWebCall"];

/** A platform's paths, with the key that a page has for it. */
export const keyOf = ({ baseUrl, publicKey }: Platform) => ({
  baseUrl,
  headers: { Authorization: `Bearer ${publicKey}` },
});

export async function createWebCall(
  platform: Platform,
  target: CallTarget,
  signal: AbortSignal,
): Promise<WebCall> {
  let call: unknown;
  try {
    call = (await api.POST("/call/web", { ...keyOf(platform), body: requestBody(target), signal })).data;
  } catch (error) {
    if (error instanceof Refusal) throw refusal(error.status, "starting a call");
    throw unanswered(error, NO_CALL);
  }
  // The hosted platform is not held to our description.
  if (!isWebCall(call)) throw new VoiceError("call-refused", NO_CALL);
  return call;
}

const NO_CALL = "the platform returned no call to join";

/** What it means that nothing came, or nothing that can be read. */
export function unanswered(error: unknown, notRead: string): VoiceError {
  if (error instanceof SyntaxError) return new VoiceError("call-refused", notRead);
  return VoiceError.from(error, "server-unreachable");
}

/** A proxy's answers for a server behind it that is gone. */
export const NO_SERVER: ReadonlySet<number> = new Set([502, 504]);

/** What a refused request means for the caller. */
export function refusal(status: number, doing: string): VoiceError {
  if (status === 503 || status === 429) return new VoiceError("lines-busy", `all lines are busy (${status})`);
  if (NO_SERVER.has(status)) return new VoiceError("server-unreachable", `no server answered (${status})`);
  return new VoiceError("call-refused", `${doing} was refused (${status})`);
}

function requestBody(target: CallTarget): CreateWebCall {
  const named = (name: string, value: string | object | undefined) =>
    value === undefined ? {} : typeof value === "string" ? { [`${name}Id`]: value } : { [name]: value };
  return {
    ...named("assistant", target.assistant),
    ...named("squad", target.squad),
    ...named("workflow", target.workflow),
    assistantOverrides: target.assistantOverrides ?? { variableValues: { agency: "" } },
    ...(target.squadOverrides && { squadOverrides: target.squadOverrides }),
    roomDeleteOnUserLeaveEnabled: true,
    // What is not said of an assistant or a variable in the description is the platform's own.
  } as CreateWebCall;
}

function isWebCall(value: unknown): value is WebCall {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "webCallUrl" in value &&
    typeof value.webCallUrl === "string"
  );
}
