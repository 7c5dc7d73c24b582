"""How often two halves name one best map, by hand."""

import numpy as np
import pytest

from evidence import Outputs
from evidence.studies.metrics import measure_winners as study

P = np.array([[0.8, 0.2], [0.4, 0.6], [0.3, 0.7], [0.1, 0.9]])
Y = np.array([0, 0, 1, 1])
# errors of three maps on both halves of three splits
ERRORS = [
    [(1, 2, 3), (1, 3, 2)],
    [(1, 2, 3), (3, 2, 1)],
    [(2, 1, 3), (2, 1, 3)],
]


def test_measures_of_some_samples_stand_in_the_order_of_their_names():
    names = [*study.WINNERS, *study.OF_VECTORS, "classwise_two_bins"]
    values = study.values_of_measures(Outputs(Y, probabilities=P), np.array([0, 1]))
    by_name = dict(zip(names, values, strict=True))
    # said .8 and right, said .6 and wrong
    assert by_name["ece"] == pytest.approx((0.2 + 0.6) / 2)
    assert by_name["ks_error"] == pytest.approx(0.6 / 2)
    assert by_name["nll"] == pytest.approx(-(np.log(0.8) + np.log(0.4)) / 2)
    assert by_name["brier"] == pytest.approx((2 * 0.04 + 2 * 0.36) / 2)


def test_the_error_of_two_bins_is_the_mean_over_classes():
    """A class that is never there and never said has none; the others are off by one number."""
    p, y = np.array([[0.75, 0.25, 0.0]]), np.array([0])
    # below a threshold or not below it stands the one gap, of 1/4
    assert study.classwise_two_bins(y, p) == pytest.approx((2 / 16 + 0) / 3)


def test_halves_agree_where_one_map_is_best_on_both(monkeypatch):
    values = iter([error for split in ERRORS for half in split for error in half])
    seen = []

    def measured(outputs, rows):
        seen.append(sorted(rows))
        return [next(values)] * len([*study.WINNERS, *study.OF_VECTORS, "two bins"])

    maps = dict.fromkeys(("none", "temperature", "vector"), Outputs(Y, probabilities=P))
    monkeypatch.setattr(study, "N_SPLITS", 3)
    monkeypatch.setattr(study, "load_zoo", lambda name: name)
    monkeypatch.setattr(study, "predicted_by_methods", lambda net: maps)
    monkeypatch.setattr(study, "values_of_measures", measured)
    for row in study.agreement_of_halves("a"):
        # not the same map in the second split; orders agree by 1/2, -1 and 1
        assert (row["maps"], row["same"]) == (3, 2 / 3)
        assert row["rank_correlation"] == pytest.approx((0.5 - 1 + 1) / 3)
    # all maps are measured on one half, then on the other
    assert seen[0] == seen[1] == seen[2]
    assert sorted(seen[0] + seen[3]) == [0, 1, 2, 3]
