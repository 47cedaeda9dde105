/**
 * Asks the hosted platform for a call, with a ticket of our own server's among its variables: by it what is reported of the
 * call comes back to this visitor. A ticket that cannot be had is done without, for the call matters more than its record;
 * where our server says that no call may begin now, none does.
 */
import { api, Refusal, told, within } from "../../api/client.ts";
import { VoiceError } from "../voice-error.ts";
import { type CallTarget, createWebCall, type Platform, refusal, type WebCall } from "../web-call.ts";
import { TICKET_WITHIN_MS } from "./figures.ts";

export async function createHostedCall(
  platform: Platform,
  target: CallTarget,
  signal: AbortSignal,
): Promise<WebCall> {
  const ticket = await callTicket(signal);
  const variableValues = { ...target.assistantOverrides?.variableValues, ...(ticket && { ticket }) };
  const overrides = { ...target.assistantOverrides, variableValues };
  const withTicket: CallTarget = {
    ...target,
    assistantOverrides: overrides,
    // The platform has other overrides for the members of a squad.
    ...(target.squad && { squadOverrides: overrides }),
  };
  try {
    return { ...(await createWebCall(platform, withTicket, signal)), heldBy: "hosted" };
  } catch (error) {
    signal.throwIfAborted();
    const unreachable = error instanceof VoiceError && error.trouble === "server-unreachable";
    throw unreachable ? new VoiceError("platform-unreachable", error.message, { cause: error }) : error;
  }
}

async function callTicket(signal: AbortSignal): Promise<string | null> {
  try {
    const asked = api.POST("/api/call-ticket", { signal, fetch: within(TICKET_WITHIN_MS) });
    return (await told(asked)).ticket;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Refusal && NO_CALL_NOW.has(error.status)) throw refusal(error.status, "a ticket");
    console.warn("this call goes on without a ticket: it will not be among this visitor's records");
    return null;
  }
}

/** Too many, or too often; or calls are held here again, and what this page knows is old. */
const NO_CALL_NOW: ReadonlySet<number> = new Set([409, 429, 503]);
