"""Which columns are labels and scores, by their names."""

import numpy as np
import pytest
from refusals import refusal

from calib_report.contract import NotSaidError
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import HIT, LOGITS, TOP, P, Y, prefixed


def test_errors_carry_their_role_and_ways():
    with pytest.raises(NotSaidError) as caught:
        read({"y": Y, "labels": Y, "logits": LOGITS})
    assert caught.value.role == "y" and caught.value.ways == (
        {"y": "y"},
        {"y": "labels"},
    )


BESIDE = prefixed("score_", [1, 2], LOGITS[:, :2]).assign(label=HIT, prob=TOP)


LOOSE = prefixed("prob_", ["0", "1", "x"]).assign(label=Y)


REFUSED = {
    "classes and a confidence": ({"probs": P, "correct": HIT, "confidence": TOP}, {}, "--y NAME"),
    "a confidence and a label": ({"label": HIT, "conf": TOP}, {}, "none has a name that says the"),
    "a single score": ({"logits": np.inf, "y": Y}, {}, "none has a name that says the sc"),
    "a probability beside": (BESIDE, {}, "none has a name that says the scores"),
    "an array alone": (P, {}, "none has a name that says the labels"),
    "a name among numbers": (LOOSE, {}, "no column is of the label '2'"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, said, message = REFUSED[case]
    assert message in refusal(source, **said)
