"""Measures the exported model as it ships (int8, one line at a time) and writes out/report.md with its pictures.

Held-out authors are only counted: no word of theirs is printed. Dev authors' worst errors are shown in words.
"""

import json
import math
import time
from pathlib import Path

import numpy as np

import data
import measure
from check_lines import ANSWERS, QUESTIONS
from data import ANSWER, LABELS, PLACE, SIGMOIDS, Line
from export import Runtime


def percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.0f}"


def share(hits: int, of: int) -> str:
    """A share of lines with its 95 % interval, in per cent."""
    if not of:
        return "–"
    low, high = measure.wilson(hits, of)
    return f"{percent(hits / of)} ({percent(low)}–{percent(high)})"


def table(head: list[str], rows: list[list]) -> str:
    line = "|".join("---" if n == 0 else "--:" for n in range(len(head)))
    return "\n".join(["| " + " | ".join(head) + " |", f"|{line}|", *("| " + " | ".join(map(str, row)) + " |" for row in rows)]) + "\n"


def picture(title: str, across: str, up: str, series: dict[str, list[tuple[float, float]]], diagonal: bool = False) -> str:
    """A small line chart; x and y from 0 to 1, y in per cent."""
    colours = ["#1f5a99", "#b3541e", "#3d7a3a", "#7a3d78"]
    left, top, wide, high = 46, 28, 300, 220

    def at(x: float, y: float) -> str:
        return f"{left + x * wide:.1f},{top + (1 - y) * high:.1f}"

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 300" width="520" height="300" font-family="sans-serif" font-size="11" role="img" aria-label="{title}">',
        f'<rect width="520" height="300" fill="#fff"/><text x="{left}" y="16" font-size="13">{title}</text>',
    ]
    for n in range(6):
        x, y = left + wide * n / 5, top + high * n / 5
        out.append(f'<path d="M{left},{y:.0f} H{left + wide}" stroke="#ddd"/><text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{100 - 20 * n}</text>')
        out.append(f'<text x="{x:.0f}" y="{top + high + 16}" text-anchor="middle">{20 * n}</text>')
    if diagonal:
        out.append(f'<path d="M{at(0, 0)} L{at(1, 1)}" stroke="#999" stroke-dasharray="4 4"/>')
    for n, (name, points) in enumerate(series.items()):
        colour = colours[n % len(colours)]
        path = " L".join(at(x, y) for x, y in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{at(x, y).split(",")[0]}" cy="{at(x, y).split(",")[1]}" r="3" fill="{colour}"/>' for x, y in points]
        out.append(f'<rect x="{left + wide + 14}" y="{top + 18 * n}" width="10" height="10" fill="{colour}"/><text x="{left + wide + 28}" y="{top + 9 + 18 * n}">{name}</text>')
    out.append(f'<text x="{left + wide / 2}" y="{top + high + 34}" text-anchor="middle">{across}</text>')
    out.append(f'<text x="12" y="{top + high / 2}" text-anchor="middle" transform="rotate(-90 12 {top + high / 2})">{up}</text></svg>')
    return "\n".join(out) + "\n"


def confusion(title: str, names: list[str], counts: np.ndarray) -> str:
    """A square of squares: rows are the true answers, columns what the reader says, darker is a greater share of the row."""
    left, top, side = 76, 52, 46
    size = left + side * len(names) + 16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" font-family="sans-serif" font-size="11" role="img" aria-label="{title}">',
        f'<rect width="{size}" height="{size}" fill="#fff"/><text x="10" y="18" font-size="13">{title}</text>',
    ]
    for row, (name, line) in enumerate(zip(names, counts)):
        y = top + side * row
        out.append(f'<text x="{left - 8}" y="{y + side / 2 + 4}" text-anchor="end">{name}</text><text x="{left + side * (row + 0.5)}" y="{top - 8}" text-anchor="middle">{name}</text>')
        for column, count in enumerate(line):
            part = count / max(line.sum(), 1)
            ink = "#fff" if part > 0.5 else "#222"
            out.append(f'<rect x="{left + side * column}" y="{y}" width="{side - 2}" height="{side - 2}" fill="#1f5a99" fill-opacity="{0.04 + 0.96 * part:.2f}"/>')
            out.append(f'<text x="{left + side * (column + 0.5) - 1}" y="{y + side / 2 + 4}" text-anchor="middle" fill="{ink}">{count}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def reliability(p: np.ndarray, truth: np.ndarray) -> tuple[list[tuple[float, float]], float]:
    """How often it is so, where the reader says a chance; and the mean gap between the two (expected calibration error)."""
    points, gap = [], 0.0
    place = np.minimum((p * 10).astype(int), 9)
    for n in range(10):
        inside = place == n
        if inside.sum():
            gap += inside.sum() * abs(p[inside].mean() - truth[inside].mean())
        if inside.sum() >= 20:
            points.append((float(p[inside].mean()), float(truth[inside].mean())))
    return points, gap / max(len(p), 1)


def answers_section(lines: list[Line], p: np.ndarray, target: dict, sure: float) -> str:
    answer, said = target["answer"], p[:, ANSWER].argmax(1)
    taken = p[:, ANSWER].max(1) >= sure
    turned = measure.reversed_polarity(answer, p, sure)
    rows = []
    for question in [*QUESTIONS, None]:
        here = np.array([question in (None, line.question) for line in lines])
        if here.any():
            rows.append([
                f"`{question}`" if question else "**all**", here.sum(), share((said == answer)[here].sum(), here.sum()),
                percent(taken[here].mean()), share((said == answer)[here & taken].sum(), (here & taken).sum()),
                turned[here].sum(), share(turned[here].sum(), here.sum()),
            ])  # fmt: skip
    out = "## Answers\n\n*Sure* is a chance of at least "
    out += f"{sure}. *Reversed*: sure of a yes that is a no, or of a no that is a yes. Per cent, 95 % intervals.\n\n"
    out += table(["question", "lines", "right", "sure", "right where sure", "reversed", "reversed %"], rows)
    out += "\nRows are the true answers, columns what the reader says.\n\n![Answers](confusion.svg)\n"
    grave = [("suicidal", "yes"), ("danger-now", "yes"), ("greeting", "no"), ("other-danger", "yes"), ("other-suicidal", "yes"), ("safe-to-talk", "no")]
    rows = []
    for question, polarity in grave:
        true = np.array([line.question == question and line.answer == polarity for line in lines])
        reverse = ANSWERS.index("no" if polarity == "yes" else "yes")
        rows.append([f"`{polarity}` to `{question}`", true.sum(), share((said == ANSWERS.index(polarity))[true].sum(), true.sum()), ((said == reverse) & taken)[true].sum()])
    return out + "\nThe answers that matter most:\n\n" + table(["", "lines", "found %", "surely reversed"], rows)


def labels_section(p: np.ndarray, target: dict, thresholds: dict, fewest: int = 5) -> str:
    rows, rare = [], []
    for label in LABELS[SIGMOIDS]:
        truth, score = target["present"][:, PLACE[label]], p[:, PLACE[label]]
        positives = int(truth.sum())
        if positives < fewest:
            rare.append(f"`{label}` {positives}")
            continue
        row = [f"`{label}`", positives]
        for figure in (measure.auc, measure.average_precision):
            low, high = measure.bootstrap(figure, truth, score)
            row.append(f"{figure(truth, score):.3f} ({low:.2f}–{high:.2f})")
        for point in ("ask", "act"):
            over = score >= thresholds[label][point]
            hits = int(truth[over].sum())
            row += [share(hits, positives), share(hits, int(over.sum()))]
        rows.append(row)
    head = ["label", "lines", "AUC", "AP", "recall at *ask*", "precision at *ask*", "recall at *act*", "precision at *act*"]
    out = "## Labels\n\nAUC and average precision with bootstrap intervals, recall and precision in per cent with Wilson's.\n"
    out += "`ask` and `act` are the points of `labels.json`, fitted on dev authors.\n\n" + table(head, rows)
    return out + (f"\nToo few held-out lines to say: {', '.join(rare)}.\n" if rare else "")


def second_labels() -> str:
    """How far two people who label the same lines agree: what a reader can be expected to reach."""
    lines = {(line.author, line.number): line for place in (data.AUTHORS, data.HELD_OUT) for author in data.read_authors(place).values() for line in author}
    pairs = []
    for path in sorted(data.SECOND.glob("*.tsv")) if data.SECOND.exists() else []:
        for row in path.read_text(encoding="utf-8").splitlines():
            fields = row.split("\t")
            if row.startswith("#") or len(fields) != 3 or not fields[1].isdigit():
                continue
            if line := lines.get((fields[0], int(fields[1]))):
                pairs.append((line, fields[2].split(" ")))
    if not pairs:
        return ""

    def kappa(one: list, two: list) -> float:
        agreed = np.mean([a == b for a, b in zip(one, two)])
        chance = sum(one.count(value) / len(one) * two.count(value) / len(two) for value in set(one))
        return (agreed - chance) / (1 - chance) if chance < 1 else math.nan

    first, second = [line.answer for line, _ in pairs], [labels[0] for _, labels in pairs]
    rows = [["answer", len(pairs), share(sum(a == b for a, b in zip(first, second)), len(pairs)), f"{kappa(first, second):.2f}"]]
    for label in LABELS[SIGMOIDS]:
        one, two = [label in line.labels for line, _ in pairs], [label in labels[1:] for _, labels in pairs]
        either = sum(a or b for a, b in zip(one, two))
        if either >= 5:
            rows.append([f"`{label}`", either, share(sum(a and b for a, b in zip(one, two)), either), f"{kappa(one, two):.2f}"])
    out = f"## Lines labelled twice\n\n{len(pairs)} lines. For a label: of the lines that either labeller gave it, how many both did.\n\n"
    return out + table(["", "lines", "agree %", "kappa"], rows)


def worst_errors(lines: list[Line], logits: np.ndarray, target: dict, count: int = 20) -> str:
    loss = measure.log_loss_by_line(logits, target)
    out = f"## The {count} worst errors on dev authors\n\n"
    for n in np.argsort(-loss.max(1))[:count]:
        label = int(loss[n].argmax())
        chance = measure.probabilities(logits[n : n + 1])[0]
        if label < SIGMOIDS.start:
            what = f"answer is `{lines[n].answer}`, reader says `{ANSWERS[int(chance[ANSWER].argmax())]}` {chance[ANSWER].max():.2f}"
        else:
            what = f"`{LABELS[label]}` is {'there' if target['present'][n, label] else 'not there'}, reader says {chance[label]:.2f}"
        out += f"- {lines[n].author}:{lines[n].number} `{lines[n].question}` “{lines[n].words}”: {what}\n"
    return out


def write(out: Path) -> None:
    told = json.loads((out / "labels.json").read_text(encoding="utf-8"))
    runtime = Runtime(out)
    held_out = data.read_authors(data.HELD_OUT)
    lines = [line for author in held_out.values() for line in author]
    trained, quantised = told["trained"], told["quantisation"]
    began = time.perf_counter()
    logits = runtime.logits(lines)
    pace = 1000 * (time.perf_counter() - began) / max(len(lines), 1)
    target, p = data.targets(lines), measure.probabilities(logits)

    report = "# How well the trained reader reads\n\nWritten by `training/report.py`; the model is the int8 file that ships, one line at a time.\n\n"
    report += table(["", ""], [
        ["trained on", f"{trained['lines']} lines by {len(trained['authors'])} authors ({trained['lines_also_in_parts']} of them also in parts), {trained['weak_lines']} weakly labelled openings"],
        ["thresholds and calibration from", f"{', '.join(trained['dev'])}"],
        ["measured on", f"{len(lines)} lines by {len(held_out)} authors who wrote nothing else"],
        ["training", f"{trained['minutes']} minutes; {trained['settings']}"],
        ["model", f"{(out / 'reader.onnx').stat().st_size / 1e6:.1f} MB; {pace:.1f} ms a line, tokenising included, one thread"],
        ["int8 against fp32 (dev)", f"answers right {quantised['dev_int8']['answers_right']} / {quantised['dev_fp32']['answers_right']}, mean AP {quantised['dev_int8']['mean_ap']} / {quantised['dev_fp32']['mean_ap']}, same answer {quantised['same_answer_int8']}"],
        ["chances moved, mean and largest", f"by int8 {quantised['mean_and_largest_change_int8']}, by padding with 40 pieces {quantised['mean_and_largest_change_padding_40']}"],
    ])  # fmt: skip
    if lines:
        report += "\n" + answers_section(lines, p, target, told["sure"]) + "\n" + labels_section(p, target, told["thresholds"])
        answers, answer_gap = reliability(p[:, ANSWER].max(1), (p[:, ANSWER].argmax(1) == target["answer"]).astype(float))
        said = p[:, ANSWER].argmax(1)
        counts = np.array([[int(((target["answer"] == a) & (said == b)).sum()) for b in range(len(ANSWERS))] for a in range(len(ANSWERS))])
        (out / "confusion.svg").write_text(confusion("Answers: told and read, held-out authors", ANSWERS, counts))
        own = [n for n in range(SIGMOIDS.start, SIGMOIDS.stop) if "." not in LABELS[n]]
        labels, label_gap = reliability(p[:, own].ravel(), target["present"][:, own].ravel())
        (out / "calibration.svg").write_text(picture("What chances mean, on held-out authors", "chance the reader gives, %", "how often it is so, %", {"answer": answers, "harms and flags": labels}, diagonal=True))
        report += f"\n## Calibration\n\nMean gap between chance and truth: answers {100 * answer_gap:.1f} points, harms and flags {100 * label_gap:.1f}.\n\n![Calibration](calibration.svg)\n"
    if (out / "curve.json").exists():
        points = json.loads((out / "curve.json").read_text())
        series = {f"{figure}, {place}": [(point["share"], point[place][name]) for point in points]
                  for figure, name in (("answers right", "answers_right"), ("mean AP", "mean_ap")) for place in ("held-out", "dev")}  # fmt: skip
        (out / "curve.svg").write_text(picture(f"More lines (all are {points[-1]['lines']})", "share of the lines, %", "%", series))
        report += "\n## Learning curve\n\nfp32, before calibration; the same settings each time.\n\n![Learning curve](curve.svg)\n"
    if agreed := second_labels():
        report += "\n" + agreed
    authors = data.read_authors(data.AUTHORS)
    dev = [line for name in trained["dev"] for line in authors.get(name, [])]
    if dev:
        report += "\n" + worst_errors(dev, runtime.logits(dev), data.targets(dev))
    (out / "report.md").write_text(report, encoding="utf-8")
    print(f"{out / 'report.md'}: held out, {measure.summary(logits, target) if lines else 'no lines'}")
