/** The status of the call on the page, and how it changes. Pure. */
import type { VoiceTrouble } from "../voice/voice-error.ts";

export type CallStatus = "inactive" | "loading" | "active" | "error";

export interface CallState {
  status: CallStatus;
  /** Whether the assistant is speaking; it listens otherwise. */
  speaking: boolean;
  muted: boolean;
  /** The line is lost, and another to the same call is looked for. */
  cutOff: boolean;
  /** What went wrong last, until the next start. */
  trouble: VoiceTrouble | null;
  /** Why the last call ended, in the platform's words; null before the first end. */
  endedReason: string | null;
  /** The call's, from its start on and until the next one. */
  callId: string | null;
  /** The agency that the call was handed to, as the assistant told; null where it was not, or not yet. */
  transferTo: string | null;
}

export type CallChange =
  | { type: "start-pressed" }
  | { type: "stop-pressed" }
  | { type: "call-started"; callId?: string | null }
  | { type: "start-failed" }
  | { type: "line-lost" }
  | { type: "line-restored" }
  | { type: "call-ended" }
  | { type: "ended-reason-told"; reason: string }
  | { type: "transferred"; agency: string }
  | { type: "platform-failed"; trouble: VoiceTrouble }
  | { type: "speech-started" }
  | { type: "speech-ended" }
  | { type: "mute-set"; muted: boolean };

export const NO_CALL: CallState = {
  status: "inactive",
  speaking: false,
  muted: false,
  cutOff: false,
  trouble: null,
  endedReason: null,
  callId: null,
  transferTo: null,
};

export function changeCall(state: CallState, change: CallChange): CallState {
  switch (change.type) {
    case "start-pressed":
      return { ...NO_CALL, status: "loading" };
    case "stop-pressed":
      return { ...state, status: "loading", speaking: false };
    case "call-started":
      return { ...state, status: "active", trouble: null, callId: change.callId ?? null };
    case "start-failed":
      return { ...state, status: "error", speaking: false, muted: false };
    case "line-lost":
      return { ...state, speaking: false, cutOff: true };
    case "line-restored":
      return { ...state, cutOff: false };
    case "call-ended":
      return { ...state, status: "inactive", speaking: false, muted: false, cutOff: false };
    case "ended-reason-told":
      return { ...state, endedReason: change.reason };
    case "transferred":
      return { ...state, transferTo: change.agency };
    case "platform-failed":
      return {
        ...state,
        status: "inactive",
        speaking: false,
        muted: false,
        cutOff: false,
        trouble: change.trouble,
      };
    case "speech-started":
      return { ...state, speaking: true };
    case "speech-ended":
      return { ...state, speaking: false };
    case "mute-set":
      return { ...state, muted: change.muted };
  }
}
