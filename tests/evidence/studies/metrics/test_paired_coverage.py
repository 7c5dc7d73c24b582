"""Two models on the same samples: what is drawn has the truth that is said."""

import numpy as np
import pytest

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
