/** Sample formats: −1…1 floats of the browser, and the wire's signed 16-bit little-endian. */

/** Sample rate of PCM on the wire, in hertz. */
export const WIRE_RATE = 16_000;

export function toWire(samples: Float32Array): ArrayBuffer {
  const buffer = new ArrayBuffer(samples.length * 2);
  const view = new DataView(buffer);
  for (const [i, sample] of samples.entries()) {
    view.setInt16(i * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  }
  return buffer;
}

/** A trailing half sample is dropped. */
export function fromWire(buffer: ArrayBuffer): Float32Array {
  const view = new DataView(buffer);
  return Float32Array.from({ length: buffer.byteLength >> 1 }, (_, i) => view.getInt16(i * 2, true) / 32_768);
}
