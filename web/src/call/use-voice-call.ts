/** A voice call for a page: its state, its captions, and the few things one can do with it. */
import { useEffect, useReducer, useState } from "react";
import { agencyTransferredTo, isCallEnded, isTranscript } from "../voice/messages.ts";
import type { VoiceClient } from "../voice/voice-client.ts";
import { VoiceError } from "../voice/voice-error.ts";
import type { CallTarget } from "../voice/web-call.ts";
import { type CallState, changeCall, NO_CALL } from "./call-state.ts";
import { addTranscript, type Captions } from "./captions.ts";
import { onLeaving } from "./leaving.ts";

export interface CallListeners {
  started(callId: string): void;
  ended(callId: string): void;
}

export interface VoiceCall {
  state: CallState;
  captions: Captions;
  press(): void;
  toggleMute(): void;
}

const SPEAKERS = { user: "caller", assistant: "assistant", officer: "officer" } as const;

/** `target` is asked for when the button is pressed; `listeners` must keep its identity. */
export function useVoiceCall(
  client: VoiceClient,
  target: () => Promise<CallTarget>,
  listeners: CallListeners,
): VoiceCall {
  const [state, change] = useReducer(changeCall, NO_CALL);
  const [captions, setCaptions] = useState<Captions>([]);

  useEffect(() => {
    let callId: string | null = null;
    const removals = [
      onLeaving(() => client.abandon()),
      client.on("call-start", () => {
        callId = client.call?.id ?? null;
        change({ type: "call-started", callId });
        if (callId) listeners.started(callId);
      }),
      client.on("call-end", () => {
        change({ type: "call-ended" });
        if (callId) listeners.ended(callId);
        callId = null;
      }),
      client.on("line-lost", () => change({ type: "line-lost" })),
      client.on("line-restored", () => change({ type: "line-restored" })),
      client.on("speech-start", () => change({ type: "speech-started" })),
      client.on("speech-end", () => change({ type: "speech-ended" })),
      client.on("error", (error) => {
        console.error("the call failed", error);
        change({ type: "platform-failed", trouble: error.trouble });
      }),
      client.on("message", (message) => {
        if (isCallEnded(message)) {
          const reason = "endedReason" in message ? message.endedReason : undefined;
          change({ type: "ended-reason-told", reason: String(reason ?? "") });
        }
        const agency = agencyTransferredTo(message);
        if (agency) change({ type: "transferred", agency });
        if (isTranscript(message)) {
          const speaker = SPEAKERS[message.role];
          setCaptions((shown) =>
            addTranscript(shown, speaker, message.transcript, message.transcriptType === "partial"),
          );
        }
      }),
    ];
    return () => {
      for (const remove of removals) remove();
      void client.stop();
    };
  }, [client, listeners]);

  const start = async () => {
    setCaptions([]);
    change({ type: "start-pressed" });
    try {
      const call = await client.start(await target());
      if (!call) change({ type: "start-failed" });
    } catch (error) {
      console.error("Failed to start call", error);
      change({ type: "platform-failed", trouble: VoiceError.from(error, "server-unreachable").trouble });
      change({ type: "start-failed" });
    }
  };

  return {
    state,
    captions,
    press: () => {
      if (state.status === "active") {
        change({ type: "stop-pressed" });
        void client.stop();
      } else if (state.status !== "loading") {
        void start();
      }
    },
    toggleMute: () => {
      const muted = !client.isMuted();
      client.setMuted(muted);
      change({ type: "mute-set", muted });
    },
  };
}
