"""Signs that labels or scores are not what they are called."""

import numpy as np
import pytest

import calib
from calib_report import ModelOutputs
from calib_report.doubting.signs import notes_of_signs
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import LOGITS, P, Y


def told(**scores):
    return " ".join(map(str, notes_of_signs(ModelOutputs(Y, **scores))))


def test_own_predictions_are_told():
    assert "own predictions" in read({"y": P.argmax(axis=1), "p": P}).notes[0].text


@pytest.mark.parametrize(("n", "is_told"), [(49, False), (50, True)])
def test_of_few_answers_all_may_be_right(n, is_told):
    outputs = ModelOutputs(P.argmax(axis=1)[:n], probabilities=P[:n])
    notes = " ".join(map(str, notes_of_signs(outputs)))
    assert ("own predictions" in notes) == is_told


@pytest.mark.parametrize(("confidence", "is_told"), [(0.96, True), (0.98, False)])
def test_of_sure_answers_all_may_be_right(confidence, is_told):
    p = np.tile([[confidence, 1 - confidence]], (100, 1))
    outputs = ModelOutputs(np.zeros(100, int), probabilities=p)
    notes = " ".join(map(str, notes_of_signs(outputs)))
    assert ("own predictions" in notes) == is_told


def test_logits_that_are_normalised_are_told_and_others_are_not():
    normalised = np.log(calib.softmax(LOGITS))
    assert "log-probabilities" in told(logits=normalised)
    assert "log-probabilities" not in told(logits=LOGITS)
    # of the sum a thousandth may be lost by rounding, and no more
    assert "log-probabilities" in told(logits=normalised + 0.9e-3)
    assert "log-probabilities" not in told(logits=normalised + 1.1e-3)
    assert "log-probabilities" not in told(probabilities=P)
