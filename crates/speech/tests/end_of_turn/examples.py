"""Writes the examples that tests/end_of_turn.rs compares with: the model's own front end and answers.

    python examples.py PIPECAT_WHEEL_UNPACKED smart-turn-v3.2-cpu.onnx

Needs numpy and onnxruntime, and `pipecat/audio/turn/smart_turn/_whisper_features.py` of pipecat-ai 1.14.0.
speech.wav is 1.5 s of a synthetic voice, the end of a sentence. "long" is that sound six times over, each time softer,
without its last 0.7 s, so that it breaks off: the last eight seconds of it count. Of each picture every 9th frame is kept, in steps of 1/8192.
"""

import importlib.util
import json
import sys
import wave
from pathlib import Path

import numpy as np
import onnxruntime

HERE = Path(__file__).resolve().parent
SAMPLES, KEPT_EVERY, STEPS = 128_000, 9, 8192


def main():
    source = Path(sys.argv[1]) / "pipecat/audio/turn/smart_turn/_whisper_features.py"
    spec = importlib.util.spec_from_file_location("reference", source)
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    model = onnxruntime.InferenceSession(sys.argv[2])

    with wave.open(str(HERE / "speech.wav")) as file:
        speech = np.frombuffer(file.readframes(file.getnframes()), dtype=np.int16)
    long = np.concatenate([speech // (turn + 1) for turn in range(6)])[:-11_200]
    answers = {}
    for name, sound in (("short", speech), ("long", long)):
        sound = sound.astype(np.float32)[-SAMPLES:] / 32768.0
        sound = np.pad(sound, (SAMPLES - len(sound), 0))
        picture = reference.compute_whisper_log_mel_features(sound)
        kept = np.round(picture[:, ::KEPT_EVERY] * STEPS).astype("<i2")
        (HERE / f"{name}.mel").write_bytes(kept.tobytes())
        answers[name] = float(model.run(None, {"input_features": picture[None]})[0].item())
    (HERE / "answers.json").write_text(json.dumps(answers, indent=2) + "\n")


if __name__ == "__main__":
    main()
