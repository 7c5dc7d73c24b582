"""Views against literal loops."""

import loops
import numpy as np
import pytest
from draws import draw, each_draw

import calib


@each_draw
def test_views_are_the_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    views = [
        (calib.top_label, loops.top_label(y, p)),
        (calib.one_vs_rest(1), loops.one_vs_rest(y, p, 1)),
        (calib.top_r(2), loops.top_r(y, p, 2)),
        (calib.within_top_r(2), loops.within_top_r(y, p, 2)),
        (calib.top_r(1), loops.top_label(y, p)),
        (calib.within_top_r(1), loops.top_label(y, p)),
    ]
    for view, pairs in views:
        score, hit = view(y, p)
        assert score.dtype == np.float64
        assert hit.dtype == bool
        np.testing.assert_allclose(score, [s for s, _ in pairs], rtol=0, atol=1e-15)
        assert hit.tolist() == [bool(h) for _, h in pairs]
    for view in (calib.top_r, calib.within_top_r, calib.one_vs_rest):
        with pytest.raises(ValueError, match="expected an integer from"):
            view(n_classes + 1)(y, p)


def test_long_input_is_worked_on_in_blocks():
    rng, n = np.random.default_rng(0), 65_537
    p = calib.softmax(rng.normal(size=(n, 3)).astype(np.float32))
    p[n // 2], y = 1 / 3, rng.integers(0, 3, n)  # a tie in one block
    score, hit = calib.top_label(y, p)
    np.testing.assert_array_equal([score, hit], [p.max(axis=1), p.argmax(axis=1) == y])


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (lambda y, p: (np.array([0.5, 7.0]), np.array([1, 0])), "score: row 1 is 7"),
        (lambda y, p: (np.array([0.5, 0.7]), np.array([1, 2])), "hit: row 1 is 2"),
        (lambda y, p: (np.array([0.5, 0.7]), np.array([1])), "hit: shape"),
    ],
)
def test_what_a_view_of_ones_own_returns_is_checked(view, message):
    with pytest.raises(ValueError, match=message):
        calib.ks_error([0, 1], [[0.5, 0.5], [0.3, 0.7]], view=view)
