"""Labels beside one column of scores: which of two the score is of."""

import numpy as np
import pandas as pd
import pytest
from combined_files import EVENT, P_EVENT
from refusals import refuses

from calib_report import read
from calib_report.columns.coded_labels import hits_of, is_of_wrong, with_coded_labels
from calib_report.columns.samples import Samples
from calib_report.contract import ReadingError
from calib_report.options import Options
from calib_report.values import Column
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
    "both of two labels": ({"y": Y, "p": P}, {"positive": 1}, "is for one column of scores, the"),
    "another label": ({"y": HIT, "p": TOP}, {"scores": "p", "positive": "x"}, "positive: 'x', exp"),
    "an error": (
        {"error": 1 - HIT, "confidence": TOP},
        {"y": "error", "scores": "confidence", "pairs": True},
        "--positive 0",
    ),
}  # fmt: skip
test_events_and_hits_that_are_not_clear_are_refused = refuses(REFUSED)


def event(labels, classes=None, **options):
    """Names of the two classes of one column of scores, and the labels as numbers."""
    score = np.full(len(labels), 0.5)
    samples = Samples(np.array(labels), score, "y", ("p",), classes)
    coded = with_coded_labels(samples, Options(**options))
    return coded.classes, coded.y.tolist()


@pytest.mark.parametrize(
    ("labels", "options", "classes", "y"),
    [
        ([0, 1, 0], {}, ("0", "1"), [0, 1, 0]),
        ([-1, 1, -1], {}, ("-1", "1"), [0, 1, 0]),
        (["False", "True", "True"], {}, ("False", "True"), [0, 1, 1]),
        (["ill", "well"], {"positive": "ill"}, ("well", "ill"), [1, 0]),
        (["a", "b", "c"], {"positive": "b"}, ("not b", "b"), [0, 1, 0]),
        (["Well", "SICK"], {"classes": ("well", "sick")}, ("Well", "SICK"), [0, 1]),
    ],
)
def test_the_event_is_what_is_named_or_usually_meant(labels, options, classes, y):
    assert event(labels, **options) == (classes, y)


def test_of_two_words_it_is_asked_which_is_the_event():
    with pytest.raises(ReadingError, match="--positive a, or --positive b"):
        event(["a", "b"])
    with pytest.raises(ReadingError, match="name a column a class"):
        event(["a", "b", "c"])


def test_what_is_empty_is_not_the_other_class():
    with pytest.raises(ReadingError, match="'y' is empty in 1 of 2 rows"):
        event(["", "sick"], positive="sick")


def test_an_error_is_right_by_a_0_and_scores_say_which_of_both():
    errors = Column("error", np.array([1, 0, 1]))
    assert hits_of(errors, Options(positive="0")).tolist() == [0, 1, 0]
    assert hits_of(Column("correct", errors.values), Options()).tolist() == [1, 0, 1]
    # of an error 1 means wrong, and of a hit 0
    assert is_of_wrong("error", Options(positive="1"))
    assert not is_of_wrong("error", Options(positive="0"))
    assert is_of_wrong("correct", Options(positive="0"))
    assert not is_of_wrong("correct", Options())
