/**
 * Changes the sample rate of a stream of sound, piece by piece, by windowed-sinc interpolation.
 * Frequencies that the lower of the two rates cannot carry are filtered out. Pure.
 */

/** Zero crossings of the kernel on each side of its middle; more is steeper and slower. */
const CROSSINGS = 12;

export class Resampler {
  /** Input samples per output sample. */
  readonly #step: number;
  /** Kernel scale: below 1 when going down, which moves the cut-off to the lower rate. */
  readonly #scale: number;
  readonly #reach: number;
  /** Input not yet used up, beginning with silence so that the first output has a left side. */
  #pending: Float32Array;
  /** Position of the next output sample within `#pending`. */
  #position: number;

  constructor(fromRate: number, toRate: number) {
    this.#step = fromRate / toRate;
    this.#scale = Math.min(1, toRate / fromRate);
    this.#reach = Math.ceil(CROSSINGS / this.#scale);
    this.#pending = new Float32Array(this.#reach);
    this.#position = this.#reach;
  }

  /** Takes the next input and returns the output it completes; the kernel's reach stays behind. */
  push(input: Float32Array): Float32Array {
    const samples = new Float32Array(this.#pending.length + input.length);
    samples.set(this.#pending);
    samples.set(input, this.#pending.length);

    const last = samples.length - 1 - this.#reach;
    const count = Math.max(0, Math.floor((last - this.#position) / this.#step) + 1);
    const output = new Float32Array(count);
    for (let i = 0; i < count; i++) output[i] = this.#interpolate(samples, this.#position + i * this.#step);

    this.#position += count * this.#step;
    const used = Math.max(0, Math.floor(this.#position) - this.#reach);
    this.#pending = samples.slice(used);
    this.#position -= used;
    return output;
  }

  #interpolate(samples: Float32Array, at: number): number {
    const first = Math.max(0, Math.ceil(at - this.#reach));
    const last = Math.min(samples.length - 1, Math.floor(at + this.#reach));
    let sum = 0;
    for (let i = first; i <= last; i++) sum += (samples[i] as number) * kernel((i - at) * this.#scale);
    return sum * this.#scale;
  }
}

/** A sinc under a Hann window of `CROSSINGS` on each side. */
function kernel(x: number): number {
  if (Math.abs(x) >= CROSSINGS) return 0;
  if (x === 0) return 1;
  const angle = Math.PI * x;
  return (Math.sin(angle) / angle) * 0.5 * (1 + Math.cos(angle / CROSSINGS));
}
