// @vitest-environment node
import { webm } from "./webm.ts";

const HEAD = new Uint8Array([...Buffer.from("OpusHead"), 1, 1, 0x38, 1, 0x80, 0x3e, 0, 0, 0, 0, 0]);
const sound = {
  head: HEAD,
  // Twelve seconds: three clusters.
  packets: Array.from({ length: 600 }, (_, i) => ({ atMs: i * 20, bytes: new Uint8Array([i % 256]) })),
  durationMs: 12_000,
};

/** The elements in a stretch of bytes, as this writer lays them out: an id, eight bytes of size, the content. */
function elements(bytes: Buffer): { id: number; at: number; content: Buffer }[] {
  const found = [];
  let at = 0;
  while (at < bytes.length) {
    const length = Math.clz32(bytes[at] as number) - 23;
    const size = Number(bytes.readBigUInt64BE(at + length) & 0xff_ffff_ffff_ffffn);
    const from = at + length + 8;
    found.push({ id: bytes.readUIntBE(at, length), at, content: bytes.subarray(from, from + size) });
    at = from + size;
  }
  return found;
}

const [, segment] = elements(webm(sound));
const parts = elements(segment?.content ?? Buffer.alloc(0));
const named = (id: number) => parts.filter((part) => part.id === id);

test("it says how long it is", () => {
  const [info] = named(0x1549a966);
  const duration = elements(info?.content ?? Buffer.alloc(0)).find(({ id }) => id === 0x4489);
  expect(duration?.content.readDoubleBE(0)).toBe(12_000);
});

test("every cue leads to a cluster that begins at its time", () => {
  const cues = elements(named(0x1c53bb6b)[0]?.content ?? Buffer.alloc(0));
  const clusters = named(0x1f43b675);
  expect(clusters).toHaveLength(3);
  expect(cues).toHaveLength(3);
  for (const [i, cue] of cues.entries()) {
    const [time, position] = elements(cue.content);
    const [, place] = elements(position?.content ?? Buffer.alloc(0));
    expect(Number(place?.content.readBigUInt64BE(0))).toBe(clusters[i]?.at);
    const [stamp] = elements(clusters[i]?.content ?? Buffer.alloc(0));
    expect(stamp?.content).toEqual(time?.content);
  }
});

test("every packet is in it, in order", () => {
  const packets = named(0x1f43b675).flatMap(({ content }) =>
    elements(content)
      .filter(({ id }) => id === 0xa3)
      .map((block) => block.content[4]),
  );
  expect(packets).toEqual(sound.packets.map(({ bytes }) => bytes[0]));
});
