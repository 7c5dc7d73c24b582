"""Scores in one file and labels in another, in the same order or joined by an id."""

import numpy as np
import pandas as pd

from evidence.files_with_truth.case import Case
from evidence.files_with_truth.samples import (
    IDS,
    LOGITS,
    MIXED,
    NAMES,
    QUESTIONS,
    TOP,
    TRUTH,
    YES,
    N,
    P,
    Y,
    frame,
    prefixed,
)  # fmt: skip
from evidence.files_with_truth.writers import beside, csv, savetxt, two_files

BESIDE = {"labels": "truth.csv"}
SCORES = prefixed("p_")
PATHS = [f"{i}.jpg" for i in range(N)]
PATIENTS = pd.DataFrame({"case": 7 * MIXED, "label": Y[MIXED]})
LETTERS = np.array(list("abc"))[Y]
TWICE = pd.DataFrame({"id": [IDS[0], *IDS[:-1]], "label": Y})
WITHOUT_FIRST = np.delete(Y, MIXED[0]), np.delete(P, MIXED[0], axis=0)

TWO_FILES = [
    Case(
        "joined.csv", "Kaggle", two_files(frame().assign(id=IDS), TRUTH), options=BESIDE
    ),
    Case(
        "joined_named.csv",
        "Kaggle",
        two_files(frame().assign(case=IDS), TRUTH.rename(columns={"id": "case"})),
        options=BESIDE | {"ids": "case"},
    ),
    Case(
        "kaggle_two.csv",
        "Kaggle",
        two_files(
            prefixed("Status_").assign(id=IDS),
            TRUTH.rename(columns={"label": "Status"}),
        ),
        options=BESIDE,
    ),
    Case(
        "joined_values.csv",
        "Kaggle",
        two_files(SCORES.assign(image=IDS), TRUTH.rename(columns={"id": "filename"})),
        options=BESIDE,
    ),
    Case(
        "joined_numbers.csv",
        "Kaggle",
        two_files(SCORES.assign(patient=7 * np.arange(N)), PATIENTS),
        options=BESIDE,
    ),
    Case(
        "inside.csv",
        "pandas",
        csv(frame(list("abc"), LOGITS).assign(label=LETTERS, data=TOP)),
    ),
    Case(
        "by_position.csv",
        "pandas",
        two_files(SCORES, pd.DataFrame({"label": Y})),
        options=BESIDE,
    ),
    Case(
        "plain_labels.csv",
        "numpy",
        beside(csv(SCORES), "y.txt", savetxt(Y, fmt="%d")),
        options={"labels": "y.txt"},
    ),
    Case(
        "chexpert.csv",
        "CheXpert",
        two_files(frame(Path=PATHS), frame(NAMES, YES, Path=PATHS).iloc[MIXED]),
        QUESTIONS,
        options=BESIDE,
    ),
    Case(
        "twice.csv",
        "Kaggle",
        two_files(SCORES.assign(id=IDS), TWICE),
        options=BESIDE,
        after={"ignore": "id", "scores": "p_"},
        shown="stands twice in 'id'",
    ),
    Case(
        "missing.csv",
        "Kaggle",
        two_files(SCORES.assign(id=IDS), TRUTH.iloc[1:]),
        WITHOUT_FIRST,
        options=BESIDE,
    ),
    Case(
        "fewer.csv",
        "pandas",
        two_files(SCORES, pd.DataFrame({"label": Y[1:]})),
        None,
        options=BESIDE,
        shown="119 labels, and 120 rows",
    ),
]
