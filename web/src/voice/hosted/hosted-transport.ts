/**
 * A call on the hosted platform: a room of its call library's vendor, where the assistant is a participant among others. The
 * library opens the microphone itself, so that its noise canceller can stand behind it, and finds its own way back after a
 * short break; a room that is lost for good is joined again by the voice client, if it is still there.
 */
import { OBSERVE_EVERY_MS } from "../levels.ts";
import type { Microphone } from "../microphone.ts";
import type { Transport, TransportListener } from "../transport.ts";
import { VoiceError, type VoiceTrouble } from "../voice-error.ts";
import type { WebCall } from "../web-call.ts";
import { ASSISTANT_PARTICIPANT, JOIN_WITHIN_MS, LEAVE_WITHIN_MS } from "./figures.ts";
import { loadCallLibrary } from "./load-call-library.ts";
import type { CreateRoom, Room, RoomParticipant } from "./room.ts";

export interface HostedTransportParts {
  loadCallLibrary(signal: AbortSignal): Promise<CreateRoom>;
  /** Makes the assistant's sound heard, and gives what silences it. Resolves once it plays. */
  play(track: MediaStreamTrack): Promise<() => void>;
}

/** Said of a room that there is no more: the call is over, and there is nothing to come back to. */
const OVER: ReadonlySet<string> = new Set([
  "ejected",
  "no-room",
  "exp-room",
  "exp-token",
  "nbf-room",
  "nbf-token",
  "end-of-life",
  "not-allowed",
]);

export class HostedTransport implements Transport {
  readonly #parts: HostedTransportParts;
  #room: Room | null = null;
  #silence: (() => void) | null = null;
  /** Whose sound is played, as the room names them. */
  #assistant: string | null = null;
  #level = 0;
  #received = 0;
  #muted = false;

  constructor(parts: HostedTransportParts = { loadCallLibrary, play }) {
    this.#parts = parts;
  }

  async join(
    call: WebCall,
    microphone: Microphone,
    listener: TransportListener,
    signal: AbortSignal,
  ): Promise<void> {
    this.#muted = microphone.muted;
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(JOIN_WITHIN_MS)]);
    try {
      const create = await this.#parts.loadCallLibrary(bounded);
      bounded.throwIfAborted();
      const room = create({
        allowMultipleCallInstances: true,
        audioSource: microphone.deviceId || true,
        videoSource: false,
        dailyConfig: { avoidEval: true },
      });
      this.#room = room;
      const joined = this.#listen(room, listener);
      const token = call.transport?.callToken;
      await orAborted(
        bounded,
        room.join({
          url: call.webCallUrl,
          // The library refuses a token that is there and undefined.
          ...(token && { token }),
          subscribeToTracksAutomatically: false,
        }),
      );
      joined();
      for (const participant of Object.values(room.participants())) this.#subscribe(room, participant);
      // Neither is needed for a call: it goes on without a level, and without the noise canceller.
      room.startRemoteParticipantsAudioLevelObserver(OBSERVE_EVERY_MS).catch(passedOver);
      room.updateInputSettings({ audio: { processor: { type: "noise-cancellation" } } }).catch(passedOver);
      if (this.#muted) room.setLocalAudio(false);
      // Where the assistant waits for a recording to begin, none is made, and it need not wait.
      if (call.artifactPlan?.videoRecordingEnabled) this.send(SAY_FIRST_MESSAGE);
    } catch (error) {
      await this.#release();
      signal.throwIfAborted();
      throw failureOf(error);
    }
  }

  send(text: string): void {
    this.#room?.sendAppMessage(text);
  }

  mute(muted: boolean): void {
    this.#muted = muted;
    this.#room?.setLocalAudio(!muted);
  }

  remoteLevel(): number {
    return this.#level;
  }

  async received(): Promise<number> {
    return this.#received;
  }

  letGo(): void {
    void this.#release();
  }

  async leave(): Promise<void> {
    // With the caller gone the platform ends the call, as it was asked for.
    await this.#release();
  }

  abandon(): void {
    void this.#release();
  }

  /** Returns what is to be called once joined: from then on an end is told. */
  #listen(room: Room, listener: TransportListener): () => void {
    let joined = false;
    let told = false;
    const left = (cause: "closed" | "lost") => {
      if (!joined || told || this.#room !== room) return;
      told = true;
      listener.left(cause);
    };
    room.on("app-message", ({ data }) => {
      this.#received++;
      listener.message(typeof data === "string" ? data : JSON.stringify(data));
    });
    room.on("participant-joined", ({ participant }) => this.#subscribe(room, participant));
    room.on("participant-left", ({ participant }) => {
      if (participant.session_id === this.#assistant) this.#fallSilent();
    });
    room.on("track-started", ({ participant, track }) => {
      if (!participant || participant.local || participant.user_name !== ASSISTANT_PARTICIPANT) return;
      if (track.kind === "audio") void this.#play(room, participant, track, listener);
    });
    room.on("remote-participants-audio-level", ({ participantsAudioLevel }) => {
      this.#received++;
      this.#level = Object.values(participantsAudioLevel).reduce((sum, level) => sum + level, 0);
    });
    room.on("nonfatal-error", ({ type }) => {
      if (type === "audio-processor-error") this.#withoutNoiseCanceller(room);
    });
    room.on("error", ({ error }) => left(error && OVER.has(error.type) ? "closed" : "lost"));
    room.on("left-meeting", () => left("closed"));
    return () => {
      joined = true;
    };
  }

  #subscribe(room: Room, { local, session_id }: RoomParticipant): void {
    if (!local) room.updateParticipant(session_id, { setSubscribedTracks: { audio: true, video: false } });
  }

  async #play(
    room: Room,
    participant: RoomParticipant,
    track: MediaStreamTrack,
    listener: TransportListener,
  ): Promise<void> {
    try {
      const silence = await this.#parts.play(track);
      if (this.#room !== room) return silence();
      this.#fallSilent();
      this.#silence = silence;
      this.#assistant = participant.session_id;
      listener.playing();
    } catch (error) {
      console.error("the assistant's sound cannot be played", error);
    }
  }

  /** The canceller may have taken the microphone with it: it is switched off, and the microphone on again. */
  #withoutNoiseCanceller(room: Room): void {
    room
      .updateInputSettings({ audio: { processor: { type: "none" } } })
      .catch(passedOver)
      .then(() => {
        if (this.#room === room) room.setLocalAudio(!this.#muted);
      });
  }

  #fallSilent(): void {
    this.#silence?.();
    this.#silence = null;
    this.#assistant = null;
    this.#level = 0;
  }

  async #release(): Promise<void> {
    const room = this.#room;
    this.#room = null;
    this.#fallSilent();
    if (!room) return;
    const bound = new Promise<void>((resolve) => setTimeout(resolve, LEAVE_WITHIN_MS));
    // Destroying leaves the room too.
    await Promise.race([room.destroy().catch(passedOver), bound]);
  }
}

const SAY_FIRST_MESSAGE = JSON.stringify({
  type: "control",
  control: "say-first-message",
  videoRecordingStartDelaySeconds: 0,
});

function passedOver(error: unknown): void {
  console.warn("the call goes on without a part of the call library", error);
}

/** What keeps a call from being joined is the way to the platform, unless it says that there is no such call. */
function failureOf(error: unknown): VoiceError {
  const type = typeof error === "object" && error !== null && "type" in error ? String(error.type) : "";
  const trouble: VoiceTrouble = OVER.has(type) ? "call-refused" : "platform-unreachable";
  return VoiceError.from(error, trouble);
}

function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason);
    signal.addEventListener("abort", aborted, { once: true });
    if (signal.aborted) aborted();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}

async function play(track: MediaStreamTrack): Promise<() => void> {
  const player = new Audio();
  player.srcObject = new MediaStream([track]);
  await player.play();
  return () => {
    player.pause();
    player.srcObject = null;
  };
}
