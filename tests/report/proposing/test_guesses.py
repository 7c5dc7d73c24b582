"""Each rule of the proposals."""

import numpy as np
import pandas as pd
from combined_files import (
    BEST,
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

from calib_report import propose


def first(**columns):
    """Return the options of the first proposal."""
    return propose(pd.DataFrame(columns))[0].options.changed()


class TestRules:
    """A rule a test; `class_columns` and the formats have their own in the files that are kept."""

    def test_long_table(self):
        rows = {"id": np.repeat(np.arange(N), 3), "class": NAMES * N, "prob": P.ravel()}
        options = first(**rows, label=(np.repeat(NAMED, 3) == NAMES * N).astype(int))
        assert options == {
            "y": "label",
            "scores": "prob",
            "long": "class",
            "ids": ("id",),
        }

    def test_class_columns(self):
        assert first(**of_classes("score of "), kind=NAMED)["y"] == "kind"
        assert first(**of_classes("score of "), kind=NAMED)["scores"].startswith(
            "score of cat,"
        )

    def test_label_columns(self):
        marks = {f"is_{name}": (NAMED == name).astype(int) for name in NAMES}
        assert first(**of_classes(), **marks)["y"] == "is_cat,is_dog,is_hen"

    def test_arrays_of_classes(self):
        sets = {
            "test_y": Y,
            "test_logits": Z,
            "val_y": Y[::-1],
            "val_logits": Z[::-1] + 0.1,
        }
        options = propose(sets)[0].options.changed()
        assert options == {"y": "test_y", "scores": "test_logits", "calibration": "val"}

    def test_stated_confidences(self):
        assert first(is_correct=HIT, conf=TOP) == {
            "y": "is_correct",
            "scores": "conf",
            "pairs": True,
        }

    def test_stated_doubts_are_turned_round(self):
        (reading,) = propose(pd.DataFrame({"correct": HIT, "uncertainty": 1 - TOP}))
        assert reading.options.positive == "0" and reading.outputs.read_as
        np.testing.assert_allclose(reading.outputs.pairs[0], TOP)

    def test_answers(self):
        table = {"gold": NAMED, "pred": np.array(NAMES)[BEST], "confidence": TOP}
        assert first(**table) == {
            "y": "gold",
            "scores": "confidence",
            "predicted": "pred",
        }

    def test_answers_of_two_kinds_are_answers(self):
        """Each answer has a confidence of its own; there are three labels."""
        gold, pred = ["B", "C", "A"] * 40, ["B", "A", "A"] * 40
        options = first(gold=gold, pred=pred, confidence=[0.9, 0.7, 0.8] * 40)
        assert options == {"y": "gold", "scores": "confidence", "predicted": "pred"}

    def test_one_of_two_finds_which(self):
        assert first(ill=np.where(EVENT, "a", "b"), score=P_EVENT)["positive"] == "a"
        assert (
            first(ill=np.where(EVENT, "a", "b"), score=1 - P_EVENT)["positive"] == "b"
        )

    def test_a_risk_is_that_of_the_event_beside_a_label(self):
        (reading, *_) = propose(pd.DataFrame({"outcome": EVENT, "risk": P_EVENT}))
        assert reading.options.scores == "risk" and reading.options.positive == "1"
        np.testing.assert_allclose(reading.outputs.prob[:, 1], P_EVENT)

    def test_numbered_columns(self):
        table = {f"score_{c}": Z[:, k] for k, c in enumerate("abc")}
        options = first(**table, score_time_ms=np.abs(MARGIN), label=Y)
        assert options["scores"] == "score_a,score_b,score_c"
