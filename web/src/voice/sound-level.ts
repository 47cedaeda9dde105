/** The level of a sound now, as the root mean square of its last few tens of milliseconds. */
import { rootMeanSquare } from "./levels.ts";

/** At 48 kHz some 85 ms: just under the 100 ms at which levels are observed. */
const WINDOW_SAMPLES = 4096;

export class SoundLevel {
  readonly #source: AudioNode;
  readonly #ownsSource: boolean;
  readonly #analyser: AnalyserNode;
  readonly #samples = new Float32Array(WINDOW_SAMPLES);
  readonly #gain: number;

  constructor(context: AudioContext, source: MediaStream | AudioNode, gain = 1) {
    this.#gain = gain;
    this.#ownsSource = source instanceof MediaStream;
    this.#source = source instanceof MediaStream ? context.createMediaStreamSource(source) : source;
    this.#analyser = new AnalyserNode(context, { fftSize: WINDOW_SAMPLES });
    this.#source.connect(this.#analyser);
  }

  read(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    return rootMeanSquare(this.#samples) * this.#gain;
  }

  close(): void {
    if (this.#ownsSource) this.#source.disconnect();
    else this.#source.disconnect(this.#analyser);
  }
}
