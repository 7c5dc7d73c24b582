"""Seals: a check can tell a right answer, and does not hold it.

A seal is a slow digest of the right answer. A number is known by the cell of a grid that it lies
in; the grid is as wide as the tolerance and the right number lies in the middle of its cell, so
that neither the grid nor the digest tells which cell that is. To try all cells takes longer than
the exercise.
"""

import base64
import hashlib
import hmac
import json
from typing import Any

import numpy as np

from book.show.exercises import MISTAKES
from book.show.labs import seed_text
from evidence.data import data_folder

ROUNDS = 50_000  # of the digest: some hundredths of a second
EVERYBODY = "everybody"  # the seals of numbers that are not drawn for a student
FINEST = 1e-9  # a tolerance, relative and absolute, that rounding does not reach


def grid(value: Any, tolerance: Any) -> tuple[float, np.ndarray]:
    """Return the width of cells in whose middles values lie, and by how much each is moved.

    A move is kept as one of 200 parts of the width. ValueError where the smallest number, but 0,
    would be judged to less than a hundredth of it and to less than its tolerance.
    """
    value = np.asarray(value, float)
    tolerance = np.min(tolerance, initial=np.inf)
    finest = FINEST * (1 + np.abs(value).max(initial=0))
    smallest = np.abs(value[value != 0]).min(initial=np.inf)
    if finest > max(tolerance, smallest / 100):
        raise ValueError(
            f"{smallest:g} beside {finest / FINEST:g} cannot be judged: one grid for both "
            f"takes {smallest:g} for all that is within {finest:g} of it; compare them apart"
        )
    width = 2 * max(tolerance, finest)
    moved = np.mod(value - width / 2, width) / width
    return float(width), (200 * moved).round().astype(np.uint8)


def grid_cells(value: Any, width: float, moved: Any) -> str:
    """Return which cells values lie in."""
    # rounded first: at the edge of a cell the last bits would decide
    place = np.floor(
        (np.asarray(value, float) / width - np.asarray(moved, float) / 200).round(6)
    )
    return " ".join(f"{number:.0f}" for number in np.ravel(place))


def is_array(value: Any) -> bool:
    """Return whether a value is an array, or a Series whose index only counts: 0, 1, 2 ..."""
    if not hasattr(value, "iloc"):
        return hasattr(value, "tolist")
    index = np.asarray(value.index)
    counts = index.dtype.kind in "iu" and np.array_equal(index, range(len(index)))
    return counts and hasattr(value, "tolist")  # a frame has none


def canonical_text(value: Any) -> str:
    """Return one text for all ways to write a value that are equal in Python."""
    if is_array(value):
        value = value.tolist()  # a number of Python where it is one
    if isinstance(value, bool | int | float):
        return repr(float(value) + 0.0)  # -0.0 is 0.0
    if isinstance(value, set | frozenset):
        return f"set {sorted(map(canonical_text, value))}"
    if isinstance(value, dict):
        pairs = (
            f"{canonical_text(key)}: {canonical_text(item)}"
            for key, item in value.items()
        )
        return f"dict {sorted(pairs)}"
    if isinstance(value, list | tuple | range):
        return f"sequence {[canonical_text(item) for item in value]}"
    return repr(value)


def slow_digest(text: str, salt: str) -> str:
    return _stretched(text.encode(), salt.encode()).hex()[:32]


def _stretched(text: bytes, salt: bytes) -> bytes:
    """Return the first 32 bytes of PBKDF2."""
    if hasattr(hashlib, "pbkdf2_hmac"):
        return hashlib.pbkdf2_hmac("sha256", text, salt, ROUNDS)
    # in a page Python has no OpenSSL: the same by hand
    part = hmac.digest(text, salt + bytes([0, 0, 0, 1]), "sha256")
    total = int.from_bytes(part)
    for _ in range(ROUNDS - 1):
        part = hmac.digest(text, part, "sha256")
        total ^= int.from_bytes(part)
    return total.to_bytes(32)


class Seal:
    """The seals of an exercise, asked for in the order in which its check compares."""

    def __init__(self, label: str, seals: list[dict[str, Any]] | None = None) -> None:
        if seals is None:
            path = data_folder().parent / "seals" / f"{seed_text() or EVERYBODY}.json"
            seals = json.loads(path.read_text(encoding="utf-8"))[label]
        self.seals = iter(seals)

    def near(self, value: Any, what: str, message: str = "") -> None:
        """Raise AssertionError unless numbers are the right ones within their tolerance."""
        seal = next(self.seals)
        number = np.asarray(value, float)
        if list(number.shape) != seal["shape"]:
            expected = f"expected {tuple(seal['shape'])}"
            _refuse(message, f"{what} has the shape {number.shape}, {expected}")
        if np.isnan(number).any():
            _refuse(message, f"{what} holds NaN")
        if not _opens(seal, number):
            kinds = (
                mistake for change, mistake in MISTAKES if _opens(seal, change(number))
            )
            _refuse(message, f"{what} {next(kinds, 'is not right')}")

    def same(self, value: Any, what: str, message: str = "") -> None:
        """Raise AssertionError unless a value is equal to the right one."""
        seal = next(self.seals)
        if slow_digest(canonical_text(value), seal["salt"]) != seal["digest"]:
            _refuse(message, f"{what} is not right")


def _opens(seal: dict[str, Any], number: np.ndarray) -> bool:
    if not np.isfinite(number).all():
        return False
    moved = np.frombuffer(base64.b64decode(seal["moved"]), np.uint8).reshape(
        number.shape
    )
    return (
        slow_digest(grid_cells(number, seal["width"], moved), seal["salt"])
        == seal["digest"]
    )


def _refuse(message: str, fault: str) -> None:
    raise AssertionError(": ".join(filter(None, (message, fault))))
