"""Proper scores against literal loops and identities."""

import loops
import numpy as np
import pytest
from cases import case, draw

import calib


@case
def test_nll_and_brier_are_the_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    weights = np.random.default_rng(1).integers(0, 4, n)
    weights[0] = 2
    for w in (None, weights):
        kwargs = {"sample_weight": w}
        assert calib.brier(y, p, **kwargs) == pytest.approx(loops.brier(y, p, w), abs=1e-12)
        if (p[np.arange(n), y] > 0).all():
            assert calib.nll(y, p, **kwargs) == pytest.approx(loops.nll(y, p, w), rel=1e-12)


def test_nll_is_infinite_where_the_label_had_probability_zero():
    assert calib.nll([0, 1], [[0.0, 1.0], [0.5, 0.5]]) == np.inf


def test_float32_scores_are_summed_in_float64():
    y, p = draw(1000, 5)
    p = p.astype(np.float32)
    assert calib.nll(y, p) == pytest.approx(loops.nll(y, p), rel=1e-12)
    assert calib.brier(y, p) == pytest.approx(loops.brier(y, p), rel=1e-12)
