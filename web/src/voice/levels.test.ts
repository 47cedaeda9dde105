/** The volume and the speech that are told from a level of sound. */
import { describe, expect, it } from "vitest";
import { REMOTE_GAIN, rootMeanSquare, SPEECH_LEVEL, SpeechDetector, volumeOf } from "./levels.ts";

describe("volume", () => {
  it.each([
    [0, 0],
    [0.075, 0.5],
    [0.15, 1],
    [0.9, 1],
  ])("of a summed level of %d is %d", (level, volume) => {
    expect(volumeOf(level)).toBeCloseTo(volume);
  });
});

/** Of the readings above 0.01 in a whole call, as `SoundLevel` took them without a gain. */
const MEASURED = { fifth: 0.027, tenth: 0.058, half: 0.168, ninetieth: 0.245, ninetyFifth: 0.28 };

describe("the assistant's ordinary speech", () => {
  const shown = (level: number) => Math.round(volumeOf(level * REMOTE_GAIN) * 10);

  it("moves the ten segments through their range, and fills them only at its loudest", () => {
    expect(shown(MEASURED.tenth)).toBe(2);
    expect(shown(MEASURED.half)).toBe(6);
    expect(shown(MEASURED.ninetieth)).toBe(8);
    expect(shown(MEASURED.ninetyFifth)).toBe(9);
  });

  it("is still told from silence", () => {
    expect(MEASURED.fifth * REMOTE_GAIN).toBeGreaterThan(SPEECH_LEVEL);
  });
});

describe("speech", () => {
  it("starts only above the threshold", () => {
    const speech = new SpeechDetector();
    expect(speech.observe(0.01, 0)).toBeNull();
    expect(speech.observe(0.011, 100)).toBe("speech-start");
    expect(speech.observe(0.5, 200)).toBeNull();
  });

  it("ends one second after the last loud observation", () => {
    const speech = new SpeechDetector();
    speech.observe(0.1, 0);
    speech.observe(0.1, 500);
    expect(speech.observe(0, 1499)).toBeNull();
    expect(speech.observe(0, 1500)).toBe("speech-end");
    expect(speech.observe(0, 1600)).toBeNull();
  });

  it("bridges a pause between two sentences", () => {
    const speech = new SpeechDetector();
    speech.observe(0.1, 0);
    expect(speech.observe(0, 800)).toBeNull();
    expect(speech.observe(0.1, 900)).toBeNull();
    expect(speech.observe(0, 1800)).toBeNull();
    expect(speech.speaking).toBe(true);
  });
});

it("the root mean square of a full-scale square wave is 1", () => {
  expect(rootMeanSquare([1, -1, 1, -1])).toBe(1);
  expect(rootMeanSquare([])).toBe(0);
});
