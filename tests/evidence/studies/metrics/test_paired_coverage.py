"""Two models on the same samples: what is drawn has the truth that is said."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence import load_results
from evidence.studies.metrics import paired_coverage
from evidence.studies.metrics.paired_coverage import PairedScores, top_pairs, true_ece

Q = np.array([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1]])
FIRST = np.array([[0.8, 0.1, 0.1], [0.7, 0.2, 0.1]])
SECOND = np.array([[0.1, 0.9, 0.0], [0.9, 0.1, 0.0]])


def test_each_model_is_right_as_often_as_the_class_that_it_names():
    world = top_pairs(Q, FIRST, SECOND)
    assert world.score.tolist() == [[0.8, 0.7], [0.9, 0.9]]
    assert world.right.tolist() == [[0.5, 0.6], [0.3, 0.6]]
    assert world.agree.tolist() == [False, True]


@pytest.mark.parametrize("cluster", [1, 10])
def test_hits_come_as_often_as_said_and_hang_together(cluster):
    world = top_pairs(Q, FIRST, SECOND)
    score, hit, clusters = world.sample(40_000, np.random.default_rng(0), cluster)
    assert len(np.unique(clusters)) == 40_000 // cluster
    for sample, said in enumerate((0.8, 0.7)):
        rows = score[0] == said
        assert hit[:, rows].mean(axis=1) == pytest.approx(
            world.right[:, sample], abs=0.03
        )
    apart = score[0] == 0.8
    assert not (hit[0] & hit[1])[apart].any()  # two classes: one is wrong
    assert (hit[0] == hit[1])[~apart].all()


def test_hits_of_a_cluster_hang_together():
    world = top_pairs(Q, FIRST, SECOND)
    _, hit, clusters = world.sample(40_000, np.random.default_rng(1), 10)
    means = np.bincount(clusters, hit[0]) / 10
    assert means.var() > 1.5 * hit[0].var() / 10


def test_the_true_difference_is_that_of_the_errors_of_the_bins():
    """Two samples in one bin are off by -.1 and .1; in two bins by a tenth each."""
    right = np.array([0.72, 0.70])
    assert true_ece(np.array([0.68, 0.72]), right) == pytest.approx(0.01)
    assert true_ece(np.array([0.52, 0.90]), right) == pytest.approx(0.2)
    world = PairedScores(
        np.array([[0.68, 0.72], [0.52, 0.9]]),
        np.array([right, right]),
        np.ones(2, bool),
    )
    assert world.truth(true_ece) == pytest.approx(0.01 - 0.2)


@pytest.fixture
def small(monkeypatch):
    """Worlds of few samples."""
    monkeypatch.setattr(paired_coverage, "POPULATION", 3000)
    monkeypatch.setattr(paired_coverage, "N_FIT", 1000)


def test_a_network_is_off_by_a_factor_and_an_offset_of_each_class(small):
    rng = np.random.default_rng(0)
    q, logits = paired_coverage.truth_and_logits(3, rng, factor=2, sharp=1.5, shift=0.5)
    true = np.log(q) - np.log(q[:, :1])
    said = logits / 2 - logits[:, :1] / 2
    offsets = said - true
    assert np.ptp(offsets, axis=0) == pytest.approx([0, 0, 0], abs=1e-9)
    assert np.abs(offsets[0, 1:]).min() > 0.01
    # a difference of two logits has twice their variance
    assert true[:, 1].std() == pytest.approx(1.5 * np.sqrt(2), rel=0.05)


@pytest.fixture(scope="module")
def worlds():
    """Each world with a smaller population, by its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paired_coverage, "POPULATION", 10_000)
        return dict(paired_coverage.worlds())


def test_there_are_twenty_worlds_and_all_of_them_are_stored(worlds):
    assert len(worlds) == 20
    assert {*load_results("paired_coverage")["world"]} == {*worlds}


@pytest.mark.parametrize("name", ["two calibrated", "calibrated and constant"])
def test_calibrated_worlds_have_no_error_in_bins(worlds, name):
    world = worlds[name]
    found = [true_ece(s, r) for s, r in zip(world.score, world.right, strict=True)]
    assert found == pytest.approx([0, 0], abs=0.02)


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("temperature, 10 classes", 1),
        ("surer than right", 1),
        ("underconfident", -1),
        ("one overconfident", 1),
        ("both overconfident", 1),
    ],
)
def test_the_first_of_a_world_says_too_much_or_too_little(worlds, name, sign):
    world = worlds[name]
    over = (world.score - world.right).mean(axis=1)
    assert sign * over[0] > 0.02
    assert (abs(over[1]) < 0.02) == (name != "both overconfident")


def test_of_a_map_of_scores_both_models_are_right_alike(worlds):
    world = worlds["isotonic, 10 classes"]
    assert world.agree.all() and (world.right[0] == world.right[1]).all()
    assert (world.score[0] != world.score[1]).any()


def test_gaps_that_swing_change_their_sign_at_each_tenth(worlds):
    world = worlds["accuracy that swings"]
    score, gap = world.score[0], world.right[1] - world.score[0]
    tenth = ((score - 0.5) * 10).astype(int)
    assert (np.sign(gap) == np.where(tenth % 2, -1, 1)).all()
    assert 0.13 < (np.abs(gap) / (1 - score)).max() <= 0.15 + 1e-12
    assert (world.score[1] == world.right[1]).all()


def test_intervals_are_counted_where_they_hold_the_difference(monkeypatch):
    """Of four intervals of both methods the basic one is drawn for the first two."""
    world = PairedScores(np.full((2, 9), 0.5), np.full((2, 9), 0.5), np.ones(9, bool))
    ends = {"split": iter([(-1, 1), (0.1, 1), (-1, -0.1), (-1, 1)])}
    ends["basic"] = iter([(-1, 1), (0, 0)])

    def paired_difference(metric, hit, first, second, *, method, **options):
        assert options["clusters"] is None and len(options["y_true_b"]) == 300
        low, high = next(ends[method])
        return SimpleNamespace(low=low, high=high)

    monkeypatch.setattr(paired_coverage, "N_TRIALS", 4)
    monkeypatch.setattr(paired_coverage, "N_BASIC", 2)
    monkeypatch.setattr(calib, "paired_difference", paired_difference)
    assert paired_coverage.coverage("some", world, 300, 1) == {
        "world": "some",
        "n": 300,
        "cluster": 1,
        "truth": 0,
        "split": 0.5,
        "basic": 1,
        "split_trials": 4,
        "basic_trials": 2,
    }


def test_the_stored_table_has_the_sizes_and_trials_of_the_study():
    stored = load_results("paired_coverage")
    assert {*stored["n"]} == {*paired_coverage.SIZES, paired_coverage.CLUSTERED}
    assert {*stored["cluster"]} == {1, paired_coverage.CLUSTER}
    assert {*stored["split_trials"]} == {paired_coverage.N_TRIALS}
    assert {*stored["basic_trials"]} == {paired_coverage.N_BASIC, 0}
