"""Priors of classes, where the truth is known."""

import numpy as np
import pytest
from stored_rows import same_of_source

import calib
from evidence.studies.parts.worlds_with_other_priors import NewWorld
from evidence.studies.promises import class_priors


def test_priors_by_the_confusion_matrix():
    """With a known confusion it is inverted."""
    rng = np.random.default_rng(0)
    confusion = np.array([[0.8, 0.3], [0.2, 0.7]])
    y_own, y = (
        rng.integers(2, size=50_000),
        (rng.random(50_000) < 0.9).astype(int),
    )
    says = [(rng.random(len(t)) < confusion[1, t]).astype(int) for t in (y_own, y)]
    result = class_priors.confusion_priors(
        np.eye(2)[says[0]], y_own, np.eye(2)[says[1]]
    )
    assert result == pytest.approx([0.1, 0.9], abs=0.02)


@pytest.mark.shared
def test_a_source_is_computed_again(monkeypatch):
    source = "ferrer-pneumonia-resnet50"
    same_of_source(class_priors.in_new_worlds, source, "class_priors", monkeypatch)


def test_a_confusion_that_names_a_class_too_seldom_ends_inside_the_simplex():
    """All of the new world is called the class that all of the old called the other."""
    p_own, y_own = np.eye(2)[[0, 0, 1, 1]], np.array([0, 0, 1, 0])
    result = class_priors.confusion_priors(p_own, y_own, np.eye(2)[[0, 0]])
    assert result.min() >= 0 and result.sum() == pytest.approx(1)
    assert result[0] == 1


@pytest.fixture(scope="module")
def world():
    """A calibrated network of two classes of which the new world has the first more often."""
    rng = np.random.default_rng(5)
    z = 2 * rng.normal(size=(4000, 2))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    fit, others = np.arange(2000), np.arange(2000, 4000)
    weight = np.where(y[others] == 0, 4.0, 1.0)
    chosen = rng.choice(others, 2000, p=weight / weight.sum())
    new = np.bincount(y[others], weight) / weight.sum()
    old = np.bincount(y[fit]) / 2000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_priors, "MAPS", {"none": None})
        rows = [*class_priors.in_world(z, y, NewWorld(fit, chosen, old, new))]
    assert {calibrator for calibrator, *_ in rows} == {"none"}
    return (
        {way: row for _, way, row in rows},
        calib.softmax(z[chosen]),
        y[chosen],
        new,
    )


def test_a_network_that_knows_the_new_priors_is_best(world):
    rows, p, y, _ = world
    assert rows["as it is"]["nll"] == pytest.approx(calib.nll(y, p))
    assert rows["as it is"]["confidence"] == p.max(axis=1).mean()
    assert rows["known"]["nll"] < rows["as it is"]["nll"] - 0.02
    for way in ("EM", "EM, one more a class"):
        assert rows[way]["nll"] == pytest.approx(rows["known"]["nll"], abs=0.01)


def test_an_error_of_priors_is_half_the_sum_over_classes(world):
    rows, p, _, new = world
    result = rows["mean"]["prior_error"]
    assert result == pytest.approx(abs(p.mean(axis=0)[0] - new[0]))
    assert rows["EM"]["prior_error"] < result > rows["confusion"]["prior_error"]


def test_one_sample_more_a_class_draws_the_estimate_to_the_middle(world):
    """(2000 p + 1) / 2002 is nearer to a half by 1/1001 of the way."""
    rows, _, _, new = world
    estimates = [
        new[0] + sign * rows[way]["prior_error"]
        for way in ("EM", "EM, one more a class")
        for sign in (-1, 1)
    ]
    assert any(
        more - 0.5 == pytest.approx((em - 0.5) / 1.001, abs=1e-9)
        for em in estimates[:2]
        for more in estimates[2:]
    )


def test_only_em_has_intervals_and_estimates_alone_have_no_metrics(world):
    rows = world[0]
    assert [way for way in rows if "covered" in rows[way]] == ["EM"]
    assert "nll" not in rows["mean"] and "prior_error" not in rows["known"]


def test_over_worlds_means_deviations_and_gains_are_told():
    values = [{"accuracy": 0.75, "nll": 2.0}, {"accuracy": 0.5, "nll": 1.0}]
    unchanged = [{"accuracy": 0.5, "nll": 1.5}, {"accuracy": 0.5, "nll": 1.5}]
    row = class_priors.over_worlds(values, unchanged)
    assert (row["accuracy"], row["nll"]) == (0.625, 1.5)
    assert row["nll_sd"] == pytest.approx(np.sqrt(0.5))
    assert (row["accuracy_better"], row["nll_better"]) == (0.5, 0.5)
    assert row["prior_error"] == row["covered_sd"] == ""
