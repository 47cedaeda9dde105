/** A stand-in of the hosted platform: answers `POST /call/web` as its API describes it, and holds what it is asked with to the official types. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { faultOf } from "./official-types.ts";

export const HOSTED_KEY = "public-key-of-the-tests";
export const HOSTED_SQUAD = "squad-of-the-tests";
export const WEBHOOK_SECRET = "shared-with-the-tests-platform";

/** The body of a request for a call, as far as the tests read it. */
export interface AskedCall {
  squadId?: string;
  assistantId?: string;
  assistantOverrides: { variableValues: Record<string, string> };
  squadOverrides?: { variableValues: Record<string, string> };
  roomDeleteOnUserLeaveEnabled: boolean;
}

export interface HostedPlatform {
  url: string;
  /** The server's settings for it. */
  settings: Record<string, string>;
  /** The calls that were asked for, with their ids. */
  calls: { id: string; asked: AskedCall }[];
  /** Sends one of its messages about a call to the server. */
  tell(server: string, call: HostedPlatform["calls"][number], message: object): Promise<number>;
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
    answer(201, {
      id,
      orgId: randomUUID(),
      createdAt: new Date().toISOString(),
      type: "webCall",
      status: "queued",
      squadId: asked.squadId,
      webCallUrl: `https://vapi.daily.co/${id}`,
      transport: { provider: "daily", callUrl: `https://vapi.daily.co/${id}` },
      artifactPlan: { videoRecordingEnabled: false },
      assistant: { voice: { provider: "vapi" } },
    });
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
      const call = { id, assistantOverrides, squadOverrides, createdAt: new Date().toISOString() };
      const { status } = await fetch(new URL("/api/webHook", server), {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Vapi-Secret": WEBHOOK_SECRET },
        body: JSON.stringify({ message: { timestamp: Date.now(), call, ...message } }),
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

async function text(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
