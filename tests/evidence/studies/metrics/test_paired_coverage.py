"""Two models on the same samples: what is drawn has the truth that is said."""

import numpy as np
import pytest

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
def draws(monkeypatch):
    monkeypatch.setattr(paired_coverage, "POPULATION", 5000)
    return paired_coverage.Draws(np.random.default_rng(3))


def errors_in(world):
    return [true_ece(s, r) for s, r in zip(world.score, world.right, strict=True)]


@pytest.mark.parametrize(
    ("name", "is_off"),
    [
        ("two calibrated", (False, False)),
        ("calibrated and constant", (False, False)),
        ("one overconfident", (True, False)),
        ("both overconfident", (True, True)),
        ("isotonic, 10 classes", (True, False)),
        ("temperature and vector", (False, False)),
        ("underconfident", (True, False)),
        ("accuracy that swings", (False, False)),
    ],
)
def test_a_world_is_off_where_its_name_says_so(name, is_off, draws):
    world = paired_coverage.WORLDS[name](draws)
    assert world.score.shape == world.right.shape == (2, 5000)
    assert tuple(error > 0.03 for error in errors_in(world)) == is_off


def test_scores_that_swing_are_as_wrong_as_no_bin_sees(draws):
    world = paired_coverage.WORLDS["accuracy that swings"](draws)
    score, truth = world.score
    assert (world.right == truth).all() and abs(score - truth).max() > 0.05


def test_worlds_share_a_network_and_no_draw_of_one_world_is_another_s(draws):
    before = paired_coverage.WORLDS["beta, 10 classes"](draws).score[0]
    assert (paired_coverage.WORLDS["Platt, 10 classes"](draws).score[0] == before).all()
    first, second = (
        paired_coverage.WORLDS["vector, 10 classes"](draws).score for _ in range(2)
    )
    assert (first != second).mean() > 0.9


@pytest.mark.parametrize(("n", "basic"), [(300, 2), (5001, 0)])
def test_an_interval_is_tried_as_often_as_the_row_says(n, basic, monkeypatch):
    """Of the intervals that are drawn every second one holds the truth."""
    ends = iter([(-1, 1), (1, 2)] * 3)
    world = top_pairs(Q, FIRST, SECOND)
    monkeypatch.setattr(paired_coverage, "N_TRIALS", 4)
    monkeypatch.setattr(paired_coverage, "N_BASIC", 2)
    asked = []

    def interval(score, hit, clusters, method, rng):
        asked.append((method, score.shape, clusters))
        return next(ends)

    monkeypatch.setattr(paired_coverage, "interval", interval)
    row = paired_coverage.coverage("a world", world, n, 1)
    assert (row["split_trials"], row["basic_trials"]) == (4, basic)
    assert [method for method, *_ in asked].count("basic") == basic
    assert {shape for _, shape, _ in asked} == {(2, n)}
    # split and basic take turns in the first two trials
    assert (row["split"], row["basic"]) == ((0.75, 0.0) if basic else (0.5, None))


def test_a_network_is_off_by_a_factor_and_an_offset_of_each_class(draws):
    q, logits = paired_coverage.truth_and_logits(
        3, draws.rng, factor=2, sharp=1.5, shift=0.5
    )
    true = np.log(q) - np.log(q[:, :1])
    said = logits / 2 - logits[:, :1] / 2
    offsets = said - true
    assert np.ptp(offsets, axis=0) == pytest.approx([0, 0, 0], abs=1e-9)
    assert np.abs(offsets[0, 1:]).min() > 0.01
    # a difference of two logits has twice their variance
    assert true[:, 1].std() == pytest.approx(1.5 * np.sqrt(2), rel=0.05)


def test_gaps_that_swing_change_their_sign_at_each_tenth(draws):
    score, truth = paired_coverage.WORLDS["accuracy that swings"](draws).score
    tenth = ((score - 0.5) * 10).astype(int)
    assert (np.sign(truth - score) == np.where(tenth % 2, -1, 1)).all()
    largest = (np.abs(truth - score) / (1 - score)).max()
    assert 0.13 < largest <= 0.15 + 1e-12


def test_the_stored_table_has_the_worlds_sizes_and_trials_of_the_study():
    stored = load_results("paired_coverage")
    assert {*stored["world"]} == {*paired_coverage.WORLDS}
    assert {*stored["n"]} == {*paired_coverage.SIZES, paired_coverage.CLUSTERED}
    assert {*stored["cluster"]} == {1, paired_coverage.CLUSTER}
    assert {*stored["split_trials"]} == {paired_coverage.N_TRIALS}
    assert {*stored["basic_trials"]} == {paired_coverage.N_BASIC, 0}
