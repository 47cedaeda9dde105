/** The status of the call on the page, and how it changes. Pure. */
import type { VoiceTrouble } from "../voice/voice-error.ts";

export type CallStatus = "inactive" | "loading" | "active" | "error";

export interface CallState {
  status: CallStatus;
  /** Whether the assistant is speaking; it listens otherwise. */
  speaking: boolean;
  muted: boolean;
  /** What went wrong last, until the next start. */
  trouble: VoiceTrouble | null;
  /** Why the last call ended, in the platform's words; null before the first end. */
  endedReason: string | null;
}

export type CallChange =
  | { type: "start-pressed" }
  | { type: "stop-pressed" }
  | { type: "call-started" }
  | { type: "start-failed" }
  | { type: "call-ended" }
  | { type: "ended-reason-told"; reason: string }
  | { type: "platform-failed"; trouble: VoiceTrouble }
  | { type: "speech-started" }
  | { type: "speech-ended" }
  | { type: "mute-set"; muted: boolean };

export const NO_CALL: CallState = {
  status: "inactive",
  speaking: false,
  muted: false,
  trouble: null,
  endedReason: null,
};

export function changeCall(state: CallState, change: CallChange): CallState {
  switch (change.type) {
    case "start-pressed":
      return { ...NO_CALL, status: "loading" };
    case "stop-pressed":
      return { ...state, status: "loading", speaking: false };
    case "call-started":
      return { ...state, status: "active", trouble: null };
    case "start-failed":
      return { ...state, status: "error", speaking: false, muted: false };
    case "call-ended":
      return { ...state, status: "inactive", speaking: false, muted: false };
    case "ended-reason-told":
      return { ...state, endedReason: change.reason };
    case "platform-failed":
      return { ...state, status: "inactive", speaking: false, muted: false, trouble: change.trouble };
    case "speech-started":
      return { ...state, speaking: true };
    case "speech-ended":
      return { ...state, speaking: false };
    case "mute-set":
      return { ...state, muted: change.muted };
  }
}
