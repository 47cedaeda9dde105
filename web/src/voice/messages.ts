/**
 * App messages, in the voice platform's wire format, both ways over a call's data channel or socket.
 * Messages this page does not read are passed on as they came.
 */

/** Who speaks; an officer is a person whom the call was handed to. (Ours: the hosted platform has no such speaker.) */
export type SpeakerRole = "user" | "assistant" | "officer";

export type VoiceMessage =
  | {
      type: "transcript";
      role: SpeakerRole;
      transcriptType: "partial" | "final";
      transcript: string;
    }
  | { type: "status-update"; status: string; endedReason?: string }
  | { type: "speech-update"; status: "started" | "stopped"; role: SpeakerRole }
  | { type: "user-interrupted" }
  | { type: string; [field: string]: unknown };

/** What the page may send during a call. */
export type ClientMessage =
  | {
      type: "add-message";
      message: { role: "user" | "system"; content: string };
      triggerResponseEnabled?: boolean;
    }
  | {
      type: "control";
      control: "mute-assistant" | "unmute-assistant" | "mute-caller" | "unmute-caller" | "say-first-message";
      videoRecordingStartDelaySeconds?: number;
    }
  | { type: "say"; message: string; endCallAfterSpoken?: boolean; interruptionsEnabled?: boolean }
  | { type: "end-call" };

/** The assistant is there and hears the caller: the call has begun. */
export const LISTENING = "listening";
/** Sent by the page once the assistant's sound can be played. */
export const PLAYABLE = "playable";

export type Received =
  | { kind: "listening" }
  | { kind: "message"; message: VoiceMessage }
  | { kind: "unreadable" };

/** Reads one received app message. */
export function readMessage(text: string): Received {
  if (text === LISTENING) return { kind: "listening" };
  try {
    const value: unknown = JSON.parse(text);
    // Some clients quote the bare word as JSON.
    if (value === LISTENING) return { kind: "listening" };
    if (typeof value === "object" && value !== null && "type" in value && typeof value.type === "string") {
      return { kind: "message", message: value as VoiceMessage };
    }
  } catch {
    // Not JSON: unreadable, below.
  }
  return { kind: "unreadable" };
}

export function isCallEnded(message: VoiceMessage): boolean {
  return message.type === "status-update" && "status" in message && message.status === "ended";
}

/** The code of the agency that a transfer goes to; null for every other message. */
export function agencyTransferredTo(message: VoiceMessage): string | null {
  if (message.type !== "transfer-update" || !("destination" in message)) return null;
  const { destination } = message;
  if (typeof destination !== "object" || destination === null || !("description" in destination)) return null;
  return typeof destination.description === "string" ? destination.description : null;
}

type Transcript = Extract<VoiceMessage, { type: "transcript" }>;

export function isTranscript(message: VoiceMessage): message is Transcript {
  return (
    message.type === "transcript" &&
    "role" in message &&
    (message.role === "user" || message.role === "assistant" || message.role === "officer") &&
    "transcript" in message &&
    typeof message.transcript === "string"
  );
}
