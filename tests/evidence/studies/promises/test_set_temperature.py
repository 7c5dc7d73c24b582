"""Sets along the temperature, of halves that are the same at each."""

import numpy as np
import pytest

from evidence.studies.promises import set_temperature as study

Z, Y = np.log([[0.8, 0.2], [0.5, 0.5]]), np.array([0, 1])


class Sets:
    """Sets that know what they were fitted to."""

    def fit(self, p, y, rng):
        self.p = p
        return self


def test_sets_are_fitted_to_one_half_and_measured_on_the_other(monkeypatch):
    monkeypatch.setattr(study, "SCORES", {"lac": Sets()})
    monkeypatch.setattr(
        study, "measure_sets", lambda fitted, p, y, rng: (fitted.p, p, y)
    )
    p, y = np.arange(6.0), np.arange(6)
    fitted, tested, labels = study.on_split("a", 0, p, y, "lac")
    assert len(fitted) == len(tested) == 3
    assert sorted([*fitted, *tested]) == [*range(6)]
    assert tested.tolist() == labels.tolist()
    again = study.on_split("a", 0, p / 2, y, "lac")[1]
    assert again.tolist() == (tested / 2).tolist()
    assert study.on_split("a", 1, p, y, "lac")[1].tolist() != tested.tolist()


def test_of_each_temperature_the_mean_over_splits_is_told(monkeypatch):
    monkeypatch.setattr(study, "logits_and_labels", lambda name: (Z, Y))
    monkeypatch.setattr(study, "TEMPERATURES", (1.0, 2.0))
    monkeypatch.setattr(study, "N_SPLITS", 2)
    monkeypatch.setattr(study, "SCORES", {"lac": Sets()})
    monkeypatch.setattr(
        study, "on_split", lambda name, split, p, y, score: {"size": split + p[0, 0]}
    )
    rows = [*study.temperatures("a")]
    # odds of 4 to 1 at first, of 2 to 1 at a temperature of 2; splits 0 and 1
    assert [row["size"] for row in rows] == pytest.approx([0.8 + 0.5, 2 / 3 + 0.5])
    assert all({*row} == {"source", "temperature", "score", "size"} for row in rows)
