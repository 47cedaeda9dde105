"""From trained weights to what the Rust side loads: reader.onnx (int8), vocab.txt, labels.json. See README.md, "Contract"."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

import calibrate
import data
import measure
from data import ANSWER, LABELS, Line
from model import Reader
from train import padded, predict


class Runtime:
    """The exported model as the Rust side runs it: one line at a time, one thread."""

    def __init__(self, directory: Path, model: str = "reader.onnx") -> None:
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(directory / model), settings, providers=["CPUExecutionProvider"])
        self.tokenizer = data.tokenizer((directory / "vocab.txt").read_text(encoding="utf-8").splitlines())
        self.questions = data.read_questions()

    def logits(self, lines: list[Line], padding: int = 0) -> np.ndarray:
        rows = []
        for line in lines:
            one = self.tokenizer.encode(self.questions[line.question][0], line.words)
            fill = [0] * padding
            feed = {"input_ids": one.ids + fill, "attention_mask": one.attention_mask + fill, "token_type_ids": one.type_ids + fill}
            rows.append(self.session.run(["logits"], {name: np.array([ids], dtype=np.int64) for name, ids in feed.items()})[0][0])
        return np.array(rows).reshape(len(lines), len(LABELS))


def write_onnx(model: Reader, tokenizer, path: Path) -> None:
    model.eval()
    example = padded(tokenizer.encode_batch([("Are you safe?", "yes i am"), ("How old are you?", "two")]))
    axes = {name: {0: "batch", 1: "length"} for name in example} | {"logits": {0: "batch"}}
    torch.onnx.export(
        model, tuple(example.values()), str(path), dynamo=False, opset_version=17,
        input_names=list(example), output_names=["logits"], dynamic_axes=axes,
    )  # fmt: skip
    onnx.checker.check_model(str(path))


# For the Rust side's tests: that it cuts words into the same pieces and gets the same logits.
EXAMPLES = [
    ("suicidal", "the pills are counted out on the table already"),
    ("greeting", "He's outside my door, he's got a knife!"),
    ("danger-now", "no… he hit me before, but not now"),
    ("open", "My café's naïve wi-fi password is hunter2; 我不知道 lah, antidisestablishmentarianism?"),
    ("consent", "I don't mind"),
    ("account", "he shouted " * 200),
]


def write_examples(out: Path) -> None:
    runtime, examples = Runtime(out), []
    for question, words in EXAMPLES:
        one = runtime.tokenizer.encode(runtime.questions[question][0], words)
        line = Line(question, None, frozenset(), words, "", 0)
        logits = [round(float(value), 4) for value in runtime.logits([line])[0]]
        examples.append({"question": question, "words": words, "input_ids": one.ids, "token_type_ids": one.type_ids, "logits": logits})
    (out / "examples.json").write_text(json.dumps(examples, ensure_ascii=False) + "\n", encoding="utf-8")


def export(weights: Path, dev: list[Line], out: Path) -> None:
    kept = torch.load(weights, weights_only=True)
    vocabulary, told = kept["vocabulary"], kept["told"]
    model = Reader(len(vocabulary), told["settings"]["pool"])
    model.load_state_dict(kept["state"])
    model.fold()
    tokenizer = data.tokenizer(vocabulary)
    target = data.targets(dev)
    (out / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")

    # Calibration goes into the last layer, so that nobody need apply it: a logit's sigmoid is a chance as it is.
    raw = predict(model, tokenizer, dev)
    scale, shift, temperatures = calibrate.fit(raw, target)
    with torch.no_grad():
        model.head.bias.copy_(model.head.bias * torch.from_numpy(scale) + torch.from_numpy(shift))
        model.head.weight.mul_(torch.from_numpy(scale).float()[:, None])

    full, small = out / "reader-fp32.onnx", out / "reader.onnx"
    write_onnx(model, tokenizer, full)
    quantize_dynamic(full, small, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul", "Gemm", "Gather"])

    full_logits, small_logits = predict(model, tokenizer, dev), Runtime(out).logits(dev)
    full.unlink()
    padding = Runtime(out).logits(dev[:200], padding=40)
    moved = np.abs(measure.probabilities(padding) - measure.probabilities(small_logits)[:200])
    quantised = np.abs(measure.probabilities(small_logits) - measure.probabilities(full_logits))
    labels = {
        "version": 1,
        "outputs": LABELS,
        "max_pieces": data.MAX_PIECES,
        "questions": {key: phrasings[0] for key, phrasings in data.read_questions().items()},
        # Already in the logits: softmax over the answers and a sigmoid for each other label give calibrated chances.
        "calibration": {"already_applied": True, "temperatures": temperatures},
        **points(out, dev),
        "trained": told,
        "quantisation": {
            "dev_fp32": measure.summary(full_logits, target),
            "dev_int8": measure.summary(small_logits, target),
            "same_answer_int8": round(float((full_logits[:, ANSWER].argmax(1) == small_logits[:, ANSWER].argmax(1)).mean()), 4),
            "mean_and_largest_change_int8": [round(float(quantised.mean()), 5), round(float(quantised.max()), 3)],
            "mean_and_largest_change_padding_40": [round(float(moved.mean()), 5), round(float(moved.max()), 3)],
        },
    }
    write_labels(labels, out)
    write_examples(out)
    print(f"{small}: {small.stat().st_size / 1e6:.1f} MB; {labels['quantisation']}")


def points(out: Path, dev: list[Line]) -> dict:
    """What is read off the chances of what ships: the int8 model in this runtime, one line at a time."""
    runtime, target = Runtime(out), data.targets(dev)
    whole = runtime.logits(dev)
    p = measure.probabilities(whole)
    long = [n for n, line in enumerate(dev) if data.parts(line.words)]
    surest = np.array([runtime.logits([replace(dev[n], words=part) for part in data.parts(dev[n].words)]).max(0) for n in long])
    sentences = calibrate.join(whole[long], surest, target["present"][long])
    turns = whole.copy()
    turns[long] = calibrate.joined(whole[long], surest, sentences)
    return {
        "sure": calibrate.sure(p, target["answer"]),
        # A long turn is read as a whole and by sentence: the logit of the whole, of its surest sentence, and a shift.
        "sentences": sentences,
        "thresholds": calibrate.thresholds(measure.probabilities(turns), target),
    }


def refit(out: Path, dev: list[Line]) -> None:
    """The same weights in another runtime: it rounds the int8 model in its own way, so the points are found again."""
    labels = json.loads((out / "labels.json").read_text(encoding="utf-8"))
    write_labels(labels | points(out, dev), out)
    write_examples(out)


def write_labels(labels: dict, out: Path) -> None:
    (out / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")
