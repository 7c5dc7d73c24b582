"""Predictions beside labels: an answer is right where they are equal."""

import numpy as np
import pytest

from calib_report.columns.predictions import pairs_by_prediction
from calib_report.columns.samples import Samples
from calib_report.contract import ReadingError
from calib_report.values import Column


def answers(labels, scores):
    return Samples(np.array(labels), np.array(scores), "gold", ("conf",))


def test_an_answer_is_right_where_it_is_the_label():
    samples = answers(["a", "b", "c"], [0.9, 0.8, 0.7])
    pairs = pairs_by_prediction(samples, Column("pred", np.array(["a", "c", "c"])))
    assert pairs.y.tolist() == [1, 0, 1] and pairs.classes == ("wrong", "right")
    assert pairs.task == "pairs" and pairs.coded


@pytest.mark.parametrize(
    ("predicted", "message"),
    [(["a", "b"], "2 entries, and 3 labels"), (["x", "y", "x"], "no entry of 'pred'")],
)
def test_predictions_that_are_of_other_labels_are_refused(predicted, message):
    samples = answers(["a", "b", "c"], [0.9, 0.8, 0.7])
    with pytest.raises(ReadingError, match=message):
        pairs_by_prediction(samples, Column("pred", np.array(predicted)))


@pytest.mark.parametrize("n", [20, 18])
def test_a_score_that_one_threshold_parts_is_that_of_the_label(n):
    """Of twenty rows; of fewer chance parts them."""
    score = np.tile([0.2, 0.8], n // 2)
    predicted = Column("pred", np.where(score > 0.5, "yes", "no"))
    samples = answers(np.tile(["no", "yes"], n // 2), score)
    if n < 20:
        assert pairs_by_prediction(samples, predicted).y.all()
        return
    with pytest.raises(
        ReadingError, match="'conf' is high where 'pred' is 'yes'"
    ) as no:
        pairs_by_prediction(samples, predicted)
    # it is the probability of an event, and nothing is predicted
    of_event = {"predicted": None, "positive": "yes", "pairs": False}
    assert no.value.suggestions == (of_event,)


def test_a_score_above_one_half_may_be_a_confidence_although_a_threshold_parts_it():
    score = np.tile([0.6, 0.8], 10)
    predicted = Column("pred", np.where(score > 0.7, "yes", "no"))
    samples = answers(np.tile(["no", "yes"], 10), score)
    assert pairs_by_prediction(samples, predicted).y.all()
