"""From scores to decisions, on dev authors: chances that mean what they say, and the two points each label is used at."""

import numpy as np
import torch
from torch.nn import functional as F

import measure
from check_lines import FLAGS, HARMS
from data import ANSWER, HARM_LABELS, LABELS, PLACE, SIGMOIDS

# Heads that share a temperature: they are trained on like numbers of lines and err alike.
GROUPS = {
    "harms": [PLACE[label] for label in HARM_LABELS if "." not in label],
    "states": [PLACE[label] for label in HARM_LABELS if "." in label],
    "flags": [PLACE[label] for label in FLAGS],
}

# What a miss costs, and what a false alarm costs, at the two points. `ask`: below it, nothing is asked about the label;
# a false alarm is one needless question. `act`: from it on, the words alone count as told; a false alarm is a needless
# transfer, or a caller told what they did not say, and a miss is only the one question more that `ask` puts.
DEFAULT_COSTS = {"ask": (4.0, 1.0), "act": (1.0, 2.3)}
COSTS = {
    # So asked, one in twenty-three of the held-out lines that have nothing to do with dying is asked about it.
    "suicide": {"ask": (10.0, 1.0), "act": (1.0, 1.2)},
    "danger-now": {"ask": (15.0, 1.0), "act": (1.0, 3.0)},
    # Taken at its word it names an ambulance, and the note says that the caller is hurt.
    "hurt-now": {"ask": (10.0, 1.0), "act": (1.0, 6.0)},
    # Somebody else's: who calls about them can be asked, and can call again.
    "suicide.other": {"ask": (5.0, 1.0), "act": (1.0, 3.0)},
    "danger-now.other": {"ask": (8.0, 1.0), "act": (1.0, 4.0)},
    "hurt-now.other": {"ask": (8.0, 1.0), "act": (1.0, 3.0)},
    # Asked at once of whoever is only sad, the question costs trust.
    "suicide-hint": {"ask": (4.0, 1.0), "act": (1.0, 2.0)},
    "self-harm": {"ask": (8.0, 1.0), "act": (1.0, 2.3)},
    "strangled": {"ask": (8.0, 1.0), "act": (1.0, 2.3)},
    "weapon": {"ask": (8.0, 1.0), "act": (1.0, 2.3)},
    "threat-to-kill": {"ask": (8.0, 1.0), "act": (1.0, 2.3)},
    # Asked of whoever was not touched, it hurts and may end the call; everyone in need is asked it later.
    "sexual": {"ask": (2.0, 1.0), "act": (1.0, 3.0)},
    "shelter": {"ask": (4.0, 1.0), "act": (1.0, 4.0)},
    "wants-police": {"ask": (8.0, 1.0), "act": (1.0, 4.0)},
    "goodbye": {"ask": (2.0, 1.0), "act": (1.0, 8.0)},  # to hang up on someone is far worse than to ask once more
    "off-topic": {"ask": (2.0, 1.0), "act": (1.0, 5.0)},
}
# The authors hold too few of these for their lines to say where asking should end: from the point on that its cost names, it is asked
# (docs/decisions/0023: after held-out authors had lost one of 38, and one of 33).
ASKED_FROM = {"danger-now": 0.0625}
# An answer taken at its word: what a reversed yes or no costs, another wrong answer, and a question asked once more.
REVERSED, WRONG, ASKED_AGAIN = 10.0, 3.0, 1.0


def fit(logits: np.ndarray, target: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    """A scale and a shift for each logit, and the temperatures (1/scale) by group. A label's shift is held near nought
    unless the dev lines insist, for many labels stand on few of them."""
    z = torch.from_numpy(logits.astype(np.float64))
    y = torch.from_numpy(target["present"].astype(np.float64))
    answer = torch.from_numpy(target["answer"])
    place = torch.zeros(len(LABELS), dtype=torch.long)
    for group, places in enumerate(GROUPS.values(), 1):
        place[places] = group
    slope = torch.zeros(1 + len(GROUPS), dtype=torch.float64, requires_grad=True)  # the logarithm of each group's scale
    shift = torch.zeros(len(LABELS), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([slope, shift], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        moved = z * slope.exp()[place] + shift
        value = F.cross_entropy(moved[:, ANSWER], answer, ignore_index=-1, reduction="sum")
        value = value + F.binary_cross_entropy_with_logits(moved[:, SIGMOIDS], y[:, SIGMOIDS], reduction="sum")
        value = value + 5.0 * shift.square().sum()
        value.backward()
        return value

    optimizer.step(loss)
    scale = slope.exp()[place].detach().numpy()
    temperatures = dict(zip(["answer", *GROUPS], (1 / slope.exp().detach().numpy()).round(3).tolist()))
    return scale, shift.detach().numpy(), temperatures


def join(whole: np.ndarray, surest: np.ndarray, present: np.ndarray) -> dict[str, float]:
    """How much a long turn's own logit and that of its surest sentence weigh: one weighting for every label that ten of
    the lines have, for no label has enough of its own."""
    places = [n for n in range(SIGMOIDS.start, SIGMOIDS.stop) if present[:, n].sum() >= 10]
    x = torch.from_numpy(np.stack([whole[:, places], surest[:, places]], -1).astype(np.float64))
    y = torch.from_numpy(present[:, places].astype(np.float64))
    weights = torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        value = F.binary_cross_entropy_with_logits(x @ weights[:2] + weights[2], y)
        value.backward()
        return value

    optimizer.step(loss)
    return dict(zip(("whole", "surest", "shift"), weights.detach().numpy().round(3).tolist()))


def joined(whole: np.ndarray, surest: np.ndarray, weights: dict[str, float]) -> np.ndarray:
    """A long turn's logits, as the program reckons them; an answer is the whole's."""
    both = weights["whole"] * whole + weights["surest"] * surest + weights["shift"]
    both[:, ANSWER] = whole[:, ANSWER]
    return both


def threshold(p: np.ndarray, truth: np.ndarray, miss: float, false_alarm: float) -> float:
    """The point of least cost. Each line counts as what it is and, with the weight of twenty more lines that have the
    label, as what its chance says: a label with three dev lines is not cut wherever those three happen to lie."""
    trust = 20.0 / max(truth.sum(), 4.0)
    blended = (truth + trust * p) / (1 + trust)
    points = np.concatenate([np.geomspace(0.005, 0.5, 100), 1 - np.geomspace(0.5, 0.005, 100)[1:]])
    costs = [miss * blended[p < point].sum() + false_alarm * (1 - blended[p >= point]).sum() for point in points]
    # A plateau is cut in its middle.
    best = np.flatnonzero(np.isclose(costs, min(costs)))
    return float(points[best[len(best) // 2]])


def thresholds(p: np.ndarray, target: dict[str, np.ndarray]) -> dict[str, dict[str, float]]:
    found = {}
    for label in LABELS[SIGMOIDS]:
        costs = COSTS.get(label, DEFAULT_COSTS)
        n = PLACE[label]
        ask, act = (threshold(p[:, n], target["present"][:, n], *costs[point]) for point in ("ask", "act"))
        ask = min(ask, ASKED_FROM.get(label, 1.0))
        found[label] = {"ask": round(ask, 3), "act": round(max(act, ask), 3)}
    return found


def sure(p: np.ndarray, answer: np.ndarray) -> float:
    """From which chance on an answer is taken at its word."""
    said, surety = p[:, ANSWER].argmax(1), p[:, ANSWER].max(1)
    turned = measure.reversed_polarity(answer, p, 0.0)
    cost_if_taken = np.where(turned, REVERSED, np.where(said == answer, 0.0, WRONG))
    points = np.arange(0.40, 0.96, 0.01)
    costs = [np.where(surety >= point, cost_if_taken, ASKED_AGAIN).sum() for point in points]
    return round(float(points[int(np.argmin(costs))]), 2)


assert set(COSTS) <= set(LABELS) and set(HARMS) <= set(LABELS)
