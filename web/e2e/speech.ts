/** The caller's speech, made when the tests run: by flite and espeak-ng, as 48 kHz mono 16-bit WAV. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Resampler } from "../src/voice/pcm/resampler.ts";
import { fromWire, toWire } from "../src/voice/pcm/samples.ts";

/** flite's voices, and espeak-ng's English of Singapore's neighbourhood. */
export type CallerVoice = "slt" | "rms" | "awb" | "espeak";

/** Of what is spoken here, in hertz. */
export const RATE = 48_000;
const MADE = path.join(tmpdir(), "nightlight-e2e-speech");

/** Speech, then gaps: a timeline for a microphone that plays one file from its start. */
export type Timeline = readonly ({ silence: number } | { say: string; voice: CallerVoice })[];

/** One utterance as a WAV file's bytes. */
export function speech(words: string, voice: CallerVoice): Buffer {
  return wav(samplesOf(words, voice));
}

/** Writes a timeline as one WAV file and returns its path. */
export function timelineFile(timeline: Timeline): string {
  const pieces = timeline.map((piece) =>
    "say" in piece ? samplesOf(piece.say, piece.voice) : new Float32Array(piece.silence * RATE),
  );
  const joined = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  const file = path.join(made(), `${digest(JSON.stringify(timeline))}.wav`);
  writeFileSync(file, wav(joined));
  return file;
}

/** One utterance, at `RATE`. */
export function samplesOf(words: string, voice: CallerVoice): Float32Array {
  const file = path.join(made(), `${digest(`${voice} ${words}`)}-raw.wav`);
  if (!existsSync(file)) {
    if (voice === "espeak") execFileSync("espeak-ng", ["-v", "en-gb", "-s", "150", "-w", file, words]);
    else execFileSync("flite", ["-voice", voice, "-t", words, "-o", file]);
  }
  const { rate, samples } = readWav(readFileSync(file));
  const resampler = new Resampler(rate, RATE);
  // A little silence after it pushes out what the resampler still holds.
  const [first, rest] = [resampler.push(samples), resampler.push(new Float32Array(rate / 100))];
  const whole = new Float32Array(first.length + rest.length);
  whole.set(first);
  whole.set(rest, first.length);
  return whole;
}

/** Reads 16-bit mono PCM. */
export function readWav(bytes: Buffer): { rate: number; samples: Float32Array } {
  const rate = bytes.readUInt32LE(24);
  let at = 12;
  while (bytes.toString("latin1", at, at + 4) !== "data") at += 8 + bytes.readUInt32LE(at + 4);
  // Streaming writers leave the length open; what is in the file counts.
  const length = Math.min(bytes.readUInt32LE(at + 4), bytes.length - at - 8);
  const data = bytes.buffer.slice(
    bytes.byteOffset + at + 8,
    bytes.byteOffset + at + 8 + length,
  ) as ArrayBuffer;
  return { rate, samples: fromWire(data) };
}

/** Speech at `RATE` as a WAV file's bytes. */
export function wav(samples: Float32Array): Buffer {
  const data = Buffer.from(toWire(samples));
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

function made(): string {
  mkdirSync(MADE, { recursive: true });
  return MADE;
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
