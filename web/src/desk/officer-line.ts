/**
 * An officer's line to a call: WebRTC, as a caller's is, and its own microphone or silence.
 *
 * It never ends a call by itself: a line that is let go of is lost, and the assistant goes back to the caller.
 */

import { isCallEnded, readMessage } from "../voice/messages.ts";
import { type Microphone, openMicrophone } from "../voice/microphone.ts";
import { chosenMicrophone } from "../voice/microphone-choice.ts";
import type { Transport } from "../voice/transport.ts";
import { VoiceError } from "../voice/voice-error.ts";
import { WhipTransport } from "../voice/whip-transport.ts";
import type { NodeName } from "./contract.ts";
import { fetchRelays, lineAddress } from "./desk-api.ts";
import { deskAudio, unlockSound } from "./desk-sound.ts";

/** `line`: to talk with the caller. `listening`: unheard. `coaching`: heard by the officers alone. */
export type Way = "line" | "listening" | "coaching";

/** What a line sends: silence, until a voice is let in. */
export interface OwnVoice extends Microphone {
  letIn(microphone: Microphone): void;
}

export interface LineParts {
  fetchRelays(node: NodeName): Promise<RTCIceServer[]>;
  openMicrophone(): Promise<Microphone>;
  silence(): OwnVoice;
  createTransport(): Transport;
}

export const BROWSER_LINE: LineParts = {
  fetchRelays,
  openMicrophone: async () => {
    await unlockSound();
    return openMicrophone(deskAudio(), chosenMicrophone());
  },
  silence: () => silentVoice(deskAudio()),
  createTransport: () => new WhipTransport(deskAudio()),
};

/** What a line tells whoever holds it. */
export interface LineListener {
  /** It is gone though nobody here put it down. */
  gone(): void;
  /** The server has said that the call has ended. */
  callEnded(): void;
}

export class OfficerLine {
  readonly callId: string;
  readonly way: Way;
  /** The node that has the call. */
  readonly node: NodeName;
  readonly #parts: LineParts;
  readonly #listener: LineListener;
  readonly #abort = new AbortController();
  #voice: Microphone | OwnVoice | null = null;
  #relays: Promise<RTCIceServer[]> = Promise.resolve([]);
  #transport: Transport | null = null;
  #over = false;

  constructor(
    callId: string,
    way: Way,
    listener: LineListener,
    parts: LineParts = BROWSER_LINE,
    node: NodeName = null,
  ) {
    this.callId = callId;
    this.way = way;
    this.node = node;
    this.#listener = listener;
    this.#parts = parts;
  }

  /**
   * Asks for what is to be heard of the officer, at the press itself: a browser asks its question while the
   * server is asked for the call.
   */
  async prepare(): Promise<void> {
    // Meanwhile: a browser has to know of relays before it makes its offer. Without an answer it goes without.
    this.#relays = this.#parts.fetchRelays(this.node).catch(() => []);
    // Who listens is asked for no microphone; and a line without any sound from here would count as lost.
    this.#voice = this.way === "listening" ? this.#parts.silence() : await this.#parts.openMicrophone();
    if (this.#abort.signal.aborted) this.#voice.close();
  }

  /** Comes onto the call's line. Rejects with a `VoiceError`, having let go of everything. */
  async join(): Promise<void> {
    const transport = this.#parts.createTransport();
    try {
      this.#abort.signal.throwIfAborted();
      if (!this.#voice) throw new VoiceError("microphone-failed", "there is nothing to send");
      const address = lineAddress(this.callId, this.way, this.node);
      const url = new URL(address, window.location.href).href;
      const iceServers = await this.#relays;
      const listener = {
        message: (text: string) => this.#received(text),
        playing: () => {},
        left: () => this.#gone(),
        doubtful: () => {},
        faltering: () => {},
      };
      const call = { id: this.callId, webCallUrl: url, transport: { iceServers } };
      await transport.join(call, this.#voice, listener, this.#abort.signal);
      this.#abort.signal.throwIfAborted();
      this.#transport = transport;
    } catch (error) {
      transport.letGo();
      this.close();
      throw VoiceError.from(error, "media-failed");
    }
  }

  /** Opens the microphone on a line that has only listened. */
  async speak(): Promise<void> {
    const voice = this.#voice;
    if (!voice || !("letIn" in voice)) return;
    const microphone = await this.#parts.openMicrophone();
    if (this.#over) microphone.close();
    else voice.letIn(microphone);
  }

  get muted(): boolean {
    return this.#voice?.muted ?? false;
  }

  /** The server is told too, so that silence is not taken for a microphone that fails. */
  set muted(muted: boolean) {
    if (!this.#voice) return;
    this.#voice.muted = muted;
    const control = muted ? "mute-caller" : "unmute-caller";
    this.#transport?.send(JSON.stringify({ type: "control", control }));
  }

  /** How loud the officer and the others are now, 0 to 1. */
  levels(): { own: number; others: number } {
    return { own: this.#voice?.level() ?? 0, others: this.#transport?.remoteLevel() ?? 0 };
  }

  /** Lets go of sound, microphone and connection. */
  close(): void {
    this.#over = true;
    this.#abort.abort();
    this.#voice?.close();
    this.#transport?.letGo();
    this.#transport = null;
  }

  #received(text: string): void {
    const received = readMessage(text);
    if (received.kind === "message" && isCallEnded(received.message) && !this.#over) {
      this.close();
      this.#listener.callEnded();
    }
  }

  #gone(): void {
    if (this.#over) return;
    this.close();
    this.#listener.gone();
  }
}

/** Sound that is none, as a microphone: sent all the time, so that the line is heard to be there. */
export function silentVoice(context: AudioContext): OwnVoice {
  const out = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
  const nothing = new ConstantSourceNode(context, { offset: 0 });
  nothing.connect(out);
  nothing.start();
  let microphone: Microphone | null = null;
  let source: MediaStreamAudioSourceNode | null = null;
  return {
    stream: out.stream,
    deviceId: null,
    get muted() {
      return microphone?.muted ?? true;
    },
    set muted(muted: boolean) {
      if (microphone) microphone.muted = muted;
    },
    level: () => microphone?.level() ?? 0,
    letIn: (opened) => {
      microphone = opened;
      source = new MediaStreamAudioSourceNode(context, { mediaStream: opened.stream });
      source.connect(out);
    },
    close: () => {
      source?.disconnect();
      microphone?.close();
      nothing.stop();
      for (const track of out.stream.getTracks()) track.stop();
    },
  };
}
