/**
 * From measured sound levels to what the page is told: the volume, and when the assistant's speech
 * starts and ends. Pure: the caller brings the levels and the time.
 */

/** How often the levels are observed, in milliseconds. */
export const OBSERVE_EVERY_MS = 100;
/** A summed remote level above this is speech. */
export const SPEECH_LEVEL = 0.01;
/** Speech has ended this long after the last loud observation, in milliseconds. */
export const SPEECH_END_AFTER_MS = 1000;
/** The summed level shown as full volume. */
export const FULL_VOLUME_LEVEL = 0.15;

/**
 * What the assistant's measured level is multiplied by, so that its ordinary speech moves the meter through
 * its range instead of filling it: half of it is at a root mean square of 0.17 (docs/decisions/0025).
 */
export const REMOTE_GAIN = 0.5;

/** Volume from 0 to 1, as `volume-level` reports it. */
export function volumeOf(summedLevel: number): number {
  return Math.min(1, summedLevel / FULL_VOLUME_LEVEL);
}

/** Root mean square of samples in −1…1. */
export function rootMeanSquare(samples: ArrayLike<number>): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (let i = 0; i < samples.length; i++) sum += (samples[i] as number) ** 2;
  return Math.sqrt(sum / samples.length);
}

/** Tells the starts and ends of speech from a level observed now and then. */
export class SpeechDetector {
  #lastLoudAt: number | null = null;

  /** Takes one observation at `now` (milliseconds) and returns the change it brought, if any. */
  observe(summedLevel: number, now: number): "speech-start" | "speech-end" | null {
    if (summedLevel > SPEECH_LEVEL) {
      const starts = this.#lastLoudAt === null;
      this.#lastLoudAt = now;
      return starts ? "speech-start" : null;
    }
    if (this.#lastLoudAt !== null && now - this.#lastLoudAt >= SPEECH_END_AFTER_MS) {
      this.#lastLoudAt = null;
      return "speech-end";
    }
    return null;
  }

  get speaking(): boolean {
    return this.#lastLoudAt !== null;
  }
}
