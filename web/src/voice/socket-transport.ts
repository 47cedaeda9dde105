/**
 * A call over a WebSocket: raw 16-bit PCM at 16 kHz both ways as binary messages, app messages as
 * text. The second way in, for networks that WebRTC does not get through.
 */
import { REMOTE_GAIN } from "./levels.ts";
import type { Microphone } from "./microphone.ts";
import captureUrl from "./pcm/capture.worklet.ts?worker&url";
import playerUrl from "./pcm/player.worklet.ts?worker&url";
import { SoundLevel } from "./sound-level.ts";
import type { Transport, TransportListener } from "./transport.ts";
import { VoiceError } from "./voice-error.ts";
import type { WebCall } from "./web-call.ts";

const CONNECT_WITHIN_MS = 8000;
/** Sound that a slow network has not taken yet is dropped beyond this (half a second): late sound is no use. */
const MAX_UNSENT_BYTES = 16_000;
const NORMAL_CLOSURE = 1000;

export class SocketTransport implements Transport {
  readonly #context: AudioContext;
  #socket: WebSocket | null = null;
  #nodes: AudioNode[] = [];
  #level: SoundLevel | null = null;
  #received = 0;

  constructor(context: AudioContext) {
    this.#context = context;
  }

  async join(
    call: WebCall,
    microphone: Microphone,
    listener: TransportListener,
    signal: AbortSignal,
  ): Promise<void> {
    const url = call.transport?.websocketCallUrl;
    if (!url) throw new VoiceError("media-failed", "the call has no socket to join");
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_WITHIN_MS)]);
    try {
      await Promise.all(
        [playerUrl, captureUrl].map((module) => this.#context.audioWorklet.addModule(module)),
      );
      bounded.throwIfAborted();
      const socket = new WebSocket(url);
      socket.binaryType = "arraybuffer";
      this.#socket = socket;
      const player = this.#play(listener);
      socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
        this.#received++;
        if (typeof event.data === "string") listener.message(event.data);
        else player.port.postMessage(event.data, [event.data]);
      };
      await opened(socket, bounded);
      this.#capture(microphone, socket);
      listener.playing();
      socket.onclose = (event) => {
        if (this.#socket === socket) listener.left(event.wasClean ? "closed" : "lost");
      };
    } catch (error) {
      this.#release();
      throw VoiceError.from(error, "media-failed");
    }
  }

  send(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  remoteLevel(): number {
    return this.#level?.read() ?? 0;
  }

  async received(): Promise<number> {
    return this.#received;
  }

  letGo(): void {
    this.#release();
  }

  async leave(): Promise<void> {
    this.#release();
  }

  abandon(): void {
    this.#release();
  }

  #play(listener: TransportListener): AudioWorkletNode {
    const player = new AudioWorkletNode(this.#context, "player", {
      numberOfInputs: 0,
      outputChannelCount: [1],
    });
    player.onprocessorerror = () => listener.left("lost");
    player.connect(this.#context.destination);
    this.#level = new SoundLevel(this.#context, player, REMOTE_GAIN);
    this.#nodes.push(player);
    return player;
  }

  #capture(microphone: Microphone, socket: WebSocket): void {
    const source = this.#context.createMediaStreamSource(microphone.stream);
    const capture = new AudioWorkletNode(this.#context, "capture", {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: "explicit",
    });
    capture.port.onmessage = (event: MessageEvent<ArrayBuffer>) => {
      if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < MAX_UNSENT_BYTES)
        socket.send(event.data);
    };
    source.connect(capture);
    this.#nodes.push(source, capture);
  }

  #release(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#level?.close();
    this.#level = null;
    for (const node of this.#nodes.splice(0)) node.disconnect();
    socket?.close(NORMAL_CLOSURE);
  }
}

/** Resolves when the socket is open; rejects when it closes first or `signal` fires. */
function opened(socket: WebSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new VoiceError("media-failed", "the call's socket did not open"));
    socket.onopen = () => resolve();
    socket.onclose = fail;
    signal.addEventListener("abort", fail, { once: true });
    if (signal.aborted) fail();
  });
}
