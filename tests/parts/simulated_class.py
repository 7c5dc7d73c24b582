"""Simulated classes of thirty whose truth is known, and their files of answers."""

import csv
import io

import numpy as np

from teaching.inventory.answers import Answers
from teaching.inventory.statements import ASKED, ITEMS, TRUE

N, K = 30, len(ITEMS)


EASE = np.random.default_rng(0).permutation(np.linspace(-0.5, 2.5, K))  # in logits


def a_class(kind, seed, n=N):
    """Answers of a class, and the chance of each student to be right on each item.

    "calibrated": say the chance; "overconfident": know as much and double its logit; "guessing":
    know nothing and say anything.
    """
    rng = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(-(rng.normal(scale=1.2, size=(n, 1)) + EASE)))
    chance = np.maximum(chance, 0.5) if kind != "guessing" else np.full((n, K), 0.5)
    sure = chance
    if kind == "overconfident":
        sure = chance**2 / (chance**2 + (1 - chance) ** 2)
    if kind == "guessing":
        sure = rng.uniform(0.5, 1, size=(n, K))
    is_right = rng.random((n, K)) < chance
    sure = np.maximum(sure, 0.5 + 1e-9)  # one has to lean
    prob = np.where(is_right == TRUE, sure, 1 - sure)
    return Answers([f"s{i}" for i in range(n)], prob), chance


HEADINGS = {  # of a file of answers as our form, Moodle, or Canvas writes it
    "own": ["student", *(item["id"] for item in ITEMS)],
    "moodle": ["Last name", "Email address", *(f"Response {i + 1}" for i in range(K))],
    "canvas": ["name", "id"]
    + [f"{i}9: {item['text']} {ASKED}" for i, item in enumerate(ITEMS)],
}


WHO = {
    "own": lambda student: [student],
    "moodle": lambda student: ["X", student],
    "canvas": lambda student: [student, "1"],
}


def responses(answers, form):
    """A file of answers as our form, Moodle, or Canvas writes it."""
    text = io.StringIO()
    write = csv.writer(text).writerow
    write(HEADINGS[form])
    for student, row in zip(answers.students, answers.prob, strict=True):
        shown = ["" if np.isnan(p) else f"{100 * p:.0f} %" for p in row]
        write([*WHO[form](student), *shown])
    return text.getvalue()
