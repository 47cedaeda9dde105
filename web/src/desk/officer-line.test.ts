/** How an officer's line is made, muted, taken over and lost. */
import { beforeEach, describe, expect, it } from "vitest";
import { VoiceError } from "../voice/voice-error.ts";
import { OfficerLine, type Way } from "./officer-line.ts";
import { type InMemoryLine, inMemoryLine } from "./testing/in-memory-desk.ts";

let parts: InMemoryLine;
let told: string[];

beforeEach(() => {
  parts = inMemoryLine();
  told = [];
});

async function onLine(way: Way, node: string | null = null): Promise<OfficerLine> {
  const listener = { gone: () => told.push("gone"), callEnded: () => told.push("ended") };
  const line = new OfficerLine("one", way, listener, parts, node);
  await line.prepare();
  await line.join();
  return line;
}

describe("an officer's line", () => {
  it("goes where the call is, by the way it is for", async () => {
    await onLine("line");
    expect(parts.transport.url).toBe("http://localhost:3000/api/desk/calls/one/line");
    await onLine("coaching");
    expect(parts.transport.url).toMatch(/\/coaching$/);
  });

  it("goes to the node that has the call, and through the relays that this one names", async () => {
    const relay = { urls: ["turn:relay.example"], username: "1:a", credential: "secret" };
    parts.relays.set("b", [relay]);
    await onLine("listening", "b");
    expect(parts.transport.url).toBe("http://localhost:3000/node/b/api/desk/calls/one/listening");
    expect(parts.transport.iceServers).toEqual([relay]);
  });

  it("goes without relays where nobody says which there are", async () => {
    parts.fetchRelays = () => Promise.reject(new TypeError("no answer"));
    await onLine("line");
    expect(parts.transport.joined).toBe(true);
    expect(parts.transport.iceServers).toEqual([]);
  });

  it("asks for a microphone to speak, and for none to listen", async () => {
    await onLine("listening");
    expect(parts.microphones).toBe(0);
    await onLine("coaching");
    expect(parts.microphones).toBe(1);
  });

  it("lets a voice in when who listened takes the call over", async () => {
    const line = await onLine("listening");
    await line.speak();
    expect([parts.microphones, parts.voiceLetIn]).toEqual([1, true]);
  });

  it("tells the server of a muted microphone, whose silence is meant", async () => {
    const line = await onLine("line");
    line.muted = true;
    line.muted = false;
    expect(parts.transport.sent.map((text) => JSON.parse(text).control)).toEqual([
      "mute-caller",
      "unmute-caller",
    ]);
  });

  it("tells a line that is lost from a call that has ended, and each once", async () => {
    await onLine("line");
    parts.transport.listener?.left("lost");
    parts.transport.listener?.left("lost");
    expect(told).toEqual(["gone"]);
    told = [];
    parts.transport = inMemoryLine().transport;
    await onLine("line");
    parts.transport.listener?.message('{"type":"status-update","status":"ended"}');
    parts.transport.listener?.left("closed");
    expect(told).toEqual(["ended"]);
  });

  it("says nothing when it was put down here", async () => {
    const line = await onLine("line");
    line.close();
    parts.transport.listener?.left("closed");
    expect(told).toEqual([]);
    expect(parts.transport.letGoOf).toBe(1);
  });

  it("lets go of everything when it cannot be made", async () => {
    parts.transport.refuses = new VoiceError("call-refused", "gone");
    await expect(onLine("line")).rejects.toMatchObject({ trouble: "call-refused" });
    expect(parts.transport.letGoOf).toBe(1);
  });
});
