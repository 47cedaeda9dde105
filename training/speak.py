"""Training lines as a transcriber hears them: spoken by synthetic voices over a poor line, and transcribed.

    python3 training/speak.py --lines 5000       writes training/data/spoken/<author>.tsv, with the lines' own labels

Only lines of data/authors are spoken. Voices: flite's four, espeak-ng's accents at several speeds. The transcriber is the
model that calls use, in its makers' own library (moonshine-voice 0.0.73). Interrupted, it goes on with the authors that have no file yet. Seeded,
though flite's samples differ a little from run to run.
"""

import argparse
import os
import random
import subprocess
import tempfile
import wave
from pathlib import Path

os.environ["MOONSHINE_ORT_SINGLE_THREAD"] = "1"  # read once, when the library is loaded

import numpy as np
from moonshine_voice import ModelArch, get_assets_path
from moonshine_voice.transcriber import Transcriber

import data

# espeak-ng is not there to sound well but to sound otherwise: its accents and speeds give errors that flite's do not.
FLITE = ["slt", "rms", "awb", "kal"]
ESPEAK = ["en-gb", "en-us", "en-gb-scotland", "en-gb-x-rp", "en-029", "en-gb+f3", "en-us+f2"]


def speak(words: str, draw: random.Random, wav: Path) -> None:
    script = wav.with_suffix(".txt")
    script.write_text(words, encoding="utf-8")
    if draw.random() < 0.65:
        pace = f"duration_stretch={draw.choice(['0.85', '1.0', '1.0', '1.15'])}"
        command = ["flite", "-voice", draw.choice(FLITE), "--setf", pace, "-f", str(script), "-o", str(wav)]
    else:
        command = ["espeak-ng", "-v", draw.choice(ESPEAK), "-s", str(draw.choice([140, 160, 180, 200])), "-f", str(script), "-w", str(wav)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)


def line_quality(wav: Path, draw: random.Random) -> tuple[np.ndarray, int]:
    """The samples with a moment of quiet around them and noise 12 to 40 dB below the voice."""
    with wave.open(str(wav)) as file:
        rate = file.getframerate()
        voice = np.frombuffer(file.readframes(file.getnframes()), dtype=np.int16).astype(np.float32) / 32768
    quiet = np.zeros(rate // 4, dtype=np.float32)
    samples = np.concatenate([quiet, voice, quiet])
    loudness = float(np.sqrt((voice**2).mean())) if len(voice) else 0.0
    noise = np.random.default_rng(draw.randrange(1 << 30)).standard_normal(len(samples), dtype=np.float32)
    return np.clip(samples + noise * loudness * 10 ** (-draw.uniform(12, 40) / 20), -1, 1), rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=data.SPOKEN)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    authors = data.read_authors(data.AUTHORS)
    every = [line for lines in authors.values() for line in lines]
    sample = random.Random(options.seed).sample(every, min(options.lines, len(every)))
    transcriber = Transcriber(str(Path(get_assets_path()) / "tiny-en"), ModelArch.TINY)
    for author in sorted(authors):
        target = options.out / f"{author}.tsv"
        if target.exists():
            continue
        rows, empty = [], 0
        with tempfile.TemporaryDirectory() as scratch:
            wav = Path(scratch) / "line.wav"
            for line in sorted((line for line in sample if line.author == author), key=lambda line: line.number):
                draw = random.Random(f"{options.seed}:{author}:{line.number}")
                speak(line.words, draw, wav)
                samples, rate = line_quality(wav, draw)
                transcript = transcriber.transcribe_without_streaming(samples.tolist(), rate)
                heard = " ".join(" ".join(part.text for part in transcript.lines).split())
                if heard:
                    rows.append("\t".join([line.question, " ".join([line.answer, *sorted(line.labels)]), heard]))
                else:
                    empty += 1
        target.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
        print(f"{target}: {len(rows)} lines, {empty} not heard", flush=True)


if __name__ == "__main__":
    main()
