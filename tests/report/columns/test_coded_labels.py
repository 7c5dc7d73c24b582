"""Labels beside one column of scores: which of two the score is of."""

import numpy as np
import pandas as pd
import pytest
from combined_files import EVENT, P_EVENT
from refusals import refusal

from calib_report import read
from evidence.files_with_truth.samples import HIT, TOP, P, Y


def test_the_sign_of_a_label_of_one_column_holds():
    for positive, p in (("1", P_EVENT), ("0", 1 - P_EVENT)):
        outputs = read(
            pd.DataFrame({"label": EVENT, "p": p}), scores="p", positive=positive
        )
        assert np.mean(outputs.prob.argmax(axis=1) == outputs.y) == np.mean(
            (P_EVENT > 0.5) == EVENT
        )


REFUSED = {
    "both of two labels": ({"y": Y, "p": P}, {"positive": 1}, "of one column of scores it is"),
    "another label": ({"y": HIT, "p": TOP}, {"scores": "p", "positive": "x"}, "labels, '0', '1'"),
    "an error": (
        {"error": 1 - HIT, "confidence": TOP},
        {"y": "error", "scores": "confidence", "pairs": True},
        "--positive 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, said, message = REFUSED[case]
    assert message in refusal(source, **said)
