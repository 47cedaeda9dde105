/** On the audio thread: plays what arrives from the wire, evened out. */
import { JitterBuffer } from "./jitter-buffer.ts";
import { Resampler } from "./resampler.ts";
import { fromWire, WIRE_RATE } from "./samples.ts";

/** Three frames of 20 ms: enough for a busy page, little enough not to be noticed. */
const LEAD_SECONDS = 0.06;
const LIMIT_SECONDS = 2;

class Player extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(WIRE_RATE, sampleRate);
  readonly #buffer = new JitterBuffer(LEAD_SECONDS * sampleRate, LIMIT_SECONDS * sampleRate);

  constructor() {
    super();
    this.port.onmessage = (event: MessageEvent<ArrayBuffer>) => {
      this.#buffer.push(this.#resampler.push(fromWire(event.data)));
    };
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const channel = outputs[0]?.[0];
    if (channel) this.#buffer.read(channel);
    return true;
  }
}

registerProcessor("player", Player);
