/**
 * Records the landing page's sample call: starts the server's own binary with a fresh database, has
 * `nightlight-caller` ring it as the fictional caller of `script.ts`, and writes what both sides said as
 * one small sound file, and beside it the captions and the call info. `make sample-call` runs it.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startServer } from "../e2e/server.ts";
import { RATE as CALLER_RATE, readWav, wav } from "../e2e/speech.ts";
import { Resampler } from "../src/voice/pcm/resampler.ts";
import { captionsOf, type Said, type TimelineEvent } from "./captions.ts";
import { OpusEncoder } from "./opus-file.ts";
import { CALLER_VOICE, TURNS } from "./script.ts";

const WEB = path.resolve(import.meta.dirname, "..");
const INTO = path.join(WEB, "src/pages/landing/sample-call");
const CALLER = process.env.NIGHTLIGHT_CALLER_BIN ?? path.join(WEB, "../target/debug/nightlight-caller");
const VOICES = process.env.NIGHTLIGHT_VOICES_BIN ?? path.join(WEB, "../target/release/examples/voices");
/** What the caller writes what it heard in, and what a voice speaks in. */
const RATE = 16_000;
const BREATH_SECONDS = 0.35;
const CALL_WITHIN_MS = 300_000;
const BITS_A_SECOND = 24_000;

interface Spoken {
  samples: Float32Array;
  /** Of each sentence, from the first sound. */
  begins: number[];
  /** When the first sound is, from the start of the samples. */
  voiced: number;
}

const run = promisify(execFile);
const scratch = await mkdtemp(path.join(tmpdir(), "nightlight-sample-"));
// As slow to reply as the helpline is.
const server = await startServer({ START_WAIT_SECONDS: "3", MEDIA_PORT: "0" });
try {
  const sentences = await sentencesSpoken();
  const spoken = TURNS.map((turn) => joined(sentences.splice(0, turn.length)));
  const steps: string[] = [];
  for (const [i, { samples }] of spoken.entries()) {
    await writeFile(path.join(scratch, `${i}.wav`), wav(samples));
    steps.push(JSON.stringify({ say: `${i}.wav` }));
  }
  const script = path.join(scratch, "script.jsonl");
  await writeFile(script, steps.join("\n"));
  const { stdout } = await run(
    CALLER,
    ["--url", server.url, "--script", script, "--record", scratch, "--json"],
    { timeout: CALL_WITHIN_MS, maxBuffer: 64 * 1024 * 1024 },
  );
  const [call] = JSON.parse(stdout).calls;
  const info = call.record;
  if (!info?.structuredData?.transferred) throw new Error("the call did not end as its script foresees");

  const timeline = (await readFile(path.join(scratch, "call-01.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TimelineEvent);
  const said: Said = { turns: TURNS, begins: spoken.map(({ begins }) => begins) };
  const { samples: sound } = readWav(await readFile(path.join(scratch, "call-01.wav")));
  const times = timeline.filter(({ event }) => event === "says");
  for (const [i, { samples, voiced }] of spoken.entries()) {
    mixIn(sound, resampled(samples), Math.round(((times[i]?.from ?? 0) - voiced) * RATE));
  }
  const seconds = Math.floor((sound.length / RATE) * 100) / 100;
  const captions = captionsOf(timeline, info.messages, said, seconds);
  const encoder = await OpusEncoder.open();
  const file = await encoder.file(sound, RATE, BITS_A_SECOND).finally(() => encoder.close());

  await writeFile(path.join(INTO, "call.webm"), file);
  const { callId, startedAt, durationSeconds, status, endedReason } = info;
  const { summary, summaryTitle, structuredData, evidence, escalationTriggers, messages } = info;
  const kept = {
    seconds,
    captions,
    info: {
      ...{ callId, startedAt, durationSeconds, status, endedReason },
      ...{ summary, summaryTitle, structuredData, evidence, escalationTriggers },
      messages: messages.map(({ role, message }: { role: string; message: string }) => ({ role, message })),
    },
  };
  await writeFile(path.join(INTO, "call.json"), `${JSON.stringify(kept, null, 2)}\n`);
  const { size } = await stat(path.join(INTO, "call.webm"));
  console.warn(`written: call.webm (${size} bytes, ${kept.seconds} s) and call.json`);
  for (const { from, speaker, words } of captions) console.warn(`${from.toFixed(2)} ${speaker}: ${words}`);
  console.warn(summary);
} finally {
  await server.stop();
  await rm(scratch, { recursive: true, force: true });
}

/** Every sentence of the caller, in order. */
async function sentencesSpoken(): Promise<Float32Array[]> {
  const directory = path.join(scratch, "sentences");
  await mkdir(directory);
  const speaking = run(VOICES, ["say", CALLER_VOICE, directory], { cwd: path.join(WEB, "..") });
  const sentences = TURNS.flat();
  speaking.child.stdin?.end(sentences.join("\n"));
  await speaking;
  return Promise.all(
    sentences.map(async (_, i) => {
      const { samples } = readWav(await readFile(path.join(directory, `${i}.wav`)));
      return new Resampler(RATE, CALLER_RATE).push(samples);
    }),
  );
}

/** A turn's sentences with a breath between them. */
function joined(turn: readonly Float32Array[]): Spoken {
  const breath = new Float32Array(BREATH_SECONDS * CALLER_RATE);
  const pieces: Float32Array[] = [];
  const begins: number[] = [];
  let length = 0;
  for (const [i, samples] of turn.entries()) {
    if (i > 0) {
      pieces.push(breath);
      length += breath.length;
    }
    begins.push(length / CALLER_RATE);
    pieces.push(samples);
    length += samples.length;
  }
  const samples = new Float32Array(length);
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  const voiced =
    Math.max(
      0,
      samples.findIndex((sample) => Math.abs(sample) > 0.01),
    ) / CALLER_RATE;
  return { samples, begins: begins.map((begin) => Math.max(0, begin - voiced)), voiced };
}

function mixIn(sound: Float32Array, samples: Float32Array, at: number): void {
  samples.forEach((sample, i) => {
    const place = at + i;
    if (place >= 0 && place < sound.length) sound[place] = (sound[place] as number) + sample;
  });
}

function resampled(samples: Float32Array): Float32Array {
  return new Resampler(CALLER_RATE, RATE).push(samples);
}
