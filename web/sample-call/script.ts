/** The sample call's fictional caller: what he says, in order, and in which synthetic voice. */
export const CALLER_VOICE = "bm_george";

/** Whole turns; between the sentences of a turn he draws breath. */
export const TURNS: readonly (readonly string[])[] = [
  ["Yes. My wife is at work tonight.", "She hit me on Friday, and I have not told anyone."],
  ["Yes, please share it."],
  ["My name is Daniel."],
  ["I would rather not say."],
  ["A message in the morning is best."],
  ["No, thank you. Goodbye."],
];
