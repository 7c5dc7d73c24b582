"""What a map's own samples move: both sets are drawn again, or all are split anew."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.networks import refitted_intervals as study

FITTING = np.arange(3.0), np.array([0, 1, 2])
TESTING = np.arange(3.0, 8.0), np.arange(3, 8)


class Shift:
    """A map that adds the mean of what it was fitted to."""

    def fit(self, x, y):
        self.mean = x.mean()

    def predict(self, x):
        return x + self.mean


def test_each_map_is_fitted_on_the_one_set_and_measured_on_the_other():
    metrics = {"sum": lambda y, x: x.sum(), "labels": lambda y, x: y.sum()}
    numbers = study.refit_metrics({"shift": Shift()}, metrics, FITTING, TESTING)
    assert numbers.tolist() == [[25 + 5 * 1.0, 25]]


def test_sets_that_are_drawn_again_keep_their_sizes_and_pairs():
    sets = []

    def estimate(fitting, testing):
        sets.append((fitting, testing))
        return np.zeros(1)

    again = study.of_resamples(estimate, FITTING, TESTING, np.random.default_rng(0))
    assert again.shape == (study.N_RESAMPLES, 1)
    assert len(sets) == study.N_RESAMPLES
    for (x, y), (x_test, y_test) in sets:
        assert (len(x), len(x_test)) == (3, 5)
        assert (x == y).all() and (x_test == y_test).all()
        assert y.max() < 3 <= y_test.min()
    assert any(len({*x}) < 3 for (x, _), _ in sets)  # with replacement


def test_split_anew_each_sample_is_in_one_set():
    sets = []

    def estimate(fitting, testing):
        sets.append([*fitting[1], *testing[1]])
        assert (len(fitting[1]), len(testing[1])) == (3, 5)
        return np.zeros(1)

    again = study.of_splits(estimate, FITTING, TESTING, np.random.default_rng(0))
    assert again.shape == (study.N_SPLITS, 1)
    assert all(sorted(labels) == [*range(8)] for labels in sets)
    assert len({tuple(labels[:3]) for labels in sets}) > 1


def network(known, n_classes):
    test = SimpleNamespace(n_classes=n_classes)
    return SimpleNamespace(known=known, test=test)


def test_of_scores_alone_maps_of_one_score_are_fitted():
    maps, metrics = study.maps_and_metrics(network("top label", 10))
    assert maps is study.SCORES and metrics is study.METRICS_OF_SCORES


@pytest.mark.parametrize("known", ["logits", "probabilities"])
@pytest.mark.parametrize("more", [0, 1])
def test_of_whole_vectors_a_matrix_is_fitted_where_classes_are_few(known, more):
    net = network(known, study.MOST_CLASSES + more)
    maps, metrics = study.maps_and_metrics(net)
    assert metrics is study.METRICS_OF_VECTORS
    assert {*study.VECTORS} - {*maps} == ({"matrix-odir"} if more else set())


def test_a_row_has_the_basic_interval_and_the_range_over_splits(monkeypatch):
    """Values of two resamples .2 and .4 about .35: quantiles .205 and .395, mirrored."""
    net = network("top label", 10)
    pairs = SimpleNamespace(pairs=(np.zeros(2), np.zeros(2)))
    monkeypatch.setattr(study, "load_source", lambda name: net)
    monkeypatch.setattr(study, "calibration_and_test", lambda net: (pairs, pairs))
    allowed = {"map": None}, {"ece": None, "ks": None}
    monkeypatch.setattr(study, "maps_and_metrics", lambda net: allowed)
    value = np.array([[0.35, 1.0]])
    again = np.array([[[0.2, 1.0]], [[0.4, 1.0]]])
    monkeypatch.setattr(study, "refit_metrics", lambda *_: value)
    monkeypatch.setattr(study, "of_resamples", lambda *_: again)
    monkeypatch.setattr(study, "of_splits", lambda *_: again)
    first, second = study.refit_source("a")
    assert (first["source"], first["calibrator"]) == ("a", "map")
    assert (first["metric"], second["metric"]) == ("ece", "ks")
    assert first["value"] == 0.35 and second["value"] == 1
    assert first["low"] == pytest.approx(0.7 - 0.395)
    assert first["high"] == pytest.approx(0.7 - 0.205)
    assert (first["split_low"], first["split_high"]) == (0.2, 0.4)
