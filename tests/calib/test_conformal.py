"""Prediction sets: the promise kept by simulation, whatever the probabilities, and by hand."""

import numpy as np
import pytest
from draws import FACTORS, uneven_weights, votes

import calib

SCORES = ["lac", "aps", "raps"]
TYPES = (np.float64, np.float32, np.float16)


def draw(n, seed, temperature=1.0, n_classes=5):
    rng = np.random.default_rng(seed)
    z = 2 * rng.normal(size=(n, n_classes))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return calib.softmax(z / temperature), y


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("temperature", [0.2, 1.0, 5.0])
def test_coverage_is_as_promised_whatever_the_calibration(score, temperature):
    """Mean coverage of n = 39, c = 0.9 is 36/40 exactly where scores do not tie."""
    hits = []
    for seed in range(144):
        p, y = draw(139, seed, temperature)
        rng = np.random.default_rng(seed)
        sets = calib.ConformalSets(score, randomize=score != "lac").fit(
            p[:39], y[:39], rng=rng
        )
        hits.append(calib.set_coverage(y[39:], sets.predict(p[39:], rng=rng)))
    assert np.mean(hits) == pytest.approx(0.9, abs=4 * np.std(hits) / 12)


def test_coverage_given_the_calibration_set_is_a_beta():
    """With n calibration samples and l = ceil((n + 1) c), its law is Beta(l, n + 1 - l)."""
    rng = np.random.default_rng(0)
    covered = []
    for _ in range(3000):
        scores = rng.random(19)  # score of a label: uniform
        p = np.column_stack([1 - scores, scores])
        covered.append(
            calib.ConformalSets(coverage=0.8).fit(p, np.zeros(19)).threshold_
        )
    assert np.mean(covered) == pytest.approx(16 / 20, abs=0.006)
    assert np.var(covered) == pytest.approx(16 * 4 / 20**2 / 21, rel=0.1)


def test_by_hand():
    p = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]])
    for options, expected in (
        ({"score": "lac"}, 1 - p),
        ({"score": "aps"}, [[0.5, 0.8, 1], [1, 0.6, 0.9]]),
        (
            {"score": "raps", "penalty": 0.1, "free": 1},
            [[0.5, 0.9, 1.2], [1.2, 0.6, 1.0]],
        ),
    ):
        scores = calib.ConformalSets(**options).scores(p)
        np.testing.assert_allclose(scores, expected, atol=1e-15)


def test_higher_coverage_gives_sets_that_hold_the_others_and_lac_sets_are_smallest():
    p, y = draw(20_000, 0)
    sizes = {}
    for score in SCORES:
        fitted = (
            calib.ConformalSets(score, c).fit(p[:10_000], y[:10_000])
            for c in (0.8, 0.95)
        )
        small, large = (sets.predict(p[10_000:]) for sets in fitted)
        assert (large >= small).all() and large.sum() > small.sum()
        sizes[score] = large.sum()
    assert sizes["lac"] == min(sizes.values())


@pytest.mark.parametrize("within", ["classes", "groups"])
def test_each_part_is_covered_as_promised(within):
    """Of all together, a hard class or group is covered less than another; of its own, as often."""
    p, y = draw(30_000, 1, n_classes=3)
    group = y if within == "classes" else np.where(p.max(axis=1) > 0.9, "sure", "not")
    p = p * [1.0, 1.0, 0.1 if within == "classes" else 1.0]
    p /= p.sum(axis=1, keepdims=True)
    fit, new = slice(None, 15_000), slice(15_000, None)

    def named(rows):
        return {"groups": group[rows]} if within == "groups" else {}

    whole = calib.ConformalSets().fit(p[fit], y[fit]).predict(p[new])
    fitted = calib.ConformalSets(within=within).fit(p[fit], y[fit], **named(fit))
    sets = fitted.predict(p[new], **named(new))
    assert len(fitted.threshold_) == len(np.unique(group))
    spread = []
    for label in np.unique(group):
        rows = group[new] == label
        assert calib.set_coverage(y[new][rows], sets[rows]) == pytest.approx(
            0.9, abs=0.015
        )
        spread.append(calib.set_coverage(y[new][rows], whole[rows]))
    assert np.ptp(spread) > 0.05


def test_too_few_samples_promise_nothing():
    fitted = calib.ConformalSets(coverage=0.9).fit(*draw(8, 0))
    assert fitted.threshold_ == np.inf and fitted.predict(draw(8, 0)[0]).all()
    assert calib.ConformalSets(coverage=0.9).fit(*draw(9, 0)).threshold_ < np.inf


NAMED = {"groups": ["a", "b"] * 10}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "best"}, "score: 'best'"),
        ({"coverage": 90}, "coverage: 90"),
        ({"score": "aps", "randomize": True}, "rng: None"),
        ({"score": "aps", "randomize": "yes"}, "randomize: 'yes'"),
        ({"score": "raps", "penalty": -1}, "penalty: -1"),
        ({"within": "groups"}, "groups: None"),
        ({"within": "rows"}, "within: 'rows'"),
    ],
)
def test_refusals(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        calib.ConformalSets(**options).fit(*draw(20, 0))


def test_refusals_of_sets_and_of_new_samples():
    p, y = draw(20, 0)
    ungrouped, grouped = calib.ConformalSets(), calib.ConformalSets(within="groups")
    with pytest.raises(ValueError, match="is not fitted"):
        ungrouped.predict(p)
    ungrouped.fit(p, y)
    grouped.fit(p, y, **NAMED)
    for call, message in (
        (lambda: calib.set_coverage(y, p), "sets: float64"),
        (lambda: ungrouped.predict([[0.25] * 4]), "4 classes, expected 5"),
        (
            lambda: grouped.predict(p, groups=["a", "c"] * 10),
            "groups: c, expected one of those of",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_a_rank_that_is_whole_but_for_rounding_takes_no_further_sample():
    """Of 99 samples 0.55 are 55 of 100, which floats make 55.00000000000001."""
    odd = np.arange(1, 100) / 100
    sets = calib.ConformalSets(coverage=0.55).fit(
        np.column_stack([1 - odd, odd]), np.zeros(99, int)
    )
    assert 100 * 0.55 > 55
    assert sets.threshold_ == pytest.approx(0.55, abs=1e-3)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("coverage", [0.7, 0.8, 0.95])
def test_sets_keep_their_promise_in_every_type(score, coverage):
    """What covered 0.812 instead of 0.95 in float32, and 0.678 instead of 0.70."""
    (p, y), (q, labels) = votes(4000, 4, 10, 0), votes(8000, 4, 10, 1)
    for fitted_to in TYPES:
        sets = calib.ConformalSets(score, coverage=coverage).fit(p.astype(fitted_to), y)
        expected = sets.predict(q)
        assert calib.set_coverage(labels, expected) >= coverage - 0.01
        for narrow in TYPES:
            np.testing.assert_array_equal(sets.predict(q.astype(narrow)), expected)


@pytest.mark.parametrize("factor", FACTORS)
def test_a_factor_of_all_weights_changes_no_set(factor):
    (p, y), weight = draw(200, 0), uneven_weights(200)
    expected = calib.ConformalSets().fit(p, y, weight).threshold_
    threshold = calib.ConformalSets().fit(p, y, factor * weight).threshold_
    assert threshold == pytest.approx(expected) and np.isfinite(threshold)
