"""The assistant's voices, judged by machine one after another: the speech room's own measurement, run and kept."""

import json
import subprocess

from machine import ROOT

# Those of docs/voices.md and of the page's samples.
VOICES = ["af_heart", "af_bella", "am_michael", "bf_emma", "bm_george", "joe", "slt"]
PROGRAM = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "speech", "--example", "voices", "--"]
LIMIT_SECONDS = 1800


def measure_voices() -> dict:
    measured = []
    for voice in VOICES:
        print(f"voice {voice} …", flush=True)
        done = subprocess.run([*PROGRAM, "judge", voice], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS)
        if done.returncode != 0:
            raise SystemExit(f"the voice {voice} could not be measured:\n{done.stderr}")
        measured.append(json.loads(done.stdout))
    return {"voices": measured}


def voices_table(machine: dict, measured: dict) -> str:
    voices = measured["voices"]
    lines = [
        f"Measured {machine['date']} at commit {machine['commit']} on {machine['cpu']}, one thread, with {voices[0]['sentences']} "
        f"of the flow's sentences ({voices[0]['words']} words).",
        "",
        "| voice | wrong words | pitch, mean (10th to 90th percentile) | range | words a minute | syllables a second | level | processor, seconds a second of sound | memory at most |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for voice in voices:
        pitch = voice["pitch_hz"]
        lines.append(
            f"| {voice['voice']} | {voice['word_errors']} ({voice['word_error_rate'] * 100:.1f} %) "
            f"| {pitch['mean']:.0f} Hz ({pitch['p10']:.0f} to {pitch['p90']:.0f}) | {voice['pitch_range_semitones']:.1f} semitones "
            f"| {voice['words_a_minute']:.0f} | {voice['syllables_a_second']:.1f} | {voice['level_dbfs']:.1f} dBFS "
            f"| {voice['processor_seconds_a_second']:.2f} | {voice['most_memory_mb']} MB |"
        )
    return "\n".join(lines) + "\n"
