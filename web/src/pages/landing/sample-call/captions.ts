/** The sample call as it is stored, and which of its captions is due. `sample-call/record.ts` writes it. Pure. */
import type { CallInfo } from "../../../api/contract.ts";

/** A sentence and when it is heard, in seconds from the start of the sound. */
export interface Caption {
  from: number;
  to: number;
  speaker: "caller" | "assistant";
  words: string;
}

export interface SampleCall {
  /** The length of the sound. */
  seconds: number;
  /** In the order in which they are said. */
  captions: Caption[];
  info: CallInfo;
}

/** What one side says before the other replies. */
export interface CaptionedTurn {
  speaker: Caption["speaker"];
  /** Indices of captions. */
  captions: number[];
}

/** The last one that has begun, so that words stay to be read through a pause; -1 before the first. */
export function captionAt(captions: readonly Caption[], seconds: number): number {
  return captions.findLastIndex(({ from }) => from <= seconds);
}

export function turnsOf(captions: readonly Caption[]): CaptionedTurn[] {
  const turns: CaptionedTurn[] = [];
  captions.forEach(({ speaker }, i) => {
    const turn = turns.at(-1);
    if (turn?.speaker === speaker) turn.captions.push(i);
    else turns.push({ speaker, captions: [i] });
  });
  return turns;
}
