"""A number is one number: in float64, float32 and float16, in C and Fortran order, in any rows."""

import numpy as np
import pytest
from draws import votes
from hypothesis import given, settings
from hypothesis import strategies as st
from maps import SCORE_MAPS

import calib
from calib.maps.base import clone

COARSE = 1e-3  # float16 rounds a probability by half of this
EACH_SCORE_MAP = [
    *SCORE_MAPS,
    calib.HistogramBinning(5, strategy="mass"),
    calib.VennAbers(n_folds=3),
]
EACH = [
    wrapper(m) for m in EACH_SCORE_MAP for wrapper in (calib.OneVsRest, calib.RankWise)
]
EACH += [calib.TemperatureScaling(), calib.StructuredMatrixScaling()]
TYPES = (np.float64, np.float32, np.float16)


@pytest.mark.parametrize("name", calib.METRICS)
@settings(max_examples=5, deadline=None)
@given(st.sampled_from([3, 5, 10, 15, 100]), st.integers(0, 10**6))
def test_a_metric_of_one_table_is_one_number(name, n_trees, seed):
    p, y = votes(300, 3, n_trees, seed)
    metric = calib.METRICS[name].function
    if name == "nll":
        p = (n_trees * p + 1) / (n_trees + 3)
    expected = metric(y, p)
    for narrow in TYPES[1:]:
        q = np.asfortranarray(p.astype(narrow))
        # of a root, a logarithm, a curve between two points
        slack = 20 * float(np.finfo(narrow).eps)
        assert metric(y, q) == pytest.approx(expected, rel=slack, abs=slack)
        if narrow is np.float32:
            assert metric(y, q.astype(np.float64)) == pytest.approx(
                expected, rel=slack, abs=slack
            )


@pytest.mark.parametrize("calibrator", EACH_SCORE_MAP, ids=repr)
@pytest.mark.parametrize("fitted_to", TYPES)
def test_a_map_of_one_score_gives_one_number(calibrator, fitted_to):
    """Five votes, a share of hits of half the score; what was .21 off in float32."""
    rng = np.random.default_rng(0)
    score = rng.choice([0.2, 0.4, 0.6, 0.8], 4000)
    hit = rng.random(4000) < score / 2
    expected = clone(calibrator).fit(score, hit).predict([0.2, 0.4, 0.6, 0.8])
    np.testing.assert_allclose(expected, [0.1, 0.2, 0.3, 0.4], atol=0.03)
    fitted = clone(calibrator).fit(score.astype(fitted_to), hit)
    for narrow in TYPES:
        given_in = np.array([0.2, 0.4, 0.6, 0.8], narrow)
        np.testing.assert_allclose(fitted.predict(given_in), expected, atol=4 * COARSE)
        one_by_one = [fitted.predict(given_in[i : i + 1])[0] for i in range(4)]
        np.testing.assert_allclose(one_by_one, fitted.predict(given_in), 1e-12)
    np.testing.assert_allclose(
        fitted.predict([1 - 0.8, 3 * 0.2]), expected[[0, 2]], atol=4 * COARSE
    )


@pytest.mark.parametrize("calibrator", EACH, ids=repr)
@settings(max_examples=4, deadline=None)
@given(st.sampled_from([5, 10, 100]), st.integers(0, 10**6))
def test_a_map_of_vectors_gives_one_table(calibrator, n_trees, seed):
    p, y = votes(400, 3, n_trees, seed)
    p = (n_trees * p + 1) / (n_trees + 3)  # no zero, whose floor differs by type
    z = calib.as_logits(p)
    fitted = clone(calibrator).fit(z, y)
    expected = fitted.predict_proba(z)
    for narrow in TYPES:
        q = calib.as_logits(np.asfortranarray(p.astype(narrow)), atol=0.01)
        slack = {np.float64: 1e-9, np.float32: 1e-4, np.float16: 0.05}[narrow]
        np.testing.assert_allclose(fitted.predict_proba(q), expected, atol=slack)
        for row in range(3):
            alone = fitted.predict_proba(q[row : row + 1])
            np.testing.assert_allclose(
                alone, fitted.predict_proba(q)[row : row + 1], atol=1e-12
            )


@pytest.mark.parametrize("calibrator", EACH, ids=repr)
@pytest.mark.parametrize("fitted_to", TYPES[:2])
def test_what_is_written_the_same_is_mapped_the_same(calibrator, fitted_to):
    """Of two decimals 0.2 became up to five numbers, and maps told them apart."""
    p, y = votes(3000, 4, 20, 0)
    z = calib.as_logits(p.astype(fitted_to))
    for order in (np.ascontiguousarray, np.asfortranarray):
        fitted = clone(calibrator).fit(order(z), y)
        np.testing.assert_allclose(
            fitted.predict_proba(order(z)), fitted.predict_proba(z), 1e-12
        )
    if isinstance(calibrator, calib.OneVsRest):
        first = np.round(20 * p[:, 0])
        scores = np.exp(z[:, 0])
        values = fitted.maps_[0].predict(np.minimum(scores, 1))
        for vote in np.unique(first):
            assert np.ptp(values[first == vote]) < 1e-12


def test_an_equal_mass_map_has_no_empty_bin_above_the_last_tie():
    rng = np.random.default_rng(0)
    score = rng.choice(
        [0.5, 0.6, 0.7, 0.8, 0.9], p=[0.1, 0.1, 0.2, 0.3, 0.3], size=2000
    )
    hit = rng.random(2000) < 0.5 * score
    for calibrator in (
        calib.ScalingBinning(calib.PlattScaling()),
        calib.HistogramBinning(15, "mass"),
    ):
        fitted = clone(calibrator).fit(score, hit)
        at, above = fitted.predict([0.9, 0.91])
        assert at == above == pytest.approx(hit[score == 0.9].mean(), abs=0.01)
    misses = calib.ScalingBinning(calib.PlattScaling()).fit([0.1, 0.2, 0.3], [0, 0, 0])
    np.testing.assert_allclose(misses.predict([0.0, 0.2, 1.0]), 0.2)


@pytest.mark.parametrize("wrapper", [calib.OneVsRest, calib.RankWise, calib.TopLabel])
def test_large_decision_values_keep_their_order(wrapper):
    """A softmax makes ones of them; the AUC fell from 0.875 to 0.8."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=3000)
    y = (rng.random(3000) < 1 / (1 + np.exp(-2 * x))).astype(int)
    z = 1e5 * np.column_stack([-x, x])
    fitted = wrapper(calib.PlattScaling()).fit(z, y)
    assert fitted.temperature_ > 1e4
    if wrapper is calib.TopLabel:
        p, order = fitted.predict_score(z), np.abs(x)
    else:
        p, order = fitted.predict_proba(z)[:, 1], x
    assert (np.diff(p[np.argsort(order)]) > 0).mean() > 0.99
    small = wrapper(calib.PlattScaling()).fit(z / 1e5, y)
    assert small.temperature_ == 1
    rescaled = (
        small.predict_score(z / 1e5)
        if wrapper is calib.TopLabel
        else small.predict_proba(z / 1e5)[:, 1]
    )
    np.testing.assert_allclose(p, rescaled, atol=0.02)
