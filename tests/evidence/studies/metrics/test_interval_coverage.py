"""How often intervals hold the truth: true errors and held truths by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence import Outputs, load_results
from evidence.studies.metrics import interval_coverage as study


def test_true_errors_are_those_of_the_gaps_in_the_order_of_the_scores():
    score, curve = np.array([0.8, 0.2, 0.6]), np.array([0.6, 0.4, 0.9])
    errors = study.true_errors(score, curve)
    assert errors[calib.ece] == pytest.approx((0.2 + 0.2 + 0.3) / 3)
    assert errors[study.ece_mass] == errors[calib.ece]
    # by rising score the gaps are -.2, -.3, .2
    assert errors[calib.ks_error] == pytest.approx((0.2 + 0.3) / 3)
    brier = (0.04 + 0.6 * 0.4) + (0.04 + 0.4 * 0.6) + (0.09 + 0.9 * 0.1)
    assert errors[calib.top1_brier] == pytest.approx(brier / 3)


def test_each_interval_is_counted_where_it_holds_the_truth(monkeypatch):
    """Of 41 even steps the 2.5 % and 97.5 % quantiles are the second and the last but one."""
    steps = np.linspace(0, 1, 41)
    intervals = [
        SimpleNamespace(low=0.4, high=0.6, resampled=steps),
        SimpleNamespace(low=0.5, high=0.9, resampled=steps + 0.48),
        SimpleNamespace(low=0.1, high=0.4, resampled=steps - 0.48),
        SimpleNamespace(low=0.1, high=0.5, resampled=steps - 0.47),
    ]
    monkeypatch.setattr(study, "N_TRIALS", 4)
    given = iter(intervals)
    monkeypatch.setattr(calib, "bootstrap", lambda *_, **__: next(given))
    row = study.coverage_of_intervals("a", calib.ece, 0.5, lambda n, rng: (), 9, None)
    assert (row["basic"], row["percentile"]) == (3 / 4, 2 / 4)
    assert (row["metric"], row["n"], row["truth"]) == ("ece", 9, 0.5)


@pytest.fixture
def network(monkeypatch):
    """A network of three classes in the place of ResNet-56."""
    rng = np.random.default_rng(2)
    z = 2 * rng.standard_normal((300, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    outputs = Outputs(y, logits=2 * z)
    net = SimpleNamespace(to_fit=outputs, test=outputs)
    monkeypatch.setattr(study, "load_zoo", lambda name: net)
    return net


def test_labels_of_classes_are_drawn_after_vector_scaling(network):
    """Bins are closed on the right: an error of each class and bin, by a loop."""
    y, z = network.test.y, network.test.as_logits()
    truth = calib.VectorScaling().fit(z, y).predict_proba(z)
    (_, metric, error, draw), (name, *_) = study.class_worlds()
    assert metric is calib.classwise_ece and name == "after scaling"
    p = network.test.prob
    gaps = [
        abs((truth - p)[:, k][np.ceil(15 * p[:, k]).clip(1) == place].sum())
        for k in range(3)
        for place in range(1, 16)
    ]
    assert error == pytest.approx(sum(gaps) / p.size)
    labels, said = draw(60_000, np.random.default_rng(0))
    drawn = np.bincount(labels, minlength=3) / 60_000
    assert drawn == pytest.approx(truth.mean(axis=0), abs=0.01)
    assert said.mean(axis=0) == pytest.approx(p.mean(axis=0), abs=0.01)


def test_the_smooth_error_of_very_many_samples_stands_for_the_limit(monkeypatch):
    world = SimpleNamespace(sample=lambda n, rng: (np.ones(n), np.full(n, 0.75)))
    monkeypatch.setattr(study, "MANY", 50)
    monkeypatch.setattr(study, "worlds_with_truth", lambda: iter([("some", world)]))
    ((name, metric, truth, draw),) = study.smooth_worlds()
    assert (name, metric, draw) == ("some", calib.smooth_ece, world.sample)
    assert truth == pytest.approx(0.25)


def test_each_family_of_metrics_has_a_generator_of_its_own(monkeypatch):
    for name in ("top_worlds", "smooth_worlds", "class_worlds"):
        monkeypatch.setattr(study, name, lambda name=name: iter([(name, 1, 2, 3)]))
    monkeypatch.setattr(
        study, "coverage_of_intervals", lambda *world: (world[0], world[-1].random())
    )
    seeds = (1979, [1979, 1], [1979, 2])
    first = [np.random.default_rng(seed).random() for seed in seeds]
    names = ["top_worlds", "smooth_worlds", "class_worlds"]
    assert [*study.rows()] == [*zip(names, first, strict=True)]


def test_the_stored_table_has_the_sizes_and_trials_of_the_study():
    stored = load_results("interval_coverage")
    assert {*stored["n"]} == {*study.SIZES}
    assert {*stored["n_trials"]} == {study.N_TRIALS}
