"""What a map's own samples move: both sets are drawn again, or all are split anew."""

import numpy as np

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

    study.of_resamples(estimate, FITTING, TESTING, np.random.default_rng(0))
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

    study.of_splits(estimate, FITTING, TESTING, np.random.default_rng(0))
    assert all(sorted(labels) == [*range(8)] for labels in sets)
    assert len({tuple(labels[:3]) for labels in sets}) > 1
