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
SHARE_DOUBTED_ON_THE_WAY = 0.05
# The strength of the prior that no label weighs anything, for standardised figures.
RIDGE = 100.0
FOLDS = 5
# Danger now, once the caller is on the way to the police and asked what happened.
ON_THE_WAY = "danger_now_on_the_way"
# Which of the three is the need.
NEED = list(SHARE_DOUBTED).index("need")

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
            write(labels, dict.fromkeys([*SHARE_DOUBTED, ON_THE_WAY], nothing))
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
    fitted = {}
    for at, (doubt, share) in enumerate(SHARE_DOUBTED.items()):
        true = turns["true"][:, at]
        # Told from those who need nobody, not from who was hurt: blows and rape do not speak against wanting to die.
        known = true | ~turns["true"][:, NEED]
        # Never doubted where it is as likely as not.
        fitted[doubt] = line(doubt, turns, true, known, turns["tells"][:, at], share, at_most=0.0)
    in_danger, anybody = turns["true"][:, 0], np.ones(len(turns["weight"]), bool)
    # Here anybody may be the other, and all that follows is one question.
    fitted[ON_THE_WAY] = line(
        ON_THE_WAY, turns, in_danger, anybody, turns["on_the_way"], SHARE_DOUBTED_ON_THE_WAY, at_most=np.inf
    )
    write(outputs(), fitted)


def line(
    doubt: str, turns: dict, true: np.ndarray, known: np.ndarray, tells: np.ndarray, share: float, at_most: float
) -> dict:
    """The weights that tell the true from the others that are known, and the score below which that share of who tells is doubted."""
    fold = np.random.default_rng(7).integers(FOLDS, size=turns["callers"])[turns["caller"]]
    x, y, weight = turns["x"], true.astype(float), turns["weight"]
    unseen = np.empty(len(y))
    for held_out in range(FOLDS):
        seen = known & (fold != held_out)
        weights, bias = regression(x[seen], y[seen], weight[seen])
        unseen[fold == held_out] = x[fold == held_out] @ weights + bias
    below = min(float(np.quantile(unseen[tells & true], share)), at_most)
    told(doubt, unseen, tells, true, below)
    weights, bias = regression(x[known], y[known], weight[known])
    parts = np.split(weights, len(FIGURES))
    fitted = {figure: [round(float(it), 6) for it in part] for figure, part in zip(FIGURES, parts)}
    return fitted | {"bias": round(float(bias), 6), "doubted_below": round(below, 4)}


def measure(turns: dict) -> None:
    known = json.loads((WEIGHTS / "whole-call.json").read_text(encoding="utf-8"))
    tells = dict(zip(SHARE_DOUBTED, turns["tells"].T)) | {ON_THE_WAY: turns["on_the_way"]}
    true = dict(zip(SHARE_DOUBTED, turns["true"].T)) | {ON_THE_WAY: turns["true"][:, 0]}
    for doubt in tells:
        weights = np.concatenate([known[doubt][figure] for figure in FIGURES])
        scores = turns["x"] @ weights + known[doubt]["bias"]
        told(doubt, scores, tells[doubt], true[doubt], known[doubt]["doubted_below"])


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
