/** The words of the call area for every state of a call. */

import type { LampState } from "../../brand/LampWindow.tsx";
import type { CallState } from "../../call/call-state.ts";
import type { VoiceTrouble } from "../../voice/voice-error.ts";
import type { WrittenState } from "../../written/written-state.ts";
import type { EndWords } from "./end-words.ts";

export function buttonLabel({ status }: CallState, name: string): string {
  switch (status) {
    case "inactive":
    case "error":
      return `Talk to ${name}`;
    case "loading":
      return "Connecting...";
    case "active":
      return "End Call";
  }
}

/** Whether the line stands: announced to screen readers as it changes. */
export function lineStatus(
  { status, cutOff, endedReason }: CallState,
  name: string,
  end: EndWords | null,
): string {
  if (cutOff) return `Connecting to ${name} again`;
  switch (status) {
    case "loading":
      return `Connecting to ${name}`;
    case "active":
      return `Connected to ${name}`;
    case "error":
      return "The call could not start";
    case "inactive":
      return endedReason === null || !end ? "" : endAnnounced(endedReason, end, "call");
  }
}

/** What stands among the captions until somebody has spoken. */
export function waitingWords({ status, callId }: CallState, name: string): string {
  if (status === "active") return `${name} will speak in a moment.`;
  if (callId !== null) return "";
  return `Your browser may ask for the microphone. ${name} speaks first, and there is no hurry.`;
}

export function floorStatus({ speaking }: CallState): string {
  return speaking ? "Assistant is speaking" : "Assistant is listening";
}

export function lampState({ status, speaking, cutOff, trouble }: CallState): LampState {
  if (cutOff) return "connecting";
  if (status === "loading") return "connecting";
  if (status === "active") return speaking ? "speaking" : "listening";
  return trouble ? "trouble" : "idle";
}

/** The end in one breath; the card says the rest. */
function endAnnounced(reason: string, { ring }: EndWords, what: "call" | "conversation"): string {
  const again = what === "call" ? "You can call again at any time" : "You can write again at any time";
  switch (reason) {
    case "assistant-forwarded-call":
      return `The ${what} was handed over. This demonstration dials nobody: ${ring ? `${ring.label}, ${ring.who}` : "ring one of the numbers below"}`;
    case "silence-timed-out":
      return `It was quiet for a while, so the ${what} ended. ${again}`;
    case "exceeded-max-duration":
      return `The ${what} has reached its longest time. ${again}`;
    default:
      return `The ${what} has ended. ${again}`;
  }
}

/** What the caller reads where a voice call would be announced. */
export function writtenStatus(
  { status, awaited, endedReason }: WrittenState,
  name: string,
  end: EndWords | null,
): string {
  switch (status) {
    case "loading":
      return `Connecting to ${name}`;
    case "active":
      return awaited ? `${name} is writing` : `Connected to ${name}`;
    case "error":
      return "The conversation could not start";
    case "inactive":
      return endedReason === null || !end ? "" : endAnnounced(endedReason, end, "conversation");
  }
}

export function writtenTroubleWords(trouble: VoiceTrouble, started: boolean): TroubleWords {
  if (trouble === "lines-busy" || (trouble === "server-unreachable" && !started))
    return troubleWords(trouble);
  const advice = "Nothing you wrote is lost. Send it again, or ring or text one of these numbers instead.";
  if (started) return { title: "Your message was not sent", advice };
  return {
    title: "The conversation could not start",
    advice: "Something is wrong on our side. Try again, or ring or text one of these numbers instead.",
  };
}

/** While another line to the same call is looked for. */
export const CUT_OFF: TroubleWords = {
  title: "The line was cut off",
  advice:
    "Please stay here. You are being connected again, and the conversation goes on where it was. If it cannot wait, ring:",
};

export interface TroubleWords {
  title: string;
  advice: string;
}

export function troubleWords(trouble: VoiceTrouble): TroubleWords {
  switch (trouble) {
    case "microphone-refused":
      return {
        title: "The microphone is not allowed",
        advice:
          "Nightlight cannot hear you until this page may use the microphone. Allow it in the address bar or in your browser’s settings, then press the button again.",
      };
    case "microphone-missing":
      return {
        title: "No microphone was found",
        advice: "Plug one in or choose one in your device’s settings, then press the button again.",
      };
    case "microphone-failed":
      return {
        title: "The microphone could not be opened",
        advice: "Another app may be using it. Close that app, then press the button again.",
      };
    case "server-unreachable":
      return {
        title: "Nightlight cannot be reached",
        advice:
          "Our server does not answer. Press the button to try again, or ring one of these numbers instead.",
      };
    case "platform-unreachable":
      return {
        title: "The call could not be placed",
        advice:
          "The service that carries calls cannot be reached from here, maybe because your network keeps it out. You did nothing wrong. Write instead, try another network, or ring one of these numbers.",
      };
    case "lines-busy":
      return {
        title: "All lines are busy",
        advice: "Please try again in a few minutes. If it cannot wait, ring one of these numbers now.",
      };
    case "media-failed":
      return {
        title: "The sound did not get through",
        advice:
          "Your network may be blocking voice calls. Try another network, or ring one of these numbers instead.",
      };
    case "media-lost":
      return {
        title: "The call was cut off",
        advice: "The connection broke. You did nothing wrong. Press the button to call again.",
      };
    case "call-refused":
    case "nothing-to-call":
      return {
        title: "The call could not start",
        advice:
          "Something is wrong on our side. Press the button to try again, or ring one of these numbers instead.",
      };
  }
}
