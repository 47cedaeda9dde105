/** Sound for a WebSocket: samples, another rate, and the buffer before it is played. */
import { describe, expect, it } from "vitest";
import { rootMeanSquare } from "../levels.ts";
import { JitterBuffer } from "./jitter-buffer.ts";
import { Resampler } from "./resampler.ts";
import { fromWire, toWire } from "./samples.ts";

const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from({ length: rate * seconds }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / rate));

/** Resamples in pieces as an audio thread would, and joins what comes out. */
function resample(input: Float32Array, from: number, to: number, piece = 128): Float32Array {
  const resampler = new Resampler(from, to);
  const output: number[] = [];
  for (let i = 0; i < input.length; i += piece) output.push(...resampler.push(input.subarray(i, i + piece)));
  return Float32Array.from(output);
}

describe("samples on the wire", () => {
  it("survive the way there and back", () => {
    const back = fromWire(toWire(Float32Array.from([0, 0.5, -0.5, 1, -1])));
    for (const [i, sample] of [0, 0.5, -0.5, 1, -1].entries()) expect(back[i]).toBeCloseTo(sample, 3);
  });

  it("are little-endian and clipped, never wrapped", () => {
    expect([...new Uint8Array(toWire(Float32Array.from([2, -2])))]).toEqual([0xff, 0x7f, 0x01, 0x80]);
  });

  it("lose a trailing half", () => {
    expect(fromWire(new ArrayBuffer(3))).toHaveLength(1);
  });
});

describe("the resampler", () => {
  it.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [16_000, 48_000],
    [16_000, 44_100],
  ])("from %d to %d Hz keeps a 440 Hz tone as it is", (from, to) => {
    const output = resample(tone(440, from, 1), from, to);
    expect(output.length).toBeGreaterThan(to * 0.99);
    expect(output.length).toBeLessThanOrEqual(to);
    const expected = tone(440, to, 1);
    const error = output.map((sample, i) => sample - (expected[i] as number)).slice(200);
    expect(rootMeanSquare(error)).toBeLessThan(0.005);
  });

  it("takes away what the lower rate cannot carry", () => {
    const output = resample(tone(11_000, 48_000, 0.5), 48_000, 16_000);
    expect(rootMeanSquare(output.slice(200))).toBeLessThan(0.01);
  });

  it("gives the same whatever the pieces", () => {
    const input = tone(300, 48_000, 0.1);
    const [small, large] = [resample(input, 48_000, 16_000, 7), resample(input, 48_000, 16_000, 4800)];
    expect(small.length).toBe(large.length);
    for (const [i, sample] of small.entries()) expect(sample).toBeCloseTo(large[i] as number, 5);
  });
});

describe("the jitter buffer", () => {
  const ones = (length: number) => new Float32Array(length).fill(1);
  const read = (buffer: JitterBuffer, length: number) => {
    const block = new Float32Array(length);
    buffer.read(block);
    return [...block];
  };

  it("waits for its lead before it plays", () => {
    const buffer = new JitterBuffer(4, 100);
    buffer.push(ones(3));
    expect(read(buffer, 2)).toEqual([0, 0]);
    buffer.push(ones(1));
    expect(read(buffer, 2)).toEqual([1, 1]);
  });

  it("plays what it has to the end, then gathers its lead again", () => {
    const buffer = new JitterBuffer(2, 100);
    buffer.push(ones(3));
    expect(read(buffer, 4)).toEqual([1, 1, 1, 0]);
    buffer.push(ones(1));
    expect(read(buffer, 2)).toEqual([0, 0]);
  });

  it("joins pieces without a gap", () => {
    const buffer = new JitterBuffer(1, 100);
    buffer.push(Float32Array.from([1, 2, 3]));
    buffer.push(Float32Array.from([4, 5]));
    expect([...read(buffer, 2), ...read(buffer, 3)]).toEqual([1, 2, 3, 4, 5]);
    expect(buffer.held).toBe(0);
  });

  it("drops the oldest beyond its limit", () => {
    const buffer = new JitterBuffer(1, 4);
    buffer.push(Float32Array.from([1, 1]));
    buffer.push(Float32Array.from([2, 2]));
    buffer.push(Float32Array.from([3, 3]));
    expect(read(buffer, 4)).toEqual([2, 2, 3, 3]);
  });
});
