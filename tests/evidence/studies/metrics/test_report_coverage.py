"""The numbers of a report, where the probability of every class is known."""

import numpy as np
import pytest

import calib
from evidence import Outputs, load_results
from evidence.studies.metrics import report_coverage
from evidence.studies.metrics.report_coverage import true_values


def test_true_values_are_limits_of_draws():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(50, 3))
    p, q = calib.softmax(2 * z), calib.softmax(z)
    i = rng.integers(50, size=400_000)
    y = (q[i].cumsum(axis=1) < rng.random((len(i), 1))).sum(axis=1).clip(max=2)
    score, hit = calib.top_label(y, p[i])
    surest = score >= np.quantile(p.max(axis=1), 0.1)
    drawn = {
        "accuracy": calib.accuracy(y, p[i]),
        "NLL": calib.nll(y, p[i]),
        "Brier": calib.brier(y, p[i]),
        "ECE": calib.ece(y, p[i]),
        "classwise ECE": calib.classwise_ece(y, p[i]),
        "errors among the surest 90 %": 1 - hit[surest].mean(),
        "confidence less accuracy": (score - hit).mean(),
        "top-1 Brier": ((score - hit) ** 2).mean(),
    }
    assert true_values(p, q) == pytest.approx(drawn, abs=0.005)


def test_in_three_worlds_the_truth_is_what_another_map_says(monkeypatch):
    rng = np.random.default_rng(1)
    z = rng.normal(size=(200, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    test = Outputs(y, logits=2 * z)
    scaled = calib.softmax(z)
    monkeypatch.setattr(report_coverage, "scaled_network", lambda: (test, scaled))
    worlds = report_coverage.scores_and_truth()
    assert np.array_equal(worlds["as trained"][0], test.prob)
    assert worlds["as trained"][1] is worlds["after scaling"][0] is scaled
    better = calib.VectorScaling().fit(test.as_logits(), test.y)
    expected = better.predict_proba(test.as_logits())
    np.testing.assert_array_equal(worlds["after scaling"][1], expected)
    assert worlds["calibrated"] == (scaled, scaled)


def test_an_interval_is_counted_in_each_trial_that_has_one(monkeypatch):
    """Two of four trials hold the accuracy; the classwise interval is drawn in the first half."""
    ends = iter([(0.4, 0.6), (0.5, 0.7), (0.6, 0.7), (0.1, 0.4)])

    def one_trial(p, q, n, rng, classwise):
        low, high = next(ends)
        classes = {"low": 0, "high": 1} if classwise else {}
        return {"accuracy": {"low": low, "high": high}, "classwise ECE": classes}

    monkeypatch.setattr(report_coverage, "one_trial", one_trial)
    truth = {"accuracy": 0.5, "classwise ECE": 0.25}
    worlds = {"some": (1, 2)}
    monkeypatch.setattr(report_coverage, "scores_and_truth", lambda: worlds)
    monkeypatch.setattr(report_coverage, "true_values", lambda p, q: truth)
    about = {"world": "some", "n": 50}
    assert [*report_coverage.rows(4, [50])] == [
        about | {"metric": "accuracy", "truth": 0.5, "coverage": 0.5, "n_trials": 4},
        about
        | {"metric": "classwise ECE", "truth": 0.25, "coverage": 1, "n_trials": 2},
    ]


def test_the_stored_table_has_the_sizes_and_trials_of_the_study():
    stored = load_results("report_coverage")
    assert {*stored["n"]} == {*report_coverage.SIZES}
    assert stored["n_trials"].max() == report_coverage.N_TRIALS
