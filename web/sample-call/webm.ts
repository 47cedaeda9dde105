/** Writes Opus packets into a WebM file that knows its length and can be moved about in. Pure. */

export interface OpusSound {
  /** The `OpusHead` that the encoder gives. */
  head: Uint8Array;
  /** In order. */
  packets: readonly { atMs: number; bytes: Uint8Array }[];
  durationMs: number;
}

const ID = {
  ebml: 0x1a45dfa3,
  version: 0x4286,
  readVersion: 0x42f7,
  maxIdLength: 0x42f2,
  maxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  flagLacing: 0x9c,
  codecId: 0x86,
  codecDelay: 0x56aa,
  seekPreRoll: 0x56bb,
  trackType: 0x83,
  codecPrivate: 0x63a2,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;

/** Opus counts in these, whatever it was given. */
const OPUS_RATE = 48_000;
const CLUSTER_MS = 5_000;
/** What RFC 7845 asks a player to decode before the place it was moved to. */
const SEEK_PRE_ROLL_NS = 80_000_000;
const KEY_FRAME = 0x80;
const PROGRAM = "nightlight";

export function webm({ head, packets, durationMs }: OpusSound): Buffer {
  const preSkip = Buffer.from(head).readUInt16LE(10);
  const info = element(
    ID.info,
    uint(ID.timestampScale, 1_000_000),
    float(ID.duration, durationMs),
    text(ID.muxingApp, PROGRAM),
    text(ID.writingApp, PROGRAM),
  );
  const tracks = element(
    ID.tracks,
    element(
      ID.trackEntry,
      uint(ID.trackNumber, 1),
      uint(ID.trackUid, 1),
      uint(ID.flagLacing, 0),
      uint(ID.trackType, 2),
      text(ID.codecId, "A_OPUS"),
      uint(ID.codecDelay, Math.round((preSkip * 1e9) / OPUS_RATE)),
      uint(ID.seekPreRoll, SEEK_PRE_ROLL_NS),
      element(ID.codecPrivate, Buffer.from(head)),
      element(ID.audio, float(ID.samplingFrequency, OPUS_RATE), uint(ID.channels, 1)),
    ),
  );
  const clusters = clustersOf(packets);
  // Every number is eight bytes long, so the cues are as long before their places are known as after.
  const before = info.length + tracks.length + cues(clusters, 0).length;
  return Buffer.concat([
    element(
      ID.ebml,
      uint(ID.version, 1),
      uint(ID.readVersion, 1),
      uint(ID.maxIdLength, 4),
      uint(ID.maxSizeLength, 8),
      text(ID.docType, "webm"),
      uint(ID.docTypeVersion, 4),
      uint(ID.docTypeReadVersion, 2),
    ),
    element(ID.segment, info, tracks, cues(clusters, before), ...clusters.map(({ bytes }) => bytes)),
  ]);
}

interface Cluster {
  atMs: number;
  bytes: Buffer;
}

function clustersOf(packets: OpusSound["packets"]): Cluster[] {
  const groups: { atMs: number; blocks: Buffer[] }[] = [];
  for (const { atMs, bytes } of packets) {
    let group = groups.at(-1);
    if (!group || atMs - group.atMs >= CLUSTER_MS) {
      group = { atMs, blocks: [] };
      groups.push(group);
    }
    const header = Buffer.alloc(4);
    header.writeUInt8(0x81, 0);
    header.writeInt16BE(atMs - group.atMs, 1);
    header.writeUInt8(KEY_FRAME, 3);
    group.blocks.push(element(ID.simpleBlock, header, Buffer.from(bytes)));
  }
  return groups.map(({ atMs, blocks }) => ({
    atMs,
    bytes: element(ID.cluster, uint(ID.timestamp, atMs), ...blocks),
  }));
}

function cues(clusters: readonly Cluster[], firstAt: number): Buffer {
  let at = firstAt;
  const points = clusters.map(({ atMs, bytes }) => {
    const point = element(
      ID.cuePoint,
      uint(ID.cueTime, atMs),
      element(ID.cueTrackPositions, uint(ID.cueTrack, 1), uint(ID.cueClusterPosition, at)),
    );
    at += bytes.length;
    return point;
  });
  return element(ID.cues, ...points);
}

function element(id: number, ...content: readonly Buffer[]): Buffer {
  const length = content.reduce((sum, { length }) => sum + length, 0);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(length));
  return Buffer.concat([idBytes(id), size, ...content]);
}

function idBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0));
}

function uint(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(id, bytes);
}

function float(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
}

function text(id: number, value: string): Buffer {
  return element(id, Buffer.from(value, "utf8"));
}
