"""How often two halves name different best maps, by hand."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from evidence import Outputs
from evidence.studies.maps import best_maps_of_halves as study
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


P = np.array([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.9, 0.1, 0.0]])
OUTPUTS = Outputs(np.array([0, 1, 2]), probabilities=P)


def test_values_of_some_samples_stand_in_the_order_of_their_names():
    values = study.half_values(OUTPUTS, np.array([0, 1]))
    by_name = dict(zip(study.METRIC_NAMES, values, strict=True))
    # of two that are said to be .5, one is right: no error but in the order of the samples
    assert (by_name["ece"], by_name["mce"]) == (0, 0)
    assert by_name["nll"] == pytest.approx(-(np.log(0.5) + np.log(0.3)) / 2)
    assert by_name["brier"] == pytest.approx(
        (0.25 + 0.09 + 0.04 + 0.04 + 0.49 + 0.25) / 2
    )
    # second with .3 each, one right; within two with .8, both right
    assert by_name["ks_top_2"] == pytest.approx(abs(2 * 0.3 - 1) / 2)
    assert by_name["ks_within_2"] == pytest.approx(2 * 0.2 / 2)


def test_of_a_split_each_half_is_measured_by_all_maps(monkeypatch):
    monkeypatch.setattr(study, "N_SPLITS", 2)
    sizes = {"none": 1, "temperature": 10}
    maps = dict.fromkeys(sizes, OUTPUTS)
    seen = []

    def measured(outputs, samples):
        seen.append({*samples})
        return [len(seen)] * len(study.METRIC_NAMES)

    monkeypatch.setattr(study, "half_values", measured)
    halves = study.values_of_halves(maps, np.random.default_rng(0))
    # split by split, half by half, map by map
    assert halves[:, :, :, 0].tolist() == [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    assert seen[0] == seen[1] and len(seen[0]) == 2 and len(seen[2]) == 1
    assert seen[0] | seen[2] == {0, 1, 2} == seen[4] | seen[6]


def test_a_row_is_of_the_methods_of_a_paper_and_two_metrics(monkeypatch):
    """Two halves disagree about one of four maps, which one paper has and another has not."""
    names = ["none", "temperature", "spline", "bbq"]
    halves = np.zeros((2, 1, 4, 2)) + np.array([3.0, 2.0, 4.0, 1.0])[:, None]
    halves[1, 0, 3, :] = 5
    monkeypatch.setattr(
        study, "METHODS", {"guo": ("none", "temperature", "bbq"), "gupta": names[:3]}
    )
    monkeypatch.setattr(study, "METRIC_NAMES", ["ece", "nll"])
    monkeypatch.setattr(study, "zoo_index", lambda: {"name": ["a"]})
    monkeypatch.setattr(study, "load_zoo", lambda name: None)
    monkeypatch.setattr(study, "predicted_by_methods", lambda net: dict.fromkeys(names))
    monkeypatch.setattr(study, "values_of_halves", lambda predicted, rng: halves)
    rows = study.measure_halves("a")
    pairs = [("ece", "ece"), ("ece", "nll"), ("nll", "nll")]
    assert [(row["first"], row["second"]) for row in rows] == 2 * pairs
    # bbq is best of guo's on the first half and worst on the second
    assert [row["differs"] for row in rows] == [1] * 3 + [0] * 3
    assert [row["worst_differs"] for row in rows] == [1] * 3 + [0] * 3
