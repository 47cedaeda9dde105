"""Checks the form of labelled lines: python3 training/check_lines.py FILE... Says every line that is wrong, and counts."""

import collections
import sys

QUESTIONS = """greeting safe-to-talk danger-now other-danger suicidal other-suicidal hurt-before by-spouse abuser
sexual-harm shelter put-down consent safe-contact name address incident-time age eighteen account more-support
open""".split()
ANSWERS = "yes no unsure declines other".split()
HARMS = """suicide self-harm hurt-now danger-now physical strangled weapon threat-to-kill sexual emotional financial
neglect shelter""".split()
STATES = "other past no unmeant".split()
FLAGS = """suicide-hint by-spouse by-partner by-family by-other safe unsafe wants-police cannot-talk goodbye for-other
everyday off-topic asks""".split()


def wrong_with(line: str) -> str | None:
    """What is wrong with a line, if anything."""
    fields = line.rstrip("\n").split("\t")
    if len(fields) != 3:
        return "not three fields with tabs between"
    question, labels, words = fields
    if question not in QUESTIONS:
        return f"no such question: {question}"
    first, *rest = labels.split(" ")
    if first not in ANSWERS:
        return f"the first label is no answer: {first}"
    for label in rest:
        harm, _, state = label.partition(".")
        if label in FLAGS:
            continue
        if harm not in HARMS or (state and state not in STATES) or label.endswith("."):
            return f"no such label: {label}"
    if {"suicide", "suicide-hint"} <= set(rest):
        return "suicide and suicide-hint together"
    if not words.strip():
        return "no words"
    return None


def main() -> None:
    answers, labels, questions, wrong = (collections.Counter() for _ in range(4))
    openers = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip() or line.startswith("#"):
                    continue
                if problem := wrong_with(line):
                    wrong[path] += 1
                    print(f"{path}:{number}: {problem}")
                    continue
                question, marks, words = line.rstrip("\n").split("\t")
                answer, *rest = marks.split(" ")
                questions[question] += 1
                answers[answer] += 1
                labels.update(rest)
                openers += words.lower().split()[0].strip(",.!") in {"yes", "no", "yeah", "nope", "yah", "ya", "nah"}
    print("lines", sum(questions.values()), "wrong", sum(wrong.values()), "beginning with yes or no", openers)
    print("answers", dict(answers))
    print("questions", dict(questions))
    print("labels", dict(labels.most_common()))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
