/** A voice client's parts without a browser, a network or sound: tests play the other side by hand. */
import { vi } from "vitest";
import type { Microphone } from "../microphone.ts";
import type { Transport, TransportListener } from "../transport.ts";
import { VoiceClient, type VoiceClientParts } from "../voice-client.ts";
import { VoiceError } from "../voice-error.ts";
import type { WebCall } from "../web-call.ts";

export class InMemoryTransport implements Transport {
  readonly sent: string[] = [];
  level = 0;
  heard = 0;
  joined = false;
  endedThere: boolean | null = null;
  left = 0;
  letGoOf = 0;
  abandoned = false;
  listener: TransportListener | null = null;
  /** Set to refuse the next joins. */
  refuses: VoiceError | null = null;
  /** Set to refuse those at some addresses. */
  refusesAt: ((url: string) => VoiceError | null) | null = null;
  /** Where it was last asked to join. */
  url = "";
  /** The relays that it was told of. */
  iceServers: RTCIceServer[] = [];

  async join(call: WebCall, _microphone: Microphone, listener: TransportListener): Promise<void> {
    this.url = call.webCallUrl;
    this.iceServers = call.transport?.iceServers ?? [];
    const refusal = this.refuses ?? this.refusesAt?.(call.webCallUrl);
    if (refusal) throw refusal;
    this.listener = listener;
    this.joined = true;
  }
  send(text: string): void {
    this.sent.push(text);
  }
  remoteLevel(): number {
    return this.level;
  }
  async received(): Promise<number> {
    return this.heard;
  }
  async leave(endedThere: boolean): Promise<void> {
    this.endedThere = endedThere;
    this.left++;
  }
  letGo(): void {
    this.letGoOf++;
  }
  abandon(): void {
    this.abandoned = true;
  }
}

export interface InMemoryCall {
  client: VoiceClient;
  first: InMemoryTransport;
  second: InMemoryTransport;
  microphone: Microphone & { closed: boolean };
  parts: VoiceClientParts;
  /** Every event so far, by name, with its arguments. Volume events are left out. */
  events: [name: string, ...args: unknown[]][];
}

export function inMemoryCall(change: Partial<VoiceClientParts> = {}): InMemoryCall {
  const first = new InMemoryTransport();
  const second = new InMemoryTransport();
  const microphone = {
    stream: {} as MediaStream,
    deviceId: null,
    muted: false,
    closed: false,
    level: () => 0,
    close() {
      this.closed = true;
    },
  };
  const parts: VoiceClientParts = {
    openMicrophone: vi.fn(async () => microphone),
    createCall: vi.fn(async () => ({ id: "call-1", webCallUrl: "http://server/call/call-1/whip" })),
    askServer: vi.fn(async () => "there" as const),
    transportsOf: () => [() => first, () => second],
    isMobile: false,
    ...change,
  };
  const client = new VoiceClient(parts);
  const events: InMemoryCall["events"] = [];
  for (const name of [
    "call-start",
    "line-lost",
    "line-restored",
    "call-end",
    "speech-start",
    "speech-end",
    "message",
    "error",
  ] as const) {
    client.on(name, (...args: unknown[]) => events.push([name, ...args]));
  }
  return { client, first, second, microphone, parts, events };
}

export const refusedBy = (trouble: VoiceError["trouble"]) => new VoiceError(trouble, trouble);
