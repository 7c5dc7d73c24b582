"""Labels and scores of the samples in a file, and what stands beside them."""

import pandas as pd
import pytest
from refusals import refusal

from calib_report.reading.reader import read
from evidence.files_with_truth.samples import HIT, TOP, P, Y


def test_labels_of_a_test_set_go_with_scores_of_no_set():
    outputs = read({"y_test": Y, "y_prob": P, "y_train": Y[:9]}, y="y_test")
    assert (
        outputs.y.tolist() == Y.tolist()
        and "left out: 'y_train'" in outputs.notes[0].text
    )


REFUSED = {
    "two questions": ({"label": HIT, "conf": TOP}, {"scores": "conf"}, "scores conf --no-pairs"),
    "a column with no name": (pd.DataFrame({"": TOP, "label": Y, "p": TOP}), {}, "has no name"),
    "several columns of pairs": ({"y": HIT, "p": P}, {"pairs": True}, "'p' is not one column"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, options, message = REFUSED[case]
    assert message in refusal(source, **options)
