"""Labelled lines: reading them, what each label's target is, which targets a line says nothing about, and word pieces.

The labels and the files' form are told in LABELS.md. Held-out lines are read here like any others; nothing here prints.
"""

import random
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import BertProcessing

from check_lines import ANSWERS, FLAGS, HARMS, STATES, wrong_with

HERE = Path(__file__).resolve().parent
AUTHORS, HELD_OUT, SPOKEN, SECOND = (HERE / "data" / name for name in ("authors", "held-out", "spoken", "second-labels"))
MAX_PIECES = 128

# The model's outputs, in their order: the answer (a softmax), the harms in five states each, the flags (sigmoids).
HARM_LABELS = [harm + suffix for harm in HARMS for suffix in ["", *(f".{state}" for state in STATES)]]
LABELS = [f"answer.{answer}" for answer in ANSWERS] + HARM_LABELS + FLAGS
PLACE = {label: n for n, label in enumerate(LABELS)}
ANSWER = slice(0, len(ANSWERS))
SIGMOIDS = slice(len(ANSWERS), len(LABELS))


@dataclass
class Line:
    """One turn of a caller. `labels` without the answer; `answer` is None where a line does not tell it."""

    question: str
    answer: str | None
    labels: frozenset[str]
    words: str
    author: str
    number: int
    # Weak lines only: labels known to be absent, and groups of which at least one is present. Full lines know all.
    weak: bool = False
    # A long turn of which one part is shown at a time, another in each epoch (see `parts`).
    in_parts: bool = False
    absent: frozenset[str] = frozenset()
    one_of: tuple[frozenset[str], ...] = field(default=())


def read_author(path: Path) -> list[Line]:
    """The well-formed lines of one author; files are still being written while this is used, so bad lines are skipped."""
    lines = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not text.strip() or text.startswith("#") or wrong_with(text):
            continue
        question, labels, words = text.split("\t")
        answer, *rest = labels.split(" ")
        lines.append(Line(question, answer, frozenset(rest), words.strip(), path.stem, number))
    return lines


def read_authors(directory: Path) -> dict[str, list[Line]]:
    return {path.stem: read_author(path) for path in sorted(directory.glob("*.tsv"))}


def _any_state(*harms: str) -> frozenset[str]:
    """A harm of the caller's or of another person's, now or past: all that an agency's name alone can tell."""
    return frozenset(harm + suffix for harm in harms for suffix in ("", ".other", ".past"))


# What the agency that an opening belongs to says about it. Agencies named in no row (AGE, ANY-ASK, SOS?) say nothing.
AGENCIES = {
    "SPF": (frozenset({"danger-now", "danger-now.other"}),),
    "SOS": (frozenset({"suicide", "suicide.other"}),),
    "FSC": (frozenset({"shelter", "shelter.other"}),),
    "SACC": (_any_state("sexual"),),
    "DVERT": (_any_state("physical"), frozenset({"by-spouse", "by-partner"})),
    "PAVE": (_any_state("physical"), frozenset({"by-family"})),
    "CPS": (_any_state("emotional", "financial", "neglect", "physical"),),
    "APS": (_any_state("emotional", "financial", "neglect", "physical"),),
    "NAVH": (_any_state("emotional", "financial", "neglect"),),
}


def read_weak() -> list[Line]:
    """Openings with the agency they belong to, as answers to the greeting: they tell little, but they are many."""
    root = HERE.parent / "crates"
    # The reader's crate moved once; its list of first words is wherever a crate's tests keep it.
    files = [root / "evaluation/openings/practice.tsv", root / "evaluation/openings/further.tsv"]
    files += sorted(root.glob("*/tests/first_words.tsv"))
    lines = []
    for path in files:
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            agency, tab, words = text.partition("\t")
            if not tab or text.startswith("#"):
                continue
            if agency == "NONE":
                known = {"absent": frozenset(HARMS)}
            elif agency in AGENCIES:
                known = {"one_of": AGENCIES[agency]}
            elif all(part in AGENCIES for part in agency.split("/")):
                known = {"one_of": (frozenset().union(*(AGENCIES[part][0] for part in agency.split("/"))),)}
            else:
                continue
            words = words.split("\t")[0].strip()
            lines.append(Line("greeting", None, frozenset(), words, f"weak:{path.stem}", number, weak=True, **known))
    return lines


# Labels that one part of a turn may seem to tell where the turn tells another of them: about these it is not asked.
KINDRED = [{"suicide", "self-harm", "hurt-now", "suicide-hint"}, {"danger-now", "physical", "strangled", "weapon", "threat-to-kill"}]


def read_parts(lines: list[Line]) -> list[Line]:
    """The long ones among fully labelled lines, for what no part of them tells. A long turn is also read by sentence
    (`crates/reader/src/trained/passages.rs`), and a sentence torn from an everyday story must not sound like a danger."""
    found = []
    for line in lines:
        if line.weak or len(parts(line.words)) < 2:
            continue
        told = {label.split(".")[0] for label in line.labels}
        told |= {label for kin in KINDRED if kin & told for label in kin}
        absent = frozenset(label for label in LABELS[SIGMOIDS] if label.split(".")[0] not in told)
        found.append(replace(line, answer=None, labels=frozenset(), weak=True, in_parts=True, absent=absent))
    return found


def parts(words: str, short: int = 16, longest: int = 30, shared: int = 10) -> list[str]:
    """The parts that a long turn is read in; none of a short one. As in `passages.rs`."""
    if len(words.split()) <= short:
        return []
    found = []
    for sentence in re.findall(r"[^.?!;]*[\w’'][^.?!;]*[.?!;]*", words):
        said = sentence.split()
        for start in range(0, max(1, len(said) - shared) if len(said) > longest else 1, longest - shared):
            found.append(" ".join(said[start : start + longest]))
    return found


def targets(lines: list[Line]) -> dict[str, np.ndarray]:
    """Targets and masks. `answer` is -1 where not told; `known` is 0 where a sigmoid's target is not told; `one_of`
    holds up to two groups a line of which at least one label is present."""
    answer = np.full(len(lines), -1, dtype=np.int64)
    present = np.zeros((len(lines), len(LABELS)), dtype=np.float32)
    known = np.zeros_like(present)
    one_of = np.zeros((len(lines), 2, len(LABELS)), dtype=np.float32)
    for n, line in enumerate(lines):
        if line.answer is not None:
            answer[n] = ANSWERS.index(line.answer)
            present[n, answer[n]] = 1
        for label in line.labels:
            present[n, PLACE[label]] = 1
        if line.weak:
            known[n, [PLACE[label] for label in line.absent]] = 1
            for group, labels in enumerate(line.one_of):
                one_of[n, group, [PLACE[label] for label in labels]] = 1
        else:
            known[n, SIGMOIDS] = 1
    weight = np.array([0.5 if line.weak else 1.0 for line in lines], dtype=np.float32)
    return {"answer": answer, "present": present, "known": known, "one_of": one_of, "weight": weight}


def read_questions() -> dict[str, list[str]]:
    """The phrasings of each question; the first is the canonical one, and the only one used at run time."""
    rows = (row.split("\t") for row in (HERE / "questions.tsv").read_text(encoding="utf-8").splitlines() if row)
    return {key: phrasings for key, *phrasings in rows}


FILLERS = ["um", "uh", "er", "like", "you know", "i mean", "well", "so", "lah", "ah", "okay so", "hmm"]


def disturb(words: str, random: random.Random) -> str:
    """The same words as a transcriber might give them: case and punctuation are its choice, and people hesitate."""
    if random.random() < 0.3:
        words = words.lower()
    if random.random() < 0.3:
        words = re.sub(r"[^\w\s'’]", " ", words)
    parts = words.split()
    if random.random() < 0.1:
        parts.insert(random.choice([0, random.randrange(len(parts) + 1)]), random.choice(FILLERS))
    if random.random() < 0.05 and parts:
        place = random.randrange(len(parts))
        parts.insert(place, parts[place])  # a stutter
    return " ".join(parts) or words


def tokenizer(vocabulary: list[str]) -> Tokenizer:
    """BERT's word pieces, uncased: `[CLS] question [SEP] words [SEP]`; what is too long is cut from the words' end."""
    ids = {piece: n for n, piece in enumerate(vocabulary)}
    made = Tokenizer(WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    made.post_processor = BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    made.enable_truncation(MAX_PIECES, strategy="only_second")
    return made


def prune(base: list[str], lines: list[Line], size: int = 14_000) -> list[int]:
    """Which of the base's word pieces to keep, as ids: the special ones, every single character (so that any word can
    still be spelled), every piece seen in training, and then the base's own order, which is by frequency."""
    full = tokenizer(base)
    full.no_truncation()
    texts = [line.words for line in lines] + [text for row in read_questions().values() for text in row]
    keep = {n for text in full.encode_batch(texts, add_special_tokens=False) for n in text.ids}
    keep |= {n for n, piece in enumerate(base) if piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")}
    keep |= {n for n, piece in enumerate(base) if len(piece.removeprefix("##")) == 1}
    whole = (n for n, piece in enumerate(base) if piece.isascii() and piece.isalpha())
    for n in whole:
        if len(keep) >= size:
            break
        keep.add(n)
    return sorted(keep)
