"""Values and options that once gave a wrong number, a foreign error or a machine without memory."""

import time

import numpy as np
import pytest

import calib

RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((200, 3))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)
SCORE = RNG.random(200)
HIT = RNG.random(200) < SCORE
UNEQUAL = [[0.5, 0.5], [1.0]]


class Raises:
    def __array__(self, *_, **__):
        raise KeyError("from __array__")


def weighted(weight):
    return calib.BBQ().fit(SCORE, HIT, sample_weight=np.full(200, weight))


def grouped(groups):
    return calib.group_errors(HIT, SCORE, groups)


REFUSED = [
    (lambda: calib.ece(HIT, SCORE, n_bins=10**9), "n_bins: 1000000000, expected"),
    (lambda: calib.equal_mass(10**9), "n_bins: 1000000000"),
    (
        lambda: calib.calibration_error(HIT, SCORE, bins=calib.equal_mass),
        "bins: <function equal_mass",
    ),
    (
        lambda: calib.reliability_diagram(HIT, SCORE, bins=calib.equal_width),
        "bins: <function equal_width",
    ),
    (lambda: weighted(1e90), "sample_weight: the weights stand for"),
    (lambda: weighted(1e300), "sample_weight: the weights sum to"),
    (lambda: calib.ece(Raises(), SCORE), "y_true: not an array"),
    (lambda: calib.classwise_diagrams(Y, P, classes=[]), "classes: none"),
    (lambda: grouped([*"ab" * 99, "a", None]), "groups: row 199 is None"),
    (lambda: grouped(np.ma.masked_equal(np.arange(200) % 3, 1)), "groups: a masked array"),
    (lambda: grouped([["a"], ["b"]] * 100), "groups: shape"),
    (lambda: calib.save_map(3, "map.json"), "int is not a map of calib"),
    (lambda: calib.load_map(3), "path: 3, expected the path of a file"),
    (lambda: calib.load_map(""), "path: '', expected the path of a file"),
    (
        lambda: calib.save_map(calib.TemperatureScaling().fit(Z, Y), "map.json", classes=["a"]),
        "classes: .*expected 3 different names",
    ),
    (lambda: calib.bootstrap(calib.nll, [0, 1], UNEQUAL, rng=0), "y_prob: not an array"),
    (lambda: calib.spiegelhalter_test([0, 1], UNEQUAL), "y_prob: not an array of numbers"),
    (lambda: calib.reliability_diagram([0, 1], UNEQUAL), "y_prob: not an array of numbers"),
    (lambda: calib.spiegelhalter_test(Y, P, view="top_label"), "view: 'top_label'"),
    (lambda: calib.reliability_diagram(Y, P, view=3), "view: 3"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_is_refused_by_name(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_heavy_weights_do_not_make_bbq_slow():
    start = time.process_time()
    heavy = weighted(1e6)
    assert time.process_time() - start < 3
    assert len(heavy.n_bins_) <= 1000
