/**
 * Loads the call library, when a call on the hosted platform is first asked for: no other visitor's browser ever does. The
 * library then loads a script of its vendor's by itself, as it joins, with the same figures.
 */
import type { DailyCall } from "@daily-co/daily-js";
import { VoiceError } from "../voice-error.ts";
import { LOAD_AGAIN_AFTER_MS, LOAD_ATTEMPTS, LOAD_WITHIN_MS } from "./figures.ts";
import type { CreateRoom, Room } from "./room.ts";

export async function loadCallLibrary(signal: AbortSignal, load = importLibrary): Promise<CreateRoom> {
  let failure: unknown;
  for (let attempt = 0; attempt < LOAD_ATTEMPTS; attempt++) {
    if (attempt > 0) await unless(signal, LOAD_AGAIN_AFTER_MS);
    try {
      return await Promise.race([load(), unless(signal, LOAD_WITHIN_MS).then(tookTooLong)]);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw VoiceError.from(failure, "platform-unreachable");
}

async function importLibrary(): Promise<CreateRoom> {
  const { default: library } = await import("@daily-co/daily-js");
  return (options) => roomOf(library.createCallObject(options));
}

/** It is one as it stands. That its events have what a room's have the compiler cannot see here; `real-library.test.ts` has it look. */
function roomOf(call: DailyCall): Room {
  return call as Omit<DailyCall, "on"> & Pick<Room, "on">;
}

function tookTooLong(): never {
  throw new VoiceError("platform-unreachable", `the call library did not load within ${LOAD_WITHIN_MS} ms`);
}

/** Resolves after `ms`; rejects when `signal` fires before. */
function unless(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", aborted);
      resolve();
    }, ms);
    signal.addEventListener("abort", aborted, { once: true });
    if (signal.aborted) aborted();
  });
}
