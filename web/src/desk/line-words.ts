/** What an officer is told when a line cannot be made. Pure. */

import { Refusal } from "../api/client.ts";
import { VoiceError } from "../voice/voice-error.ts";
import { refusalWords } from "./refusal-words.ts";

export function lineTroubleWords(error: unknown): string {
  if (error instanceof Refusal || !(error instanceof VoiceError)) return refusalWords(error);
  switch (error.trouble) {
    case "microphone-refused":
      return "This browser does not allow the microphone here. Allow it in the browser’s settings for this page; until then you cannot talk with callers.";
    case "microphone-missing":
      return "No microphone was found. Plug one in, and try again.";
    case "microphone-failed":
      return "The microphone could not be opened. Another program may be using it.";
    case "call-refused":
      return "The line was not made: this call is over, or not yours any more.";
    case "server-unreachable":
      return "The server did not answer, and the line was not made.";
    default:
      return "The line could not be made from this network.";
  }
}
