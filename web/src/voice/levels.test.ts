import { describe, expect, it } from "vitest";
import { rootMeanSquare, SpeechDetector, volumeOf } from "./levels.ts";

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
