"""Confidence less accuracy, group by group."""

import numpy as np
import pytest
from scipy.special import stdtr, stdtrit
from tempered_models import of_pairs

import calib
from calib_report.measuring import by_group


def test_gaps_of_groups_with_few_clusters_hold_the_truth():
    """A calibrated source whose hits rise and fall together in each of six clusters a group."""
    rng, covered = np.random.default_rng(0), []
    group = np.repeat(["a", "b"], 120)
    cluster = np.repeat(np.arange(12), 20)
    for _ in range(120):
        shift = rng.normal(scale=0.15, size=12)[cluster]
        hit = (rng.random(240) < 0.5 + np.clip(shift, -0.5, 0.5)).astype(int)
        rows = by_group.group_table(
            *[of_pairs(np.full(240, 0.5), hit, cluster)] * 2, group
        )
        covered += [row["before"]["low"] < 0 < row["before"]["high"] for row in rows]
    assert 0.92 < np.mean(covered) < 0.985


@pytest.mark.parametrize("clusters", [None, np.arange(1200)], ids=["rows", "clusters"])
def test_the_best_guess_of_a_gap_lies_between_the_gap_and_those_of_all(clusters):
    """Three groups too sure, by .05, .1 and .15: each guess is nearer to .1, and too sure."""
    group = np.repeat(["a", "b", "c"], 400)
    share = np.repeat([0.75, 0.7, 0.65], 400)
    hit = (np.arange(1200) % 400 < 400 * share).astype(int)
    pairs = of_pairs(np.full(1200, 0.8), hit, clusters)
    first, middle, last = by_group.group_table(pairs, pairs, group)
    assert 0.05 < first["before"]["best_guess"] < 0.1
    assert middle["before"]["best_guess"] == pytest.approx(0.1, abs=0.003)
    assert 0.1 < last["before"]["best_guess"] < 0.15


def test_copies_as_clusters_change_no_guess_at_a_gap():
    rng = np.random.default_rng(5)
    score, group = rng.random(900), rng.integers(0, 6, 900)
    hit = (rng.random(900) < np.clip(score + 0.08 * (group - 2.5), 0, 1)).astype(int)
    once = by_group.group_table(*[of_pairs(score, hit, np.arange(900))] * 2, group)
    ten = [np.repeat(a, 10) for a in (score, hit, group, np.arange(900))]
    copies = by_group.group_table(*[of_pairs(ten[0], ten[1], ten[3])] * 2, ten[2])
    for a, b in zip(once, copies, strict=True):
        assert a["before"]["best_guess"] == pytest.approx(
            b["before"]["best_guess"], rel=1e-6
        )


def test_p_values_of_groups_of_clusters_are_students_and_holms():
    """Of three groups of eight clusters each: t has seven degrees of freedom."""
    rng = np.random.default_rng(9)
    group, cluster = np.repeat(["a", "b", "c"], 80), np.repeat(np.arange(24), 10)
    hit = (rng.random(240) < np.repeat([0.5, 0.6, 0.7], 80)).astype(int)
    outcome = of_pairs(np.full(240, 0.5), hit, cluster)
    rows = [row["before"] for row in by_group.group_table(outcome, outcome, group)]
    value, high = ([row[name] for row in rows] for name in ("value", "high"))
    error = (np.array(high) - value) / stdtrit(7, 0.975)
    expected = calib.holm(2 * stdtr(7, -np.abs(value) / error))
    assert [row["p_value"] for row in rows] == pytest.approx(expected)


def test_the_variance_of_a_group_of_one_cluster_counts_as_one():
    """Excesses of 1 and -1: Q is 2, so that the true gaps have a variance of 1, and half stays."""
    score, hit = np.repeat([1.0, 0.0], 2), np.repeat([0, 1], 2)
    outcome, group = of_pairs(score, hit, hit), np.repeat(["a", "b"], 2)
    rows = by_group.group_table(outcome, outcome, group)
    assert [row["before"]["value"] for row in rows] == [1, -1]
    assert [row["before"]["best_guess"] for row in rows] == pytest.approx([0.5, -0.5])
    # of one cluster nothing is known, so that none is flagged
    assert not any(row["before"]["flagged"] for row in rows)


def test_the_excess_of_a_group_by_hand():
    """Four answers said with 0.75, of which two are right: too sure by a quarter."""
    hit = np.array([1, 1, 0, 0, 1, 1, 1, 0])
    outcome, group = of_pairs(np.full(8, 0.75), hit), np.repeat(["b", "a"], 4)
    first, second = by_group.group_table(outcome, outcome, group)
    assert (first["group"], first["samples"], first["accuracy"]) == ("a", 4, 0.75)
    assert (first["before"]["value"], second["before"]["value"]) == (0, 0.25)
    # the interval has one middle
    ends = second["before"]["low"] + second["before"]["high"]
    assert ends == pytest.approx(0.5)
