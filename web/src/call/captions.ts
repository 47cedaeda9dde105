/** Live captions of all who speak, from the call's transcript messages. Pure. */

export type Speaker = "caller" | "assistant" | "officer";

export interface Caption {
  id: number;
  speaker: Speaker;
  text: string;
  /** Not final: what was heard so far of something still being said. */
  partial: boolean;
}

export type Captions = readonly Caption[];

/**
 * Takes one transcript. A partial one stands in for its speaker's next words until those are final. The
 * caller's partials are everything heard so far, each a better guess; the assistant's come sentence by
 * sentence, and what it has said stays readable while it says the next.
 */
export function addTranscript(
  captions: Captions,
  speaker: Speaker,
  text: string,
  partial: boolean,
): Captions {
  const replaced = captions.find((caption) => caption.partial && caption.speaker === speaker);
  const rest = captions.filter((caption) => caption !== replaced);
  if (text.trim() === "") return rest;
  const goesOn = partial && replaced && speaker === "assistant" && !text.startsWith(replaced.text);
  const id = replaced?.id ?? (captions.at(-1)?.id ?? 0) + 1;
  return [...rest, { id, speaker, text: goesOn ? `${replaced.text} ${text}` : text, partial }];
}
