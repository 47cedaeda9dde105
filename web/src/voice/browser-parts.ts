/** The parts a voice client stands on in a browser: microphone, platform, and the two transports. */
import { openMicrophone } from "./microphone.ts";
import { SocketTransport } from "./socket-transport.ts";
import type { VoiceClientParts } from "./voice-client.ts";
import { createWebCall, type Platform } from "./web-call.ts";
import { WhipTransport } from "./whip-transport.ts";

const MOBILE = /android|iphone|ipad|ipod|iemobile|blackberry|bada/i;

export function browserParts(platform: () => Promise<Platform>): VoiceClientParts {
  let context: AudioContext | null = null;
  // Made at the first call, not before: browsers silence a context made without a press of a button.
  const audio = () => {
    context ??= new AudioContext();
    return context;
  };
  return {
    openMicrophone: async () => {
      await audio().resume();
      return openMicrophone(audio());
    },
    createCall: async (target, signal) => createWebCall(await platform(), target, signal),
    serverAnswers,
    transports: [() => new WhipTransport(audio()), () => new SocketTransport(audio())],
    isMobile: MOBILE.test(navigator.userAgent),
  };
}

const ANSWER_WITHIN_MS = 2000;

/** Any answer will do, except a proxy's for a server behind it that is gone. */
async function serverAnswers(): Promise<boolean> {
  try {
    const { status } = await fetch("/health", {
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return status !== 502 && status !== 504;
  } catch {
    return false;
  }
}
