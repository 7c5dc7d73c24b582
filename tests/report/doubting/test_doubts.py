"""What speaks against a reading is asked, and overruled only where all is said."""

import numpy as np
import pandas as pd
import pytest
from combined_files import HIT, MARGIN, NAMED, NAMES, TOP, N, P, Z, of_classes

from calib_report import read
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
    columns, way = DOUBTED[what]
    with pytest.raises(DoubtError) as caught:
        read(pd.DataFrame(columns), scores="p_" if what == "classes" else None)
    assert way in str(caught.value)


def test_yes_overrules_a_doubt_and_is_nothing_alone():
    table = pd.DataFrame({"confidence": 1 - TOP, "correct": HIT})
    said = {"y": "correct", "scores": "confidence", "pairs": True}
    outputs = read(table, **said, yes=True)
    assert "Read as said, although" in " ".join(map(str, outputs.notes))
    with pytest.raises(ReadingError, match="only together with options that say all"):
        read(table, yes=True)
