"""Which files are called suspect: no honest one, most damaged ones, with the likely cause."""

from itertools import permutations

import numpy as np
import pytest
from report.suspicions import (
    DAMAGES,
    GOOD,
    classes,
    false_alarms,
    is_suspect,
    missed_alarms,
    rare,
)
from scipy.stats import norm

from calib_report import read
from calib_report.model_outputs import ModelOutputs
from calib_report.suspicion import association, suspicion


def cause(y, p, **options):
    finding = suspicion(ModelOutputs(y, probabilities=p, **options))
    return finding and finding.cause


def no_relation(y, p):
    """The rule of a test of independence, to which a weak test is an alarm."""
    relation = association(y, p)
    return relation is None or norm.sf(relation.seen) > 0.01


def test_mean_and_variance_are_those_of_all_orders_of_the_labels():
    rng = np.random.default_rng(1)
    p, y = rng.dirichlet(np.ones(3), size=6), np.array([0, 1, 1, 2, 0, 1])
    sums = [p[np.arange(6), list(order)].sum() for order in permutations(y)]
    expected = (p[np.arange(6), y].sum() - np.mean(sums)) / np.std(sums)
    assert association(y, p).seen == pytest.approx(expected)


def test_the_claim_is_what_labels_of_the_probabilities_reach():
    rng = np.random.default_rng(2)
    relations = [association(*classes(rng, 1000, 5, 1.0)) for _ in range(40)]
    ratio = np.mean([r.seen for r in relations]) / np.mean(
        [r.claimed for r in relations]
    )
    assert ratio == pytest.approx(1, abs=0.03)


def test_honest_files_are_not_suspect():
    """Of 121 at most one; a test of independence calls a tenth of them suspect."""
    _, alarms = false_alarms(121, np.random.default_rng(3))
    assert alarms.total() <= 1
    _, alarms = false_alarms(121, np.random.default_rng(3), no_relation)
    assert alarms.total() > 5


def test_damaged_files_are_suspect():
    """Labels in any order pass where a few hundred samples claim little, and only there."""
    _, passed = missed_alarms(100, np.random.default_rng(4))
    assert passed.total() <= 8
    assert passed["turned round"] + passed["columns permuted"] == 0


@pytest.mark.parametrize("name", DAMAGES)
def test_the_likely_cause_is_said(name):
    rng = np.random.default_rng(5)
    two, four = (
        GOOD[world](rng, 3000) for world in ("2 classes", "4 classes, too sure")
    )
    expected = {
        "rows shuffled": {"rows in another order"},
        "rows off by one": {"rows moved"},
        "turned round": {"turned round", "columns moved"},
        "columns permuted": {
            "turned round",
            "columns moved",
            "labels counted from another number",
        },
    }
    for y, p in (two, four):
        assert cause(y, p) is None
        assert cause(*DAMAGES[name](y, p, rng)) in expected[name]


def test_two_swapped_columns_of_ten_are_named():
    y, p = classes(np.random.default_rng(6), 2000, 10, 2.0)
    swapped = p[:, [0, 1, 2, 4, 3, 5, 6, 7, 8, 9]]
    names = [*"abcdefghij"]
    told = suspicion(ModelOutputs(y, probabilities=swapped, class_names=names)).sentence
    assert "'d' fits the column of 'e'; 'e' fits the column of 'd'" in told


def test_a_confidence_that_is_an_uncertainty_is_suspect_and_one_that_knows_nothing_is_not():
    rng = np.random.default_rng(7)
    sure = rng.uniform(0.5, 1, 1000)
    right = (rng.random(1000) < sure).astype(int)
    of_pairs = {"task": "pairs"}
    assert cause(right, np.column_stack([sure, 1 - sure]), **of_pairs) == "turned round"
    assert cause(right, np.column_stack([1 - sure, sure]), **of_pairs) is None
    assert (
        cause(rng.permutation(right), np.column_stack([1 - sure, sure]), **of_pairs)
        is None
    )


def test_nothing_is_said_where_scores_are_all_alike_or_samples_are_few():
    y = np.arange(100) % 2
    assert cause(y, np.full((100, 2), 0.5)) is None
    assert cause(1 - y[:19], np.eye(2)[y[:19]] * 0.8 + 0.1) is None
    assert cause(1 - y[:20], np.eye(2)[y[:20]] * 0.8 + 0.1) == "turned round"


def test_labels_of_one_class_are_told_by_its_name(tmp_path):
    (tmp_path / "one.csv").write_text("label,p_a,p_b\nb,0.3,0.7\nb,0.4,0.6\n")
    assert "all of one class, b:" in read(tmp_path / "one.csv").notes[0]


def test_a_rare_event_with_thirteen_cases_is_no_reason():
    rng = np.random.default_rng(8)
    assert not any(is_suspect(*rare(rng, 1000, 0.012)) for _ in range(20))
