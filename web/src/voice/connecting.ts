/**
 * How long a WebRTC connection is waited for, once the server has answered its offer: not long where no packet gets through,
 * for then another way is better; longer where the first ones do, for on a network that loses many no other way is.
 */
import { VoiceError } from "./voice-error.ts";

/** On a good network the first answer is there in a tenth of a second. */
export const ROUTE_WITHIN_MS = 6000;
/** What is lost while keys are agreed on is sent again at waits that double. One packet in five lost each way, 300 ms: several waits. */
export const CONNECTED_WITHIN_MS = 15_000;

/** What is looked at of an `RTCPeerConnection`. */
export type Connecting = Pick<
  RTCPeerConnection,
  "connectionState" | "iceConnectionState" | "addEventListener"
>;

/** Resolves when the connection stands; rejects when that takes too long, when it fails or `signal` fires. */
export async function connected(connection: Connecting, signal: AbortSignal): Promise<void> {
  let timers: ReturnType<typeof setTimeout>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const check = () => {
        if (connection.connectionState === "connected") resolve();
        if (connection.connectionState === "failed")
          reject(new VoiceError("media-failed", "no route to the server"));
      };
      const giveUp = () =>
        reject(new VoiceError("media-failed", "no connection in time", { cause: signal.reason }));
      const giveUpWithoutRoute = () => {
        if (!hasRoute(connection)) giveUp();
      };
      timers = [setTimeout(giveUpWithoutRoute, ROUTE_WITHIN_MS), setTimeout(giveUp, CONNECTED_WITHIN_MS)];
      connection.addEventListener("connectionstatechange", check);
      signal.addEventListener("abort", giveUp, { once: true });
      if (signal.aborted) giveUp();
      check();
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** A check has come back: packets get through. */
function hasRoute({ iceConnectionState }: Connecting): boolean {
  return iceConnectionState === "connected" || iceConnectionState === "completed";
}
