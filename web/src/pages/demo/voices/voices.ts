/** The voices that can be heard before a call: what each is called, and its sample. */
import bella from "./af_bella.webm";
import heart from "./af_heart.webm";
import michael from "./am_michael.webm";
import emma from "./bf_emma.webm";
import george from "./bm_george.webm";
import joe from "./joe.webm";
import type { VoiceId } from "./script.ts";
import slt from "./slt.webm";

export interface VoiceSample {
  name: string;
  description: string;
  /** Where it is; fetched when it is played. */
  sound: string;
}

export const VOICES: Readonly<Record<VoiceId, VoiceSample>> = {
  af_heart: { name: "Heart", description: "a woman, American English", sound: heart },
  af_bella: { name: "Bella", description: "a woman, American English", sound: bella },
  am_michael: { name: "Michael", description: "a man, American English", sound: michael },
  bf_emma: { name: "Emma", description: "a woman, British English", sound: emma },
  bm_george: { name: "George", description: "a man, British English", sound: george },
  joe: { name: "Joe", description: "a man, American English; simpler", sound: joe },
  slt: { name: "Slt", description: "a woman, American English; like a machine", sound: slt },
};
