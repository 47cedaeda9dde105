/** A stand-in of the hosted platform: answers `POST /call/web` as its API describes it, and holds what it is asked with to the official types. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { faultOf } from "./official-types.ts";

export const HOSTED_KEY = "public-key-of-the-tests";
export const HOSTED_SQUAD = "squad-of-the-tests";
const ORGANISATION = "organisation-of-the-tests";
export const WEBHOOK_SECRET = "shared-with-the-tests-platform";

/** The body of a request for a call, as far as the tests read it. */
export interface AskedCall {
  squadId?: string;
  assistantId?: string;
  assistantOverrides: { variableValues: Record<string, string> };
  squadOverrides?: { variableValues: Record<string, string> };
  roomDeleteOnUserLeaveEnabled: boolean;
}

export interface Message {
  type: string;
  [field: string]: unknown;
}

export interface HostedPlatform {
  url: string;
  /** The server's settings for it. */
  settings: Record<string, string>;
  /** The calls that were asked for, with their ids. */
  calls: { id: string; asked: AskedCall }[];
  /** Sends one of its messages about a call to the server. */
  tell(server: string, call: HostedPlatform["calls"][number], message: Message): Promise<number>;
  stop(): Promise<void>;
}

export async function startHostedPlatform(): Promise<HostedPlatform> {
  const calls: HostedPlatform["calls"] = [];
  const platform = createServer(async (request, response) => {
    // The page is another site to it.
    const headers = {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Headers": "authorization, content-type",
      "Content-Type": "application/json",
    };
    const answer = (status: number, body: object) =>
      response.writeHead(status, headers).end(JSON.stringify(body));
    if (request.method === "OPTIONS") return answer(204, {});
    if (request.method !== "POST" || request.url !== "/call/web")
      return answer(404, { message: "Not Found" });
    if (request.headers.authorization !== `Bearer ${HOSTED_KEY}`)
      return answer(401, { message: "Invalid Key." });
    const asked = JSON.parse(await text(request)) as AskedCall;
    const fault = faultOf("call/web", asked);
    if (fault) return answer(400, { message: [fault], error: "Bad Request", statusCode: 400 });
    if (asked.squadId !== HOSTED_SQUAD) return answer(400, { message: "Couldn't Find Squad." });
    const id = randomUUID();
    calls.push({ id, asked });
    const now = new Date().toISOString();
    const call = ofItsType("call", {
      id,
      orgId: ORGANISATION,
      createdAt: now,
      updatedAt: now,
      type: "webCall",
      status: "queued",
      squadId: asked.squadId,
      transport: { provider: "daily", callUrl: `https://vapi.daily.co/${id}` },
      artifactPlan: { videoRecordingEnabled: false },
      assistant: { voice: { provider: "vapi" } },
    });
    // Its own web client reads this too, of which the type has nothing.
    answer(201, { ...call, webCallUrl: `https://vapi.daily.co/${id}` });
  });
  platform.listen(0, "127.0.0.1");
  await once(platform, "listening");
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  return {
    url,
    settings: {
      VOICE_PLATFORM: "hosted",
      HOSTED_PLATFORM_URL: url,
      HOSTED_PUBLIC_KEY: HOSTED_KEY,
      HOSTED_SQUAD_ID: HOSTED_SQUAD,
      WEBHOOK_SECRET,
      // No call is held here: a voice that is there at once.
      VOICE: "slt",
    },
    calls,
    tell: async (server, { id, asked }, message) => {
      const { assistantOverrides, squadOverrides } = asked;
      const now = new Date().toISOString();
      const times = { createdAt: now, updatedAt: now };
      const call = { id, orgId: ORGANISATION, assistantOverrides, squadOverrides, ...times };
      const told = ofItsType(message.type, { timestamp: Date.now(), call, ...message });
      const { status } = await fetch(new URL("/api/webHook", server), {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Vapi-Secret": WEBHOOK_SECRET },
        body: JSON.stringify({ message: told }),
      });
      return status;
    },
    stop: async () => {
      platform.closeAllConnections();
      platform.close();
      await once(platform, "close");
    },
  };
}

/** As it goes over the wire. What is not of the official type is a fault of the test's own. */
function ofItsType(body: string, value: object): object {
  const sent = JSON.parse(JSON.stringify(value)) as object;
  const fault = faultOf(body, sent);
  if (fault) throw new Error(`the platform would send no such ${body}: ${fault}`);
  return sent;
}

async function text(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
