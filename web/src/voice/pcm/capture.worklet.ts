/** On the audio thread: the microphone as the wire wants it, posted in frames of 20 ms. */
import { Resampler } from "./resampler.ts";
import { toWire, WIRE_RATE } from "./samples.ts";

const FRAME_SAMPLES = WIRE_RATE / 50;

class Capture extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(sampleRate, WIRE_RATE);
  readonly #frame = new Float32Array(FRAME_SAMPLES);
  #filled = 0;

  process(inputs: Float32Array[][]): boolean {
    const channel = inputs[0]?.[0];
    if (!channel) return true;
    for (const sample of this.#resampler.push(channel)) {
      this.#frame[this.#filled++] = sample;
      if (this.#filled === FRAME_SAMPLES) {
        const frame = toWire(this.#frame);
        this.port.postMessage(frame, [frame]);
        this.#filled = 0;
      }
    }
    return true;
  }
}

registerProcessor("capture", Capture);
