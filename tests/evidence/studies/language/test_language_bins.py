"""Bins of answers as they are and after a temperature, by hand."""

import numpy as np
import pytest

from evidence.language.originals import Choices
from evidence.studies.language import language_bins as study

# said .8 of four, right three times: odds of 4 to 1 are 3 to 1
LOGITS = np.log([[0.8, 0.2]] * 4)
CHOICES = Choices("tiny-answers", "set", "net", LOGITS, np.array([0, 0, 0, 1]), None)


def test_answers_are_in_the_bin_of_their_score_before_and_after_a_temperature():
    rows = [row for row in study.bin_rows(CHOICES) if row["count"]]
    none, after = rows
    assert (none["source"], none["model"]) == ("tiny", "net")
    # of fifteen bins, .8 ends the twelfth and .75 is in it
    assert [(row["map"], row["bin"]) for row in rows] == [
        ("none", 12),
        ("temperature", 12),
    ]
    assert none["score_sum"] == pytest.approx(3.2)
    assert after["score_sum"] == pytest.approx(3, rel=1e-6)
    for row in rows:
        assert (row["count"], row["hit_sum"]) == (4, 3)
        assert isinstance(row["hit_sum"], int)
