"""Values that once gave a wrong number, a foreign error or a machine without memory."""

import time

import numpy as np
import pytest

import calib
from calib.plots import classwise_diagrams

RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((200, 3))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)
SCORE = RNG.random(200)
HIT = RNG.random(200) < SCORE


class Raises:
    def __array__(self, *_, **__):
        raise KeyError("from __array__")


def own_metric(y_true, y_prob):
    return float(np.mean(y_prob[:, 0]))


def not_a_number(y_true, y_prob):
    return np.nan


REFUSED = {
    "a billion bins": (lambda: calib.ece(HIT, SCORE, n_bins=10**9), "n_bins: 1000000000, expected"),
    "a billion bins of equal mass": (lambda: calib.equal_mass(10**9), "n_bins: 1000000000"),
    "equal_mass without a number": (
        lambda: calib.calibration_error(HIT, SCORE, bins=calib.equal_mass),
        "bins: <function equal_mass",
    ),
    "equal_width without a number": (
        lambda: calib.reliability_diagram(HIT, SCORE, bins=calib.equal_width),
        "bins: <function equal_width",
    ),
    "weights that no sample has": (
        lambda: calib.BBQ().fit(SCORE, HIT, sample_weight=np.full(200, 1e90)),
        "sample_weight: the weights stand for",
    ),
    "weights beyond all numbers": (
        lambda: calib.BBQ().fit(SCORE, HIT, sample_weight=np.full(200, 1e300)),
        "sample_weight: the weights sum to",
    ),
    "an error inside __array__": (lambda: calib.ece(Raises(), SCORE), "y_true: not an array"),
    "mismatched lengths": (
        lambda: calib.bootstrap(own_metric, Y[:5], P, rng=np.random.default_rng(0)),
        "y_prob: 200 rows, expected 5 as in y_true",
    ),
    "a metric that is not a number": (
        lambda: calib.bootstrap(not_a_number, Y, P, rng=np.random.default_rng(0)),
        "metric: not_a_number is not a number",
    ),
    "no classes to draw": (lambda: classwise_diagrams(Y, P, classes=[]), "classes: none"),
    "a group without a name": (
        lambda: calib.group_errors(HIT, SCORE, [*"ab" * 99, "a", None]),
        "groups: row 199 is None",
    ),
    "masked groups": (
        lambda: calib.group_errors(HIT, SCORE, np.ma.masked_equal(np.arange(200) % 3, 1)),
        "groups: a masked array",
    ),
    "a coverage of none": (
        lambda: calib.risk_coverage(HIT, SCORE).risk_at(0),
        "coverage: 0, expected a share above 0",
    ),
    "a map that is none": (lambda: calib.save_map(3, "map.json"), "int is not a map of calib"),
    "a path that is none": (lambda: calib.load_map(3), "path: 3, expected the path of a file"),
    "names of fewer classes": (
        lambda: calib.save_map(calib.TemperatureScaling().fit(Z, Y), "map.json", classes=["a"]),
        "classes: .*expected 3 different names",
    ),
    "a path without a name": (lambda: calib.load_map(""), "path: '', expected the path of a file"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_is_refused_by_name(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_scores_that_rounding_puts_above_one_have_a_smooth_ece():
    assert calib.smooth_ece([0], [1.00005]) == pytest.approx(calib.smooth_ece([0], [1.0]), abs=1e-4)


def test_all_answers_kept_have_the_risk_of_all():
    assert calib.risk_coverage(HIT, SCORE).risk_at(1.0) == pytest.approx(1 - HIT.mean())


def test_heavy_weights_do_not_make_bbq_slow():
    start = time.process_time()
    heavy = calib.BBQ().fit(SCORE, HIT, sample_weight=np.full(200, 1e6))
    assert time.process_time() - start < 3
    assert len(heavy.n_bins_) <= 1000


def test_no_weights_may_be_said_twice():
    once = calib.bootstrap(calib.nll, Y, P, n_resamples=50, rng=np.random.default_rng(0))
    said = calib.bootstrap(
        calib.nll, Y, P, n_resamples=50, rng=np.random.default_rng(0), sample_weight=None
    )
    assert once == said


@pytest.mark.parametrize("method", ["basic", "percentile"])
def test_an_infinite_loss_has_an_infinite_interval(method):
    p = np.array(P)
    p[3] = np.eye(3)[(Y[3] + 1) % 3]
    found = calib.bootstrap(
        calib.nll, Y, p, n_resamples=50, method=method, rng=np.random.default_rng(0)
    )
    assert (found.value, found.low, found.high) == (np.inf, np.inf, np.inf)
    assert np.isnan(found.standard_error)
