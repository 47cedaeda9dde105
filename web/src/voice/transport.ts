/**
 * One way of carrying a call's sound and app messages. The voice client knows only this; that a
 * call may be WebRTC or a socket of raw PCM is behind it.
 */
import type { Microphone } from "./microphone.ts";
import type { WebCall } from "./web-call.ts";

export interface TransportListener {
  /** An app message arrived. May come before `join` has resolved. */
  message(text: string): void;
  /** The assistant's sound can be played. */
  playing(): void;
  /** The first of its sound has come: told where that may be long before an app message, and then once. */
  sounding?(): void;
  /**
   * The call is over without the page having asked: `closed` by the other side, or `lost`
   * (the sound was cut off). Told at most once, and never before `join` has resolved.
   */
  left(cause: "closed" | "lost"): void;
  /** The other side has not answered for a moment. May be told again and again, as what follows. */
  doubtful(): void;
  /** It has not for longer: it may be gone. */
  faltering(): void;
}

export interface Transport {
  /** Resolves once sound flows both ways; rejects with a `VoiceError`, having let go of everything. */
  join(
    call: WebCall,
    microphone: Microphone,
    listener: TransportListener,
    signal: AbortSignal,
  ): Promise<void>;
  send(text: string): void;
  /**
   * Turns the caller's microphone off and on where this way of carrying sound has its own; otherwise the stream's is all there
   * is, and the other side is told of it.
   */
  mute?(muted: boolean): void;
  /** The summed level of what is heard from the other side now, 0 to 1. */
  remoteLevel(): number;
  /** How much has been received so far, in a unit of its own; it grows while the other side is there. */
  received(): Promise<number>;
  /** The line is lost: lets go of sound and connection, and keeps what a goodbye needs. */
  letGo(): void;
  /**
   * Says goodbye properly and lets go of everything; bounded in time; never rejects. Of a call that the
   * other side has ended there is nothing left to say goodbye to.
   */
  leave(endedThere: boolean): Promise<void>;
  /** The page is going away: ends the call at once, without waiting for anything. */
  abandon(): void;
}

export type CreateTransport = () => Transport;
