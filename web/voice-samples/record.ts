/**
 * Records what each voice sounds like, as one small file a voice: the sentences of
 * `src/pages/demo/voices/script.ts`, made and sent as in calls. `make voice-samples` runs it.
 * With names of voices, only those.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { readWav } from "../e2e/speech.ts";
import { OpusEncoder } from "../sample-call/opus-file.ts";
import { SENTENCES, VOICE_IDS } from "../src/pages/demo/voices/script.ts";

const WEB = path.resolve(import.meta.dirname, "..");
const INTO = path.join(WEB, "src/pages/demo/voices");
const VOICES = process.env.NIGHTLIGHT_VOICES_BIN ?? path.join(WEB, "../target/release/examples/voices");
const BITS_A_SECOND = 28_000;

const wanted = process.argv.slice(2);
const voices = VOICE_IDS.filter((voice) => wanted.length === 0 || wanted.includes(voice));

const run = promisify(execFile);
const scratch = await mkdtemp(path.join(tmpdir(), "nightlight-voices-"));
const encoder = await OpusEncoder.open();
try {
  for (const voice of voices) {
    const wav = path.join(scratch, `${voice}.wav`);
    const recording = run(VOICES, ["sample", voice, wav], { cwd: path.join(WEB, "..") });
    recording.child.stdin?.end(SENTENCES.join("\n"));
    await recording;
    const { rate, samples } = readWav(await readFile(wav));
    const file = await encoder.file(samples, rate, BITS_A_SECOND);
    await writeFile(path.join(INTO, `${voice}.webm`), file);
    console.warn(`${voice}.webm: ${(samples.length / rate).toFixed(1)} s, ${file.length} bytes`);
  }
} finally {
  await encoder.close();
  await rm(scratch, { recursive: true, force: true });
}
