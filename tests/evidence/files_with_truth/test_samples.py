"""Samples and their truths agree with each other."""

import numpy as np
import pytest

import calib
from evidence.files_with_truth import samples


def test_labels_are_drawn_with_the_probabilities_that_are_stated():
    drawn = samples.Samples.drawn(50_000, 1.0, 2, np.random.default_rng(0))
    assert np.array_equal(drawn.logits, drawn.logits.round(2))
    assert drawn.hit.mean() == pytest.approx(drawn.top.mean(), abs=0.008)
    assert calib.classwise_ece(drawn.y, drawn.prob) < 0.01


def test_the_same_classes_in_another_order_have_their_columns():
    y, p = samples.IN_OTHER_ORDER
    rows = np.arange(samples.N)
    assert np.array_equal(p[rows, y], samples.P[rows, samples.Y])
    assert np.array_equal(np.sort(p), np.sort(samples.P)) and (y != samples.Y).all()


def test_truths_of_one_event_are_of_the_same_event():
    y, p = samples.BINARY
    assert np.array_equal(p[:, 1], samples.P[:, 1]) and np.array_equal(
        y, samples.Y == 1
    )
    swapped, q = samples.SWAPPED
    assert np.array_equal(swapped, 1 - y) and np.array_equal(q[:, 0], p[:, 1])
    hit, stated = samples.STATED
    assert np.array_equal(hit, samples.P.argmax(axis=1) == samples.Y)
    np.testing.assert_allclose(stated[:, 1], samples.P.max(axis=1), atol=5e-4)


def test_marked_samples_are_those_whose_label_is_there():
    assert np.array_equal(samples.UNMARKED[samples.MARKED], samples.OF_MARKED[0])
    assert set(samples.UNMARKED[~samples.MARKED]) == {-100}
