"""What speaks against a reading is asked, and overruled only where all is said."""

import numpy as np
import pandas as pd
import pytest
from combined_files import (
    EVENT,
    HIT,
    MARGIN,
    NAMED,
    NAMES,
    P_EVENT,
    TOP,
    N,
    P,
    Y,
    Z,
    of_classes,
)
from refusals import refusal

from calib_report import propose, read
from calib_report.contract import DoubtError, ReadingError

DOUBTED = {
    "a split": (
        of_classes() | {"label": NAMED, "split": ["train", "test"] * (N // 2)},
        "split=test",
    ),
    "an id": (
        of_classes() | {"label": NAMED, "id": np.arange(N) // 2},
        "--clusters id",
    ),
    "labels": (of_classes() | {"label": NAMED, "gold": np.roll(NAMED, 1)}, "--y gold"),
    "predictions": (
        of_classes() | {"label": NAMED, "pred": np.roll(NAMED, 1)},
        "--ignore pred",
    ),
    "a class": (
        {f"logit_{c}": Z[:, k] for k, c in enumerate(NAMES)}
        | {"logit_emu": MARGIN, "label": NAMED},
        "--ignore logit_emu",
    ),
    "an order": ({"confidence": 1 - TOP, "correct": HIT}, "--positive 0"),
    "verdicts": (
        {"confidence": TOP, "correct": HIT, "gold": NAMED, "answer": np.roll(NAMED, 1)},
        "--pairs",
    ),
    "classes": (
        {f"p_{n}": P[:, k - 1] for k, n in enumerate(NAMES)} | {"label": NAMED},
        "--yes",
    ),
}


@pytest.mark.parametrize("what", DOUBTED)
def test_what_speaks_against_a_reading_is_asked(what):
    columns, suggestion = DOUBTED[what]
    with pytest.raises(DoubtError) as caught:
        read(pd.DataFrame(columns), scores="p_" if what == "classes" else None)
    assert suggestion in str(caught.value)


def test_yes_overrules_a_doubt_and_is_nothing_alone():
    table = pd.DataFrame({"confidence": 1 - TOP, "correct": HIT})
    said = {"y": "correct", "scores": "confidence", "pairs": True}
    outputs = read(table, **said, yes=True)
    assert "Read as said, although" in " ".join(map(str, outputs.notes))
    with pytest.raises(ReadingError, match="only together with options that say all"):
        read(table, yes=True)


def test_an_absent_class_of_few_samples_is_a_class():
    columns = {"label": NAMED} | {
        f"logit_{name}": Z[:, k] for k, name in enumerate(NAMES)
    }
    without = pd.DataFrame(columns)[Y != 2]
    assert propose(without[:4])[0].options.classes == tuple(NAMES)
    assert propose(without)[0].options.ignore == ("logit_hen",)


REFUSED = {
    "doubt": (
        {"correct": HIT, "uncertainty": 1 - TOP},
        {"y": "correct", "scores": "uncertainty", "pairs": True},
        "--positive 0",
    ),
    "the prediction's": (
        {
            "label": EVENT,
            "prediction": (P_EVENT > 0.5).astype(int),
            "probability": np.maximum(P_EVENT, 1 - P_EVENT),
        },
        {"scores": "probability"},
        "--predicted prediction",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, options, message = REFUSED[case]
    assert message in refusal(source, **options)
