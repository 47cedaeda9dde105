/** What the samples say, and which voices say it. `make voice-samples` records them. */

/** Sentences of the flow; the recording stops where one is no longer said in calls. */
export const SENTENCES = [
  "Hello, this is Nightlight.",
  "I'm an AI counsellor, and I'm here to listen.",
  "Are you safe right now?",
  "I'm sorry you were hurt.",
  "Nobody has the right to do that to you.",
] as const;

/** As the server's setting names them. */
export const VOICE_IDS = [
  "af_heart",
  "af_bella",
  "am_michael",
  "bf_emma",
  "bm_george",
  "joe",
  "slt",
] as const;

export type VoiceId = (typeof VOICE_IDS)[number];
