"""What is said is taken, what is left over is no class, and doubt is refused with what to type."""

import numpy as np
import pandas as pd
import pytest
from stand_ins import NoArray

from calib_report.reading.reader import read
from evidence.files_with_truth.samples import (
    HIT,
    LOGITS,
    NAMED,
    NAMES,
    TOP,
    YES,
    P,
    Y,
    prefixed,
)

MAYBE = ["maybe"] * 120


LETTER = [["90a", "10%"], ["0.1", "0.9"]]


BELOW = np.where(P == P[9, 1], -0.2, P)


SHORT = prefixed("logit_", values=P.round(2)).assign(label=NAMED)


BESIDE = prefixed("score_", [1, 2], LOGITS[:, :2]).assign(label=HIT, prob=TOP)


HELD = {
    "y": Y[:60],
    "p": P[:60],
    "calibration_y": Y[60:],
    "calibration_logits": LOGITS[60:],
}


HOLE = np.where(P == P[9, 1], np.nan, P)


FEW = {"y": Y, "p": P, "a": [1.0, np.nan]}


LOOSE = prefixed("prob_", ["0", "1", "x"]).assign(label=Y)


REFUSED = {
    "a loose tolerance": ({"y": Y, "probs": P}, {"atol": 5}, "expected at most 0.05"),
    "classes and a confidence": ({"probs": P, "correct": HIT, "confidence": TOP}, {}, "--y NAME"),
    "two questions": ({"label": HIT, "conf": TOP}, {"scores": "conf"}, "scores conf --no-pairs"),
    "a confidence and a label": ({"label": HIT, "conf": TOP}, {}, "none has a name that says the"),
    "neither": ({"confidence": TOP, "correct": MAYBE}, {}, "neither right nor wrong"),
    "a number and a letter": ({"y": [0, 1], "probs": LETTER}, {}, "row 0 of 'probs' is '90a', exp"),
    "a single score": ({"logits": np.inf, "y": Y}, {}, "none has a name that says the sc"),
    "labels in no file": ({"logits": P}, {"labels": 3}, "labels: 3, expected the path of a file"),
    "a flag that is none": ({"logits": P, "y": Y}, {"multilabel": "no"}, "expected True or False"),
    "an unknown name": ({"y": ["cow"] * 120, "p": P}, {"classes": NAMES}, "row 0 is 'cow'"),
    "one wrong row": ({"y": Y, "probs": BELOW}, {}, "row 9 holds -0.2"),
    "two-digit logits": (SHORT, {}, "--kind prob"),
    "labels 0 and 2": ({"y": [0, 2] * 60, "p": P}, {"labels_from": 1}, "row 0 is 0, expected"),
    "no such group": ({"y": Y, "p": P}, {"groups": "ward"}, "there is no 'ward'"),
    "an array of labels": (P, {"y": Y}, "y: array([2, 1, 0"),
    "too few groups": ({"y": Y, "p": P, "a": [1, 2]}, {"groups": "a"}, "a: shape (2,), expected"),
    "an object that raises": ({"y": Y, "logits": NoArray()}, {}, "logits: not an array ('from"),
    "a column with no name": (pd.DataFrame({"": TOP, "label": Y, "p": TOP}), {}, "has no name"),
    "a probability beside": (BESIDE, {}, "none has a name that says the scores"),
    "both of two labels": ({"y": Y, "p": P}, {"positive": 1}, "of one column of scores it is"),
    "another label": ({"y": HIT, "p": TOP}, {"scores": "p", "positive": "x"}, "labels, '0', '1'"),
    "fewer labels": ({"y": Y[1:], "p": P}, {}, "y: 119 labels, expected 120"),
    "a number alone": (3.0, {}, "scores: shape () of float64, expected numbers"),
    "an array alone": (P, {}, "none has a name that says the labels"),
    "a hole": ({"y": Y, "p": HOLE}, {}, "probabilities: row 9 holds nan"),
    "rows of another array": (FEW, {"leave_out_empty": "a"}, "as many rows as 'a'"),
    "several columns of pairs": ({"y": HIT, "p": P}, {"pairs": True}, "'p' is not one column"),
    "a name among numbers": (LOOSE, {}, "no column is of the label '2'"),
    "numbers as names": ({"y": Y, "p": P}, {"classes": ["3", "4", "5"]}, "--labels-from 0"),
    "two of three labels": ({"y": YES[:, :2], "p": P}, {}, "expected (120, 3) of 0 and 1, or"),
    "another kind of scores": (HELD, {}, "it holds logits of 3, the other probabilities of 3"),
    "one name twice": (pd.DataFrame(P, columns=["p", "y", "y"]), {}, "two arrays have one name"),
    "a shifted axis": ({"y": Y, "logits": np.zeros((120, 3, 2))}, {}, "numpy.moveaxis(scores, A"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, said, message = REFUSED[case]
    if isinstance(source, dict):
        source = {
            n: a if hasattr(a, "shape") else np.asarray(a) for n, a in source.items()
        }
    with pytest.raises((ValueError, TypeError)) as caught:
        read(source, **said)
    assert message in str(caught.value)
