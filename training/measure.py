"""Figures of how well labels are read: numbers in, numbers out."""

import math

import numpy as np

from check_lines import ANSWERS
from data import ANSWER, LABELS, PLACE, SIGMOIDS

YES, NO = ANSWERS.index("yes"), ANSWERS.index("no")


def probabilities(logits: np.ndarray) -> np.ndarray:
    """Softmax over the answers, a sigmoid for every other label."""
    out = 1 / (1 + np.exp(-logits.astype(np.float64)))
    answers = np.exp(logits[:, ANSWER] - logits[:, ANSWER].max(1, keepdims=True))
    out[:, ANSWER] = answers / answers.sum(1, keepdims=True)
    return out


def auc(truth: np.ndarray, score: np.ndarray) -> float:
    """The chance that a line with the label scores above one without it; ties count half."""
    positives = int(truth.sum())
    if positives in (0, len(truth)):
        return math.nan
    _, inverse, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (counts.cumsum() - (counts - 1) / 2)[inverse]
    return float((ranks[truth > 0].sum() - positives * (positives + 1) / 2) / (positives * (len(truth) - positives)))


def average_precision(truth: np.ndarray, score: np.ndarray) -> float:
    if not truth.sum():
        return math.nan
    ordered = truth[np.argsort(-score, kind="stable")]
    precision = ordered.cumsum() / np.arange(1, len(ordered) + 1)
    return float((precision * ordered).sum() / ordered.sum())


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not of:
        return math.nan, math.nan
    z, share = 1.96, hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap(figure, truth: np.ndarray, score: np.ndarray, rounds: int = 200) -> tuple[float, float]:
    """The 95 % interval of a figure over lines, drawn anew with a fixed seed."""
    draw = np.random.default_rng(1)
    values = []
    for _ in range(rounds):
        picked = draw.integers(0, len(truth), len(truth))
        values.append(figure(truth[picked], score[picked]))
    values = [value for value in values if not math.isnan(value)]
    return (float(np.percentile(values, 2.5)), float(np.percentile(values, 97.5))) if values else (math.nan, math.nan)


def reversed_polarity(answer: np.ndarray, p: np.ndarray, sure: float) -> np.ndarray:
    """Lines where the reader is sure of a yes that is a no, or of a no that is a yes: the errors that do harm."""
    said, surety = p[:, ANSWER].argmax(1), p[:, ANSWER].max(1)
    return (surety >= sure) & (((answer == YES) & (said == NO)) | ((answer == NO) & (said == YES)))


def summary(logits: np.ndarray, target: dict[str, np.ndarray]) -> dict[str, float]:
    """A few figures to choose by, on fully labelled lines."""
    p = probabilities(logits)
    told = target["answer"] >= 0
    answer = target["answer"][told]
    figures = {
        "answers_right": float((p[told][:, ANSWER].argmax(1) == answer).mean()),
        "answers_reversed": float(reversed_polarity(answer, p[told], 0.8).mean()),
    }
    places = [n for n in range(SIGMOIDS.start, SIGMOIDS.stop) if target["present"][:, n].sum() >= 10]
    figures["mean_ap"] = float(np.mean([average_precision(target["present"][:, n], p[:, n]) for n in places]))
    figures["labels_with_10"] = len(places)
    for label in ("suicide", "danger-now", "physical", "sexual"):
        figures[f"auc {label}"] = auc(target["present"][:, PLACE[label]], p[:, PLACE[label]])
    return {name: round(value, 4) for name, value in figures.items()}


def log_loss_by_line(logits: np.ndarray, target: dict[str, np.ndarray]) -> np.ndarray:
    """How surprised the reader is by each label of each line: [lines, labels], the answer's in its own column."""
    p = np.clip(probabilities(logits), 1e-6, 1 - 1e-6)
    y = target["present"]
    loss = -(y * np.log(p) + (1 - y) * np.log(1 - p))
    loss[:, ANSWER] = -y[:, ANSWER] * np.log(p[:, ANSWER])
    return loss


assert LABELS[ANSWER.stop] == "suicide"
