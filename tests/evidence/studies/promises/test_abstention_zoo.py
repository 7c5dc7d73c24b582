"""What a network's order of its answers is worth, before and after temperature scaling."""

import numpy as np
import pytest

from evidence import Outputs
from evidence.data import Predictions
from evidence.studies.promises import abstention_zoo as study

# said .9, .8 and .6; the second is wrong
TEST = Outputs(np.array([0, 1, 0]), logits=np.log([[0.9, 0.1], [0.8, 0.2], [0.6, 0.4]]))
# said .8, and right three times in four: odds of 4 to 1 are 3 to 1
FIT = Outputs(np.array([0, 0, 0, 1]), logits=np.log([[0.8, 0.2]] * 4))


def test_a_temperature_moves_the_error_and_not_the_order(monkeypatch):
    net = Predictions("a", "logits", FIT, TEST)
    monkeypatch.setattr(study, "load_zoo", lambda name: net)
    none, temperature = study.of_the_zoo("a")
    for row in (none, temperature):
        assert row["accuracy"] == pytest.approx(2 / 3)
        # the integral of -log u over the place of the error, the second third
        aurc = (1 + np.log(3 / 4)) / 3
        assert row["aurc"] == pytest.approx(aurc)
        # the best order has it in the last third
        assert row["excess"] == pytest.approx(aurc - (1 - np.log(9 / 4)) / 3)
    assert none["ece"] == pytest.approx((0.1 + 0.8 + 0.4) / 3)
    odds = np.array([9, 4, 1.5]) ** (np.log(3) / np.log(4))
    score = odds / (1 + odds)
    gaps = 1 - score[0], score[1], 1 - score[2]
    assert temperature["ece"] == pytest.approx(np.mean(gaps), rel=1e-4)
    assert [row["calibrator"] for row in (none, temperature)] == ["none", "temperature"]
