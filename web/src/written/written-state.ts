/** A written conversation on the page, and how it changes. Pure. */

import type { CallStatus } from "../call/call-state.ts";
import type { Speaker } from "../call/captions.ts";
import type { VoiceTrouble } from "../voice/voice-error.ts";

export interface WrittenLine {
  id: number;
  speaker: Exclude<Speaker, "officer">;
  text: string;
  /** What the caller wrote did not reach the server. */
  unsent: boolean;
}

export interface WrittenState {
  status: CallStatus;
  lines: readonly WrittenLine[];
  /** Whether the assistant's answer is awaited. */
  awaited: boolean;
  trouble: VoiceTrouble | null;
  /** Why the last conversation ended; null before the first end. */
  endedReason: string | null;
  /** The call id of its record, from its first answer on and until the next one. */
  callId: string | null;
  /** The agency that it was handed to; null where it was not, or not yet. */
  transferTo: string | null;
}

export type WrittenChange =
  | { type: "start-pressed" }
  | { type: "start-failed"; trouble: VoiceTrouble }
  | { type: "written"; text: string }
  | {
      type: "answered";
      said: readonly string[];
      endedReason: string | null;
      conversation?: string;
      transferTo?: string | null;
    }
  | { type: "not-sent"; trouble: VoiceTrouble }
  | { type: "ended"; reason: string };

export const NOT_WRITING: WrittenState = {
  status: "inactive",
  lines: [],
  awaited: false,
  trouble: null,
  endedReason: null,
  callId: null,
  transferTo: null,
};

export function changeWritten(state: WrittenState, change: WrittenChange): WrittenState {
  switch (change.type) {
    case "start-pressed":
      return { ...NOT_WRITING, status: "loading" };
    case "start-failed":
      return { ...state, status: "error", trouble: change.trouble };
    case "written": {
      // Sent again, a line keeps its place.
      const lines = state.lines.filter(({ unsent }) => !unsent);
      return { ...state, lines: withLine(lines, "caller", change.text), awaited: true, trouble: null };
    }
    case "answered": {
      const sent = state.lines.map((line) => ({ ...line, unsent: false }));
      const lines = change.said.reduce((all, text) => withLine(all, "assistant", text), sent);
      const over = change.endedReason !== null;
      return {
        ...state,
        status: over ? "inactive" : "active",
        lines,
        awaited: false,
        trouble: null,
        endedReason: change.endedReason,
        // The platform may name each exchange anew; the record stands under the first.
        callId: state.callId ?? change.conversation ?? null,
        transferTo: change.transferTo ?? state.transferTo,
      };
    }
    case "not-sent": {
      const last = state.lines.at(-1)?.id;
      const lines = state.lines.map((line) => (line.id === last ? { ...line, unsent: true } : line));
      return { ...state, lines, awaited: false, trouble: change.trouble };
    }
    case "ended":
      return { ...state, status: "inactive", awaited: false, trouble: null, endedReason: change.reason };
  }
}

/** What the caller wrote and the server did not get; it can be sent again. */
export function unsentText({ lines }: WrittenState): string | null {
  return lines.find(({ unsent }) => unsent)?.text ?? null;
}

function withLine(
  lines: readonly WrittenLine[],
  speaker: WrittenLine["speaker"],
  text: string,
): WrittenLine[] {
  return [...lines, { id: (lines.at(-1)?.id ?? 0) + 1, speaker, text, unsent: false }];
}
