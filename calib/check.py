"""Labels, probabilities, logits, pairs and weights, each checked in one place.

Every check returns an array and raises an error that names the argument, the value and the row.
Nothing is clipped, normalised or dropped. Public functions check what they are given, once; what
they call takes checked arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from calib.constants import ATOL_HALF, MASKED_BELOW
from calib.conversion import from_library, is_bfloat16
from calib.matrices import row_blocks

Weights = ArrayLike | None  # an option of a function

HEAVIEST = 1e100  # weight of a sample, or other number; sums of products stay finite
MOST_RESAMPLES = 1_000_000
# by bytes of a number; float16 has none as low, so that there minus infinity alone masks a class
MASKED: dict[int, float] = {2: -65504, 4: MASKED_BELOW, 8: MASKED_BELOW}
# how far the sum of a row of probabilities may be from one; float16
ATOL = 1e-4
ADVICE = "; names in the order of the columns make numbers of them: [names.index(v) for v in y]"
ONE_COLUMN = "; of p, that of the second of two classes, numpy.column_stack([1 - p, p]) makes two"
NOT_LOGITS = "probabilities (softmax turns logits into probabilities)"
PROBABILITIES = (
    "{}: these are probabilities; name them so, or take calib.as_logits(y_prob)"
)


class Pairs(NamedTuple):
    """Scores, hits and weights that are checked; a metric takes them in place of `y_true`.

    Nothing checks them again, and no `sample_weight` stands beside them.

    Attributes
    ----------
    score, weight : ndarray of float, shape (n,)
        The weight may be None. Where a metric counts samples its `frequency_weights` says whether
        it is a number of repetitions; with `Metric.formula_with`, and so in a resample, it is.
    hit : ndarray of bool, shape (n,)
    """

    score: np.ndarray
    hit: np.ndarray
    weight: np.ndarray | None = None


class Vectors(NamedTuple):
    """Labels, probabilities and weights that are checked, of the metrics of whole vectors.

    Nothing checks them again, and no `sample_weight` stands beside them.

    Attributes
    ----------
    y : ndarray of int, shape (n,)
    p : ndarray of float, shape (n, K)
    weight : ndarray of float, shape (n,), or None
    """

    y: np.ndarray
    p: np.ndarray
    weight: np.ndarray | None = None

    @classmethod
    def of(
        cls,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        names: tuple[str, str] = ("y_true", "y_prob"),
    ) -> Vectors:
        """Return labels and probabilities checked; an error calls them by these names."""
        p = matrix(y_prob, names[1])
        y = labels(y_true, p.shape[1], n=len(p), name=names[0])
        for _ in probability_blocks(p, name=names[1]):
            pass
        return cls(y, p)


def labels(
    y_true: ArrayLike, n_classes: int, *, n: int | None = None, name: str = "y_true"
) -> np.ndarray:
    """Return labels, intp of shape (n,): integers below `n_classes`, also booleans or floats."""
    y = _vector(y_true, name, n, ADVICE)
    expected = f"an integer from 0 to {n_classes - 1}"
    # the negation takes in NaN, with which every comparison is false
    _refuse_rows(~((y >= 0) & (y < n_classes)), y, name, expected)
    numbers = y.astype(np.intp, copy=False)
    # pandas makes floats of whole numbers as soon as one of a column is missing
    if y.dtype.kind == "f":
        _refuse_rows(numbers != y, y, name, expected)
    return numbers


def probabilities(
    y_prob: ArrayLike, *, atol: float | None = None, name: str = "y_prob"
) -> np.ndarray:
    """Return probabilities, shape (n, K), K >= 2; types of floats are kept, others made float64.

    Each row sums to one within `atol`: 1e-4 by default, 1e-2 for float16 and bfloat16.
    """
    p = matrix(y_prob, name, ONE_COLUMN)
    for _ in probability_blocks(p, atol=atol, name=name):
        pass
    return p


def probability_blocks(
    p: np.ndarray, *, atol: float | None = None, name: str = "y_prob"
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (first row, block of rows), each checked as in :func:`probabilities`."""
    may_be_coarse, atol = atol is None, _tolerance(atol, p.dtype)
    # a product with ones sums short rows quicker than numpy; of float16 it would keep three digits
    ones = np.ones(p.shape[1], p.dtype if p.dtype != np.float16 else np.float32)
    for start, rows in row_blocks(p):
        # what is not finite is named below, with its row, in the place of a warning by numpy
        with np.errstate(invalid="ignore", over="ignore"):
            total = rows @ ones
            off = np.abs(total - 1)
        if not (rows.min() >= 0 and off.max() <= atol):
            _refuse_entries(~(rows >= 0), start, rows, name, NOT_LOGITS)
            # numpy has no bfloat16: it comes as float32 whose rows sum as roughly
            if may_be_coarse and is_bfloat16(p):
                may_be_coarse, atol = False, ATOL_HALF
            if not off.max() <= atol:
                row = np.flatnonzero(~(off <= atol))[0]
                fault = f"row {start + row} sums to {total[row]:.9g}"
                raise ValueError(f"{name}: {fault}, expected 1 within {atol:g}")
        yield start, rows


def vectors(
    y_true: ArrayLike | Vectors,
    y_prob: ArrayLike,
    sample_weight: Weights = None,
    *,
    rows: bool = True,
) -> Vectors:
    """Return labels, probabilities and weights; `rows` may be left to `probability_blocks`."""
    if isinstance(y_true, Vectors):
        refuse_second_weights(sample_weight)
        return y_true
    if isinstance(y_true, Pairs):
        raise TypeError("y_true: Pairs, expected Vectors, or labels")
    p = probabilities(y_prob) if rows else matrix(y_prob, "y_prob", ONE_COLUMN)
    y = labels(y_true, p.shape[1], n=len(p))
    return Vectors(y, p, weights(sample_weight, len(y)))


def logit_rows(logits: ArrayLike, *, name: str = "logits") -> np.ndarray:
    """Return logits, shape (n, K), K >= 2, in any units: rows may be shifted.

    -inf, and any number below -1e30, masks a class of a row, as is usual with language models: its
    probability is zero, and its logit becomes -inf.
    """
    z = matrix(logits, name)
    lowest, any_masked = MASKED[z.dtype.itemsize], False
    expected = f"at most {-lowest:g}, or -inf for a mask"
    for start, rows in row_blocks(z):
        # the reductions of one row are quicker than its max and min
        if not np.maximum.reduce(rows, axis=None) <= -lowest:
            # also where one is not a number
            _refuse_entries(~(rows <= -lowest), start, rows, name, expected)
        if np.minimum.reduce(rows, axis=None) < lowest:
            any_masked, empty = True, rows.max(axis=1) < lowest
            if empty.any():
                raise ValueError(
                    f"{name}: row {start + empty.argmax()} has only masked classes"
                )
    return np.where(z < lowest, -np.inf, z) if any_masked else z


def refuse_probabilities(logits: np.ndarray, name: str) -> None:
    """Refuse probabilities that are called logits, also coarsely rounded: softmax flattens them."""
    # logits of which none is negative and each row sums to one do not occur
    if (
        logits.min() >= 0
        and np.abs(logits.sum(axis=1, dtype=np.float64) - 1).max() <= ATOL_HALF
    ):
        raise ValueError(PROBABILITIES.format(name))


def scores(
    score: ArrayLike, *, atol: float | None = None, name: str = "score"
) -> np.ndarray:
    """Return scores as float64, shape (n,), numbers from 0 to 1 + `atol`."""
    s = _vector(score, name)
    top = 1 + _tolerance(atol, s.dtype)
    s = s.astype(np.float64, copy=False)
    # two reductions first: which rows are bad is only asked where one is
    if not (s.min() >= 0 and s.max() <= top):
        _refuse_rows(~((s >= 0) & (s <= top)), s, name, "a number from 0 to 1")
    return s


def pairs(
    score: ArrayLike,
    hit: ArrayLike,
    weight: Weights = None,
    *,
    atol: float | None = None,
    names: tuple[str, str, str] = ("score", "hit", "sample_weight"),
) -> Pairs:
    """Return scores as float64, to 1 + `atol`, hits, 0 or 1, as bool, and weights, if any."""
    s = scores(score, atol=atol, name=names[0])
    h = _vector(hit, names[1], len(s))
    if h.dtype != bool:
        _refuse_rows((h != 0) & (h != 1), h, names[1], "0 or 1")
        h = h != 0
    return Pairs(s, h, weights(weight, len(s), name=names[2]))


def weights(
    sample_weight: Weights, n: int, *, name: str = "sample_weight"
) -> np.ndarray | None:
    """Return weights as float64, shape (n,), finite, not negative, not all zero, or None."""
    if sample_weight is None:
        return None
    w = _vector(sample_weight, name, n).astype(np.float64, copy=False)
    _refuse_rows(~((w >= 0) & (w < np.inf)), w, name, "a finite number, not negative")
    # so that squares of weights, and quotients by their sum, stay finite
    if w.sum() < 1 / HEAVIEST or w.max() > HEAVIEST:
        what = "more than zero" if w.sum() < 1 else f"no weight above {HEAVIEST:g}"
        raise ValueError(f"{name}: the weights sum to {w.sum():g}, expected {what}")
    return w


def refuse_second_weights(sample_weight: Weights) -> None:
    """Refuse weights beside pairs or vectors, which hold their own."""
    if sample_weight is not None:
        raise ValueError(
            "sample_weight: given beside Pairs or Vectors, expected those that they hold"
        )


def refuse_weights(checked: Pairs | Vectors) -> None:
    """Refuse pairs or vectors with weights, of which a test or an interval knows nothing."""
    if checked.weight is not None:
        raise ValueError(
            f"y_true: {type(checked).__name__} with weights, expected none"
        )


@overload
def sample_counts(weight: np.ndarray, frequency_weights: bool) -> np.ndarray: ...


@overload
def sample_counts(weight: None, frequency_weights: bool) -> None: ...


def sample_counts(
    weight: np.ndarray | None, frequency_weights: bool
) -> np.ndarray | None:
    """Return weights whose sum is a number of samples: as they are where they are repetitions.

    Others are scaled to sum to Kish's effective number, (sum of w)^2 / (sum of w^2), so that equal
    weights are ones.
    """
    if flag(frequency_weights, "frequency_weights") or weight is None:
        return weight
    # equal weights are ones to the last digit
    relative = weight / weight.max()
    return relative * (relative.sum() / (relative @ relative))


def count(value: int, name: str, *, low: int = 1, high: int | None = None) -> int:
    """Check an integer option such as a number of bins."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name}: {value!r}, expected an integer")
    if value < low or (high is not None and value > high):
        expected = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name}: {value}, expected an integer {expected}")
    return int(value)


def number(value: float, name: str) -> float:
    """Check that an option is a real number."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name}: {value!r}, expected a number")
    return float(value)


def nonnegative(value: float, name: str) -> float:
    """Check a real option that must be finite and not negative."""
    if not 0 <= number(value, name) <= HEAVIEST:
        raise ValueError(f"{name}: {value!r}, expected a number from 0 to {HEAVIEST:g}")
    return float(value)


def positive(value: float, name: str) -> float:
    """Check a real option that must be finite and positive."""
    if nonnegative(value, name) < 1 / HEAVIEST:
        raise ValueError(
            f"{name}: {value!r}, expected a positive number, from {1 / HEAVIEST:g}"
        )
    return float(value)


def fraction(value: float, name: str) -> float:
    """Check a real option that must lie between 0 and 1."""
    if not 1 / HEAVIEST <= number(value, name) < 1:
        raise ValueError(f"{name}: {value!r}, expected a number between 0 and 1")
    return float(value)


def flag(value: object, name: str) -> bool:
    """Check an option that is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: {value!r}, expected True or False")
    return bool(value)


def rng(rng: object) -> np.random.Generator:
    """Return a generator of random numbers, from one or from the integer that seeds it."""
    if isinstance(rng, Integral) and not isinstance(rng, bool):
        return np.random.default_rng(count(int(rng), "rng", low=0))
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng: {rng!r}, expected a numpy.random.Generator or an integer"
        )
    return rng


def names(values: ArrayLike, name: str, n: int | None = None) -> np.ndarray:
    """Return what tells samples apart, numbers or text of one type, as an array of shape (n,).

    What is missing, not a number or empty text, is no name: samples without one are not alike.
    """
    if np.ma.is_masked(values):
        raise ValueError(
            f"{name}: a masked array, expected a name or number for each sample"
        )
    try:
        array = np.asarray(values)
    except Exception as error:  # an object's own __array__ may raise anything
        raise ValueError(f"{name}: not an array ({error})") from None
    _refuse_other_types(array, name)
    if array.ndim != 1 or n not in (None, len(array)):
        raise ValueError(
            f"{name}: shape {array.shape}, expected ({'n' if n is None else n},)"
        )
    # what is not a number is not equal to itself
    missing = array == "" if array.dtype.kind in "OUT" else array != array
    if missing.any():
        row = int(missing.argmax())
        raise ValueError(
            f"{name}: row {row} is {str(array[row])!r}, expected a name or number"
        )
    return array


def _refuse_other_types(names: np.ndarray, name: str) -> None:
    """Refuse objects of which one is no text: two types that look alike are two names."""
    if names.dtype.kind != "O":
        return
    for row, entry in enumerate(names.ravel()):
        if not isinstance(entry, str):
            raise ValueError(
                f"{name}: row {row} is {entry!r}, expected text as in the others"
            )


def choice(value: str, name: str, choices: tuple[str, ...]) -> str:
    """Check an option that is one of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            f"{name}: {value!r}, expected one of {', '.join(map(repr, choices))}"
        )
    return value


def path(value: str | PathLike[str], name: str) -> Path:
    """Check the path of a file: text, or what `os.PathLike` is."""
    if not isinstance(value, str | PathLike):
        raise TypeError(f"{name}: {value!r}, expected the path of a file")
    if not Path(value).name:
        raise ValueError(f"{name}: {value!r}, expected the path of a file")
    return Path(value)


def as_array(values: ArrayLike, name: str, advice: str = "") -> np.ndarray:
    """Return an array of numbers; anything else is refused by name."""
    if np.ma.isMaskedArray(values):
        raise ValueError(
            f"{name}: a masked array, expected an array without masked entries"
        )
    try:
        array = np.asarray(from_library(values))
    except Exception as error:  # an object's own __array__ may raise anything
        raise ValueError(f"{name}: not an array of numbers ({error})") from None
    if array.dtype.kind not in "biuf":
        advice = advice if array.dtype.kind in "US" else ""
        raise ValueError(
            f"{name}: an array of type {array.dtype}, expected numbers{advice}"
        )
    return array


def matrix(values: ArrayLike, name: str, advice: str = "") -> np.ndarray:
    """Return numbers of shape (n, K), K >= 2: floats as they are, others as float64."""
    array = as_array(values, name)
    if array.ndim != 2 or array.shape[0] < 1 or array.shape[1] < 2:
        advice = advice if array.ndim == 1 or array.shape[1:] == (1,) else ""
        raise ValueError(
            f"{name}: shape {array.shape}, expected (n >= 1, K >= 2){advice}"
        )
    is_float = array.dtype.kind == "f" and array.dtype.itemsize <= 8
    return array if is_float else array.astype(np.float64)


def _vector(
    values: ArrayLike, name: str, n: int | None = None, advice: str = ""
) -> np.ndarray:
    array = as_array(values, name, advice)
    expected = "n >= 1" if n is None else n
    if array.ndim != 1 or array.size == 0 or (n is not None and len(array) != n):
        raise ValueError(f"{name}: shape {array.shape}, expected ({expected},)")
    return array


def _tolerance(atol: float | None, dtype: np.dtype[Any]) -> float:
    if atol is None:
        return ATOL_HALF if dtype == np.float16 else ATOL
    return nonnegative(atol, "atol")


def _refuse_rows(bad: np.ndarray, values: np.ndarray, name: str, expected: str) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"{name}: row {row} is {values[row]:.7g}, expected {expected}")


def _refuse_entries(
    bad: np.ndarray, start: int, rows: np.ndarray, name: str, expected: str
) -> None:
    if bad.any():
        row, column = np.argwhere(bad)[0]
        fault = f"row {start + row} holds {rows[row, column]:g} in column {column}"
        raise ValueError(f"{name}: {fault}, expected {expected}")
