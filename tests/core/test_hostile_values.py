"""Values and options that once gave a wrong number, a foreign error or a machine without memory."""

import time

import numpy as np
import pytest
from cases import Raises
from maps import network, pairs

import calib

Z, Y = network(200, 3)
P = calib.softmax(Z)
SCORE, HIT = pairs(200)
UNEQUAL = [[0.5, 0.5], [1.0]]


def weighted(weight):
    return calib.BBQ().fit(SCORE, HIT, sample_weight=np.full(200, weight))


ECE, DIAGRAM, GROUPS = calib.ece, calib.reliability_diagram, calib.group_errors
MASKED = np.ma.masked_equal(np.arange(200) % 3, 1)
REFUSED = [
    (ECE, (HIT, SCORE), {"n_bins": 10**9}, "n_bins: 1000000000, expected"),
    (calib.equal_mass, (10**9,), {}, "n_bins: 1000000000"),
    (calib.calibration_error, (HIT, SCORE), {"bins": calib.equal_mass}, "bins: <function equal_m"),
    (DIAGRAM, (HIT, SCORE), {"bins": calib.equal_width}, "bins: <function equal_width"),
    (weighted, (1e90,), {}, "sample_weight: the weights stand for"),
    (weighted, (1e300,), {}, "sample_weight: the weights sum to"),
    (ECE, (Raises(), SCORE), {}, "y_true: not an array"),
    (calib.classwise_diagrams, (Y, P), {"classes": []}, "classes: none"),
    (GROUPS, (HIT, SCORE, [*"ab" * 99, "a", None]), {}, "groups: row 199 is None"),
    (GROUPS, (HIT, SCORE, MASKED), {}, "groups: a masked array"),
    (GROUPS, (HIT, SCORE, [["a"], ["b"]] * 100), {}, "groups: shape"),
    (calib.save_map, (3, "map.json"), {}, "int is not a map of calib"),
    (calib.load_map, (3,), {}, "path: 3, expected the path of a file"),
    (calib.load_map, ("",), {}, "path: '', expected the path of a file"),
    (calib.bootstrap, (calib.nll, [0, 1], UNEQUAL), {"rng": 0}, "y_prob: not an array"),
    (calib.spiegelhalter_test, ([0, 1], UNEQUAL), {}, "y_prob: not an array of numbers"),
    (DIAGRAM, ([0, 1], UNEQUAL), {}, "y_prob: not an array of numbers"),
    (calib.spiegelhalter_test, (Y, P), {"view": "top_label"}, "view: 'top_label'"),
    (DIAGRAM, (Y, P), {"view": 3}, "view: 3"),
]


@pytest.mark.parametrize(("call", "given", "options", "message"), REFUSED)
def test_is_refused_by_name(call, given, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call(*given, **options)


def test_heavy_weights_do_not_make_bbq_slow():
    start = time.process_time()
    heavy = weighted(1e6)
    assert time.process_time() - start < 3
    assert len(heavy.n_bins_) <= 1000
