/**
 * Evens out the arrival of sound: playing starts once a little is in hand, and after running dry it
 * waits for a little again. Pure: a queue of samples, read in blocks of any size.
 */
export class JitterBuffer {
  readonly #lead: number;
  readonly #limit: number;
  #chunks: Float32Array[] = [];
  #offset = 0;
  #held = 0;
  #playing = false;

  /** `lead` samples are gathered before playing; beyond `limit` the oldest are dropped. */
  constructor(lead: number, limit: number) {
    this.#lead = lead;
    this.#limit = limit;
  }

  get held(): number {
    return this.#held;
  }

  push(samples: Float32Array): void {
    this.#chunks.push(samples);
    this.#held += samples.length;
    while (this.#held > this.#limit) {
      const oldest = this.#chunks.shift();
      if (!oldest) return;
      this.#held -= oldest.length - this.#offset;
      this.#offset = 0;
    }
  }

  /** Fills `block`: with sound where there is some, and with silence otherwise. */
  read(block: Float32Array): void {
    block.fill(0);
    if (!this.#playing && this.#held < this.#lead) return;
    this.#playing = true;
    let written = 0;
    while (written < block.length) {
      const chunk = this.#chunks[0];
      if (!chunk) {
        this.#playing = false;
        return;
      }
      const piece = chunk.subarray(this.#offset, this.#offset + block.length - written);
      block.set(piece, written);
      written += piece.length;
      this.#offset += piece.length;
      this.#held -= piece.length;
      if (this.#offset === chunk.length) {
        this.#chunks.shift();
        this.#offset = 0;
      }
    }
  }
}
