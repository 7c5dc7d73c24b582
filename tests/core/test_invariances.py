"""What changes no metric: order of samples, order of classes, weights for repetitions, layout."""

import numpy as np
import pytest
from cases import draw, draw_weights
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import calib

METRICS = [metric.function for metric in calib.METRICS.values()]
REPEATABLE = [m.function for m in calib.METRICS.values() if m.weights_repeat]
PARTS = st.sampled_from([0, 1e-300, 1e-12, 0.1, 0.25, 0.5, 1, 2, 5, 100])
few = settings(max_examples=30, deadline=None)


@st.composite
def predictions(draw):
    """Labels and probabilities with ties, zeros and ones; classes without samples."""
    n, n_classes = draw(st.integers(1, 10)), draw(st.integers(2, 5))
    rows = st.lists(PARTS, min_size=n_classes, max_size=n_classes).filter(any)
    parts = np.array(draw(st.lists(rows, min_size=n, max_size=n)))
    y = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    return np.array(y), parts / parts.sum(axis=1, keepdims=True)


def same(found):
    return pytest.approx(found, rel=1e-9, abs=1e-12)


@few
@given(predictions(), st.randoms(use_true_random=False))
def test_order_of_samples(data, random):
    y, p = data
    order = random.sample(range(len(y)), len(y))
    for metric in METRICS:
        assert metric(y[order], p[order]) == same(metric(y, p)), metric.__name__


@few
@given(predictions(), st.randoms(use_true_random=False))
def test_order_of_classes(data, random):
    y, p = data
    one_top = np.sum(p == p.max(axis=1, keepdims=True), axis=1) == 1
    order = np.array(random.sample(range(p.shape[1]), p.shape[1]))
    y, p = y[one_top], p[one_top]
    assume(len(y))
    for metric in METRICS:
        assert metric(np.argsort(order)[y], p[:, order]) == same(metric(y, p)), metric.__name__


@few
@given(predictions(), st.data())
def test_weights_are_repetitions(data, drawn):
    y, p = data
    weights = st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)).filter(any)
    w = np.array(drawn.draw(weights))
    for metric in REPEATABLE:
        repeated = metric(np.repeat(y, w), np.repeat(p, w, axis=0))
        assert metric(y, p, sample_weight=w) == same(repeated), metric.__name__


@few
@given(predictions())
def test_layout_in_memory(data):
    y, p = data
    spread = np.repeat(np.repeat(p, 2, axis=0), 3, axis=1)[::2, ::3]
    for metric in METRICS:
        assert metric(y, np.asfortranarray(p)) == same(metric(y, p)), metric.__name__
        assert metric(y, spread) == same(metric(y, p)), metric.__name__


def test_weights_are_repetitions_where_a_sweep_ends_early():
    y, p = draw(300, 3)
    w = draw_weights(300)
    repeated = calib.sweep_ece(np.repeat(y, w), np.repeat(p, w, axis=0))
    assert calib.sweep_ece(y, p, sample_weight=w) == same(repeated)


@few
@given(predictions())
def test_range(data):
    for name, metric in calib.METRICS.items():
        assert -1e-12 <= metric.function(*data) <= metric.largest + 1e-12, name
