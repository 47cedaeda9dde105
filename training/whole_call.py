"""What all turns of a call, together, speak against: crates/reader/weights/whole-call.json. See README.md, "The call as a whole".

    whole_call.py neutral                 # weights that doubt nothing, to hold the calls with that are learnt from
    whole_call.py fit TURNS               # from what `nightlight-eval --so-far TURNS` wrote
    whole_call.py measure TURNS           # how many turns of other callers the weights that are there doubt
"""

import json
import sys
from pathlib import Path

import numpy as np

WEIGHTS = Path(__file__).resolve().parent.parent / "crates/reader/weights"
FIGURES = ["highest_logit", "highest_probability", "mean_logit", "mean_probability"]
# Of the turns in which people tell surely of what is so, or are about to be connected for it, this share is doubted: asked once more.
SHARE_DOUBTED = {"danger_now": 0.02, "suicide": 0.02, "need": 0.03}
# The same of those who are about to be connected to the police: by then much has been said, and one question is a small price.
SHARE_DOUBTED_ON_THE_WAY = 0.02
# The strength of the prior that no label weighs anything, for standardised figures.
RIDGE = 100.0
FOLDS = 5

OF_DANGER = {"violence-now"}
OF_SUICIDE = {"suicidal-direct", "self-harm-now", "overdose-now"}
OF_NEED = {
    "physical-abuse", "domestic-violence", "sexual-assault", "emotional-abuse", "psychological-abuse", "financial-abuse", "neglect",
    "shelter-wish",
}
ASKS_OF_NEED = {"hurt-before", "sexual-harm", "needs-shelter", "put-down"}
ON_THE_WAY_TO_THE_POLICE = {"account", "incident-time"}


def main() -> None:
    match sys.argv[1:]:
        case ["neutral"]:
            labels = outputs()
            nothing = {figure: [0.0] * len(labels) for figure in FIGURES} | {"bias": 0.0, "doubted_below": -1e9}
            write(labels, dict.fromkeys(SHARE_DOUBTED, nothing) | {"danger_now_on_the_way_below": -1e9})
        case ["fit", turns]:
            fit(read(turns))
        case ["measure", turns]:
            measure(read(turns))
        case _:
            sys.exit(__doc__)


def outputs() -> list[str]:
    return json.loads((WEIGHTS / "labels.json").read_text(encoding="utf-8"))["outputs"]


def read(path: str) -> dict:
    """The turns as figures; whether each doubt would be wrong of its caller, and whether the turn tells surely of what is doubted."""
    x, callers, true, tells, on_the_way = [], [], [], [], []
    to_the_police = set()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            turn, agencies, so_far = row["turn"], set(row["agencies"]), row["turn"]["so_far"]
            highest, n = np.array(so_far["highest"], np.float32), so_far["turns"]
            if not n:
                continue
            sure, question = set(turn["sure"]), turn["question"]
            x.append(np.concatenate([
                highest, 1 / (1 + np.exp(-highest)), np.array(so_far["logits"], np.float32) / n,
                np.array(so_far["probabilities"], np.float32) / n,
            ]))
            callers.append(row["caller"])
            true.append(["SPF" in agencies, "SOS" in agencies, "none" not in agencies])
            tells.append([
                bool(sure & OF_DANGER) and question not in ON_THE_WAY_TO_THE_POLICE,
                bool(sure & OF_SUICIDE),
                bool(sure & OF_NEED) or question in ASKS_OF_NEED and turn["yes"] is True,
            ])
            # The time is asked of others as well; what happened, only on the way to the police.
            if question == "account":
                to_the_police.add(row["caller"])
            on_the_way.append(question in ON_THE_WAY_TO_THE_POLICE and row["caller"] in to_the_police)
    names, caller = np.unique(callers, return_inverse=True)
    # A long call is no more than one call.
    weight = 1.0 / np.bincount(caller)[caller]
    return {
        "x": np.array(x), "caller": caller, "callers": len(names), "true": np.array(true), "tells": np.array(tells),
        "on_the_way": np.array(on_the_way), "weight": weight,
    }


def fit(turns: dict) -> None:
    fold = np.random.default_rng(7).integers(FOLDS, size=turns["callers"])[turns["caller"]]
    fitted = {}
    for at, (doubt, share) in enumerate(SHARE_DOUBTED.items()):
        y = turns["true"][:, at].astype(float)
        unseen = np.empty(len(y))
        for held_out in range(FOLDS):
            seen = fold != held_out
            weights, bias = regression(turns["x"][seen], y[seen], turns["weight"][seen])
            unseen[~seen] = turns["x"][~seen] @ weights + bias
        tells, true = turns["tells"][:, at], turns["true"][:, at]
        below = float(np.quantile(unseen[tells & true], share))
        told(doubt, unseen, tells, true, below)
        if doubt == "danger_now":
            fitted["danger_now_on_the_way_below"] = on_the_way(unseen, turns)
        weights, bias = regression(turns["x"], y, turns["weight"])
        parts = np.split(weights, len(FIGURES))
        fitted[doubt] = {figure: [round(float(it), 6) for it in part] for figure, part in zip(FIGURES, parts)}
        fitted[doubt] |= {"bias": round(float(bias), 6), "doubted_below": round(below, 4)}
    write(outputs(), fitted)


def on_the_way(scores: np.ndarray, turns: dict) -> float:
    asked, true = turns["on_the_way"], turns["true"][:, 0]
    below = float(np.quantile(scores[asked & true], SHARE_DOUBTED_ON_THE_WAY))
    told("danger_now, on the way to the police", scores, asked, true, below)
    return round(below, 4)


def measure(turns: dict) -> None:
    known = json.loads((WEIGHTS / "whole-call.json").read_text(encoding="utf-8"))
    for at, doubt in enumerate(SHARE_DOUBTED):
        weights = np.concatenate([known[doubt][figure] for figure in FIGURES])
        scores = turns["x"] @ weights + known[doubt]["bias"]
        told(doubt, scores, turns["tells"][:, at], turns["true"][:, at], known[doubt]["doubted_below"])
        if doubt == "danger_now":
            below = known["danger_now_on_the_way_below"]
            told("danger_now, on the way to the police", scores, turns["on_the_way"], turns["true"][:, 0], below)


def told(doubt: str, scores: np.ndarray, tells: np.ndarray, true: np.ndarray, below: float) -> None:
    doubted = scores < below
    right, vain = tells & true, tells & ~true
    print(
        f"{doubt}: doubted below {below:.2f}; of {right.sum()} turns that tell of what is so {doubted[right].sum()}, "
        f"of {vain.sum()} that tell of what is not {doubted[vain].sum()}"
    )


def regression(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, float]:
    """Logistic regression with a ridge, by Newton's method, on standardised figures; weights and bias for figures as they are."""
    mean, scale = x.mean(0), x.std(0) + 1e-6
    z = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])
    ridge = np.full(z.shape[1], RIDGE)
    ridge[-1] = 0.0
    # Both kinds of caller count as much.
    weight = weight * np.where(y == 1, 0.5 / weight[y == 1].sum(), 0.5 / weight[y == 0].sum()) * weight.sum()
    beta = np.zeros(z.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ beta))
        gradient = z.T @ (weight * (p - y)) + ridge * beta
        hessian = (z * (weight * p * (1 - p))[:, None]).T @ z + np.diag(ridge)
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    return beta[:-1] / scale, beta[-1] - float((beta[:-1] * mean / scale).sum())


def write(labels: list[str], doubts: dict) -> None:
    (WEIGHTS / "whole-call.json").write_text(json.dumps({"labels": labels} | doubts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
