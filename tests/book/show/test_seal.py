"""Seals: what opens one, what does not, and what is said of a mistake."""

import base64
import hashlib

import numpy as np
import pandas as pd
import pytest

from book.show.seal import Seal, canonical_text, grid, grid_cells, slow_digest


def seal_of(right, tolerance=0.01):
    """A seal of numbers, as `recorded_seals` writes it."""
    width, moved = grid(right, tolerance)
    digest = slow_digest(grid_cells(right, width, moved), "salt")
    place = {"width": width, "moved": base64.b64encode(moved.tobytes()).decode()}
    return place | {"shape": list(np.shape(right)), "salt": "salt", "digest": digest}


def fault_of(value, right, tolerance=0.01):
    """What is said of a value, "" where it opens the seal."""
    try:
        Seal("ex", [seal_of(right, tolerance)]).near(value, "mean")
    except AssertionError as fault:
        return str(fault)
    return ""


def test_a_right_number_lies_in_the_middle_of_a_cell_as_wide_as_twice_its_tolerance():
    width, moved = grid([0.3, 7.0], 0.01)
    assert width == 0.02
    for nearly in ([0.3094, 6.9906], [0.2906, 7.0094]):
        assert grid_cells(nearly, width, moved) == grid_cells([0.3, 7.0], width, moved)
    assert grid_cells([0.311, 7.0], width, moved) != grid_cells([0.3, 7], width, moved)


@pytest.mark.parametrize(
    ("value", "tolerance"),
    [
        ([1e-8, 1.0], 1e-8),  # within its tolerance, which is coarser than the finest
        ([1.0, 0.0], 0.0),  # to a hundredth of the smallest number: 0 is none
        ([1e-6, 1.0], 0.0),
    ],
)
def test_numbers_are_judged_to_their_tolerance_or_to_a_hundredth(value, tolerance):
    width, moved = grid(value, tolerance)
    assert width == pytest.approx(2 * max(tolerance, 2e-9))  # of the largest, 1
    assert len(moved) == len(value)


@pytest.mark.parametrize("value", [[2e-8, -1.0], [-2e-8, 1.0]])
def test_a_number_too_small_for_the_grid_of_a_large_one_is_refused(value):
    # judged to 2e-9, ten times a hundredth of the smaller number
    with pytest.raises(ValueError, match="2e-08 beside 2 cannot be judged"):
        grid(value, 1e-10)


def test_what_is_within_the_tolerance_opens_a_seal():
    assert fault_of(0.3094, 0.3) == fault_of([0.3, 0.4], [0.3, 0.4]) == ""


@pytest.mark.parametrize(
    ("value", "right", "said"),
    [
        (0.32, 0.3, "mean is not right"),
        (-0.3, 0.3, "mean has the other sign"),
        (30.0, 0.3, "mean is 100 times too large"),
        (0.7, 0.3, "mean is one less the right one"),
        ([0.3, 0.3], 0.3, r"mean has the shape (2,), expected ()"),
        (np.nan, 0.3, "mean holds NaN"),
        (np.inf, 0.3, "mean is not right"),
    ],
)
def test_a_wrong_number_is_told_by_its_mistake(value, right, said):
    assert fault_of(value, right) == said


def test_seals_are_asked_for_in_their_order_and_a_message_comes_first():
    seals = Seal("ex", [seal_of(1.0), seal_of(2.0)])
    seals.near(1.0, "first")
    with pytest.raises(AssertionError, match=r"^the sum: second is not right$"):
        seals.near(5.0, "second", "the sum")


SAME = [
    (1, True, 1.0, np.float64(1), np.array(1), np.True_),
    (-0.0, 0, False),
    ([1, 2.5], (1.0, 2.5), np.array([1, 2.5]), pd.Series([1, 2.5])),
    ([0, 1, 2], range(3)),
    ({2, 1}, frozenset([1.0, 2.0])),
    ({"a": 1, "b": (2,)}, {"b": [2.0], "a": True}),
]


def test_values_that_are_equal_in_python_have_one_text_and_others_have_another():
    texts = [{canonical_text(value) for value in values} for values in SAME]
    assert [len(one) for one in texts] == [1] * len(SAME)
    others = ["1", None, {1, 2, 3}, [2.5, 1], {"a": 1}, [1, 2]]
    assert len(set.union(*texts, *({canonical_text(one)} for one in others))) == 12


def test_a_page_without_openssl_stretches_alike(monkeypatch):
    expected = slow_digest("text", "salt")
    monkeypatch.delattr(hashlib, "pbkdf2_hmac")
    assert slow_digest("text", "salt") == expected
    assert slow_digest("text", "other") != expected
