/** The parts a voice client stands on in a browser: microphone, platform, and the transports of a call held here or there. */
import { createHostedCall } from "./hosted/hosted-call.ts";
import { HostedTransport } from "./hosted/hosted-transport.ts";
import { listMicrophones, type Microphone, type MicrophoneDevice, openMicrophone } from "./microphone.ts";
import { chosenMicrophone } from "./microphone-choice.ts";
import { SocketTransport } from "./socket-transport.ts";
import type { ServerAnswer, VoiceClientParts } from "./voice-client.ts";
import { createWebCall, NO_SERVER, type Platform, type WebCall } from "./web-call.ts";
import { CALLERS_OFFERS, WhipTransport } from "./whip-transport.ts";

const MOBILE = /android|iphone|ipad|ipod|iemobile|blackberry|bada/i;
const ANSWER_WITHIN_MS = 2000;

// Made at the first press, not before: browsers silence a context made without one.
let context: AudioContext | null = null;
function audio(): AudioContext {
  context ??= new AudioContext();
  return context;
}

/** The microphones of a browser, to be tried before a call. */
export interface Microphones {
  list(): Promise<MicrophoneDevice[]>;
  open(deviceId: string | null): Promise<Microphone>;
}

export const BROWSER_MICROPHONES: Microphones = {
  list: listMicrophones,
  open: async (deviceId) => {
    await audio().resume();
    return openMicrophone(audio(), deviceId);
  },
};

export function browserParts(platform: () => Promise<Platform>): VoiceClientParts {
  return {
    openMicrophone: () => BROWSER_MICROPHONES.open(chosenMicrophone()),
    createCall: async (target, signal) => {
      const asked = await platform();
      return asked.isHosted ? createHostedCall(asked, target, signal) : createWebCall(asked, target, signal);
    },
    // That our own server is gone says nothing about a call that it does not hold.
    askServer: async (call) => (call.heldBy === "hosted" ? "there" : askServer(call)),
    transportsOf: (call) =>
      call.heldBy === "hosted"
        ? [() => new HostedTransport()]
        : [() => new WhipTransport(audio(), CALLERS_OFFERS), () => new SocketTransport(audio())],
    isMobile: MOBILE.test(navigator.userAgent),
  };
}

/** Any answer of the call's own node will do. */
async function askServer(call: WebCall): Promise<ServerAnswer> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const url = call.webCallUrl.replace(/\/whip$/, "");
    const { status } = await fetch(url, { method: "HEAD", cache: "no-store", signal });
    return NO_SERVER.has(status) ? "gone" : "there";
  } catch {
    return "none";
  }
}
