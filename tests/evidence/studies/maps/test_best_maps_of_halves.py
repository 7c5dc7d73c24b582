"""How often two halves name different best maps, by hand."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from evidence.studies.maps.best_maps_of_halves import disagreement, kendall

# errors of two halves, two splits, three maps, two metrics
ECE = [[[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [2, 1, 3]]]
NLL = [[[1, 3, 2], [1, 3, 2]], [[3, 1, 2], [3, 1, 2]]]
HALVES = np.stack([ECE, NLL], axis=-1).astype(float)


def test_by_one_metric_halves_differ_where_another_map_is_best():
    """The best differ in the second split, the worst never; orders agree by 1 and by 1/3."""
    disagrees = disagreement(HALVES, 0, 0)
    assert disagrees == {
        "differs": 0.5,
        "worst_differs": 0,
        "tau": pytest.approx((1 + 1 / 3) / 2),
    }


def test_by_two_metrics_each_half_chooses_once():
    """The first half's ECE and the second's NLL never agree, the other way in one split of two."""
    assert disagreement(HALVES, 0, 1)["differs"] == (2 + 1) / 4
    assert disagreement(HALVES, 1, 0)["differs"] == (2 + 1) / 4


def test_orders_are_compared_by_kendalls_tau_with_ties():
    a, b = np.random.default_rng(0).integers(4, size=(2, 30, 6)).astype(float)
    expected = [kendalltau(x, y).statistic for x, y in zip(a, b, strict=True)]
    assert kendall(a, b) == pytest.approx(expected, nan_ok=True)
