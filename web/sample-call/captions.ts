/**
 * The captions of a recorded call, from what `nightlight-caller --record` wrote down: who says which
 * sentence from when to when. Pure.
 */
import type { Caption } from "../src/pages/landing/sample-call/captions.ts";

/** A line of the recording's `call-NN.jsonl`, as far as it is read here. Times are seconds of the call. */
export interface TimelineEvent {
  at: number;
  event: string;
  /** Of what the caller says: from its first sound to its last. */
  from?: number;
  to?: number;
  message?: { type?: string; role?: string; status?: string; transcriptType?: string; transcript?: string };
}

export interface Said {
  /** The caller's sentences, turn by turn, as they were given to the voice. */
  turns: readonly (readonly string[])[];
  /** Of each sentence of each turn: when it begins, from the turn's first sound. */
  begins: readonly (readonly number[])[];
}

/** `seconds`: the length of the sound. */
export function captionsOf(
  timeline: readonly TimelineEvent[],
  messages: readonly { role: string; message: string }[],
  said: Said,
  seconds: number,
): Caption[] {
  const captions: Caption[] = [];
  const written = messages.filter(({ role }) => role === "bot").map(({ message }) => sentencesOf(message));
  let heard: { from: number; words: string }[] = [];
  let callerTurn = 0;
  let assistantTurn = 0;
  for (const { at, event, from = at, to = at, message } of timeline) {
    if (event === "says") {
      const begins = said.begins[callerTurn] ?? [];
      (said.turns[callerTurn] ?? []).forEach((words, i) => {
        const end = begins[i + 1] === undefined ? to : from + (begins[i + 1] as number);
        captions.push({ from: from + (begins[i] ?? 0), to: end, speaker: "caller", words });
      });
      callerTurn += 1;
    } else if (message?.role === "assistant" && message.transcriptType === "partial") {
      heard.push({ from: at, words: message.transcript ?? "" });
    } else if (message?.role === "assistant" && message.status === "stopped") {
      // As the record writes it: the wire has what the voice reads out ("D-vert").
      const sentences = written[assistantTurn] ?? [];
      heard.forEach((sentence, i) => {
        const words = sentences.length === heard.length ? (sentences[i] as string) : sentence.words;
        captions.push({ from: sentence.from, to: heard[i + 1]?.from ?? at, speaker: "assistant", words });
      });
      heard = [];
      assistantTurn += 1;
    }
  }
  // The last is told to have stopped a moment after its last sound.
  return captions.map(({ from, to, ...rest }) => ({
    from: hundredths(from),
    to: hundredths(Math.min(to, seconds)),
    ...rest,
  }));
}

function sentencesOf(message: string): string[] {
  return message.split(/(?<=[.?!])\s+(?=[A-Z])/);
}

function hundredths(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
