"""Scores as they stand in a file become logits or probabilities of all classes, or are refused."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

from dataclasses import dataclass
from math import sqrt

import numpy as np

from calib import is_bfloat16
from calib.constants import ATOL_HALF, LARGE_ARRAY
from calib_report.contract import (
    PATTERNS,
    Doubter,
    Note,
    NotSaidError,
    OptionError,
    ReadingError,
    ScoreKind,
)
from calib_report.limits import FEWEST_TO_TELL
from calib_report.options import MOST_ATOL, Options

UNITS = (100.0, 255.0, 1000.0)  # parts that people write probabilities in
ROUNDING = 1e-6  # by which float32 may leave [0, 1]
# share of numbers outside [0, 1] that are slips, and no other kind of scores
FEW_OUTSIDE = 0.05
NO_NEED = 1e-4  # off one, within which no row is divided by its sum


@dataclass(frozen=True, eq=False)
class Scores:
    """Logits or probabilities, (n, K), and what is to be told of them."""

    values: np.ndarray
    kind: ScoreKind
    notes: tuple[Note, ...] = ()


def scores_of(
    array: np.ndarray,
    kind: ScoreKind | None,
    options: Options,
    doubter: Doubter,
    names: list[str],
) -> Scores:
    """Return checked scores; `kind` is what their name says, which an option overrules."""
    if array.dtype.kind not in "biuf" or array.size == 0 or array.ndim not in (1, 2):
        raise ReadingError(
            f"scores: shape {array.shape} of {array.dtype}, expected numbers (n, K)"
        )
    kind = options.kind or kind
    if options.percent:
        _doubt_grades(array, options.percent, names[0], doubter)
        array, kind = _fractions(array, options.percent, names[0]), "probabilities"
    refuse_nan(array, kind)
    # a logit of 0 or 1 is one like any other
    if "logits" not in (kind, options.kind):
        _refuse_decisions(array)
    if array.size == len(array):
        return _scores_of_one_column(
            array.reshape(-1), kind, options, doubter, names[0]
        )
    return _scores_of_class_columns(array, kind, options)


def _doubt_grades(
    array: np.ndarray, percent: float, name: str, doubter: Doubter
) -> None:
    high = array.max()
    if percent <= 10 and high <= 10 and _holds_whole_numbers(array):
        doubter.raise_or_note(
            f"{name!r} holds whole numbers up to {high:g}, as grades are"
        )


def _holds_whole_numbers(array: np.ndarray) -> bool:
    return bool((np.round(array) == array).all())


def _fractions(array: np.ndarray, percent: float, name: str) -> np.ndarray:
    if array.max() <= 1 and PATTERNS["percent"].search(name) is None:
        problem = (
            f"no number of {name!r} is more than 1, so these are fractions already"
        )
        raise OptionError("percent", problem)
    return array / percent


def refuse_nan(array: np.ndarray, kind: ScoreKind | None) -> None:
    if np.isnan(array.min()):
        row = np.argwhere(np.isnan(array))[0][0]
        raise ReadingError(
            f"{kind or 'scores'}: row {row} holds nan: it is empty, or no number"
        )


def _refuse_decisions(array: np.ndarray) -> None:
    """Refuse scores of which each is 0 or 1, unless all are the same: a confidence of 1."""
    # the first rows alone tell most arrays apart, without a look at all of a large one
    if not _are_marks(array[:1000]) or array.max() != 1 or not _are_marks(array):
        return
    is_one_claim = array.size == len(array) and len(np.unique(array)) == 1
    if not is_one_claim:
        raise ReadingError(
            "scores hold only 0 and 1: these are decisions, not probabilities; "
            "if others are in the file, --scores NAME"
        )


def _are_marks(array: np.ndarray) -> bool:
    return bool(np.isin(array, (0, 1)).all())


def _scores_of_one_column(
    column: np.ndarray,
    kind: ScoreKind | None,
    options: Options,
    doubter: Doubter,
    name: str,
) -> Scores:
    """Read one column: the probability or log odds of the second of two classes."""
    # float16 and whole numbers would lose digits in what follows
    column = column.astype(np.promote_types(column.dtype, np.float32), copy=False)
    if kind is None or (kind == "probabilities" and options.kind is None):
        _refuse_other_kinds(column, kind, name, options)
    if kind == "logits":
        _doubt_log_odds(column, name, doubter)
        return Scores(np.column_stack([-column / 2, column / 2]), "logits")
    p, notes = _probability_of_second(column, kind, name, options)
    return Scores(np.column_stack([1 - p, p]), "probabilities", notes)


def _doubt_log_odds(column: np.ndarray, name: str, doubter: Doubter) -> None:
    """Doubt log odds of one sign throughout, as probabilities, odds and log p have."""
    low, high = float(column.min()), float(column.max())
    if len(column) < FEWEST_TO_TELL or low < 0 < high:
        return
    problem = f"all numbers of {name!r} have one sign, as odds and log p have and log odds do not"
    kind = "odds" if low >= 0 else "log-probabilities"
    if 0 <= low and high <= 1:
        kind = "probabilities"
        problem = (
            f"{name!r} is called log odds, and lies in [0, 1] throughout: if these are "
            "probabilities"
        )
    doubter.raise_or_note(problem, {"kind": kind})


def _probability_of_second(
    column: np.ndarray, kind: ScoreKind | None, name: str, options: Options
) -> tuple[np.ndarray, tuple[Note, ...]]:
    """Return the probability that odds, log p or probabilities are, and what was put back."""
    if kind == "odds":
        _refuse_rows(column < 0, column, name, "odds, which are never negative")
        return 1 - 1 / (1 + column), ()
    if kind == "log-probabilities":
        _refuse_rows(
            column > ROUNDING, column, name, "logarithms of probabilities, at most 0"
        )
        return np.exp(np.minimum(column, 0)), ()
    return _clipped_probabilities(column, name, options.atol)


def _refuse_other_kinds(
    column: np.ndarray, kind: ScoreKind | None, name: str, options: Options
) -> None:
    """Raise where a column that nobody called a probability may be something else."""
    low, high = float(column.min()), float(column.max())
    if -ROUNDING <= low and high <= 1 + (options.atol or ROUNDING):
        _refuse_small_per_cent(name, options)
    else:
        _refuse_no_probability(column, kind, name, low, high)


def _refuse_no_probability(
    column: np.ndarray, kind: ScoreKind | None, name: str, low: float, high: float
) -> None:
    """Raise the error of numbers outside [0, 1]: faults in rows, another unit, or another kind."""
    outside = (column < -ROUNDING) | (column > 1 + ROUNDING)
    # a few strange numbers are faults in rows, many are another unit
    if outside.mean() < FEW_OUTSIDE:
        _refuse_rows(outside, column, name, "a probability")
    if low >= 0:
        _refuse_larger_units(column, name, low, high)
    if kind == "probabilities":
        _refuse_rows(outside, column, name, "a probability")
    raise NotSaidError(
        f"{name!r} goes from {low:.4g} to {high:.4g}, and nothing says what it is: if it is so",
        {"kind": _likely_kind(low, high)},
        role="kind",
    )


def _refuse_larger_units(
    column: np.ndarray, name: str, low: float, high: float
) -> None:
    """Refuse grades, and what may be per cent."""
    if high <= 10 and _holds_whole_numbers(column):
        raise ReadingError(
            f"{name!r} holds the whole numbers {low:g} to {high:g}: grades, not probabilities"
        )
    if 1 < high <= 100:
        raise ReadingError(
            f"{name!r} goes from {low:.4g} to {high:.4g}: if it is per cent",
            {"percent": 100.0},
        )


def _refuse_small_per_cent(name: str, options: Options) -> None:
    if PATTERNS["percent"].search(name) and not options.percent:
        raise ReadingError(
            f"{name!r} says per cent, and no number is more than 1: if it is right",
            {"percent": 100.0},
            {"kind": "probabilities"},
        )


def _likely_kind(low: float, high: float) -> ScoreKind:
    if low >= 0:
        return "odds"
    return "logits" if high > 0 else "log-probabilities"


def _refuse_rows(
    are_off: np.ndarray, column: np.ndarray, name: str, expected: str
) -> None:
    """Raise the error of values that are not what their name says, with the first rows."""
    rows = np.flatnonzero(are_off)
    if len(rows) == 0:
        return
    shown = ", ".join(
        f"row {row} holds {shown_outside(column[row])}" for row in rows[:3]
    )
    ends = f", and {len(rows) - 3} more" if len(rows) > 3 else ""
    raise ReadingError(
        f"{name!r}: {shown}{ends}, expected {expected} (if a number stands for one that is "
        f"missing, save it as empty: --leave-out-empty {name} then leaves such rows out)"
    )


def shown_outside(number: float) -> str:
    """Return a number with six digits, or as many as tell it from 0 and 1."""
    texts = (f"{number:.{digits}g}" for digits in range(6, 18))
    return next((text for text in texts if float(text) not in (0, 1)), f"{number:g}")


def _clipped_probabilities(
    p: np.ndarray, name: str, atol: float | None
) -> tuple[np.ndarray, tuple[Note, ...]]:
    """Return probabilities in [0, 1]; what rounding alone has taken out of it is put back."""
    # what a user allows of sums is allowed of single numbers too
    allowed = max(ROUNDING, atol or 0)
    _refuse_rows((p < -allowed) | (p > 1 + allowed), p, name, "a probability")
    outside = int(((p < 0) | (p > 1)).sum())
    if outside == 0:
        return p, ()
    note = Note(
        f"{outside} of {len(p)} numbers of {name!r} leave [0, 1] by at most {allowed:g}, as "
        "rounding explains; they count as 0 or 1."
    )
    return np.clip(p, 0, 1), (note,)


def _scores_of_class_columns(
    array: np.ndarray, kind: ScoreKind | None, options: Options
) -> Scores:
    """Read a column a class: rows of probabilities sum to one, logits do not."""
    if kind == "odds":
        raise OptionError("kind", "odds of one column are read, not those of several")
    sums = Sums.of(array, options)
    # who says logits knows that they may sum to a hundred by chance
    if sums.low >= 0 and options.kind != "logits":
        _refuse_parts_of(sums.total, float(array.max()))
    if kind in ("logits", "log-probabilities"):
        return _checked_logits(array, sums)
    if not sums.are_one:
        _refuse_sums(array, sums, kind)
    return _divided_by_sums(array, sums)


def _checked_logits(array: np.ndarray, sums: "Sums") -> Scores:
    """Return logits, or log p, which are logits that are normalised already."""
    if sums.are_one:
        suggestion = {"kind": "probabilities"}
        raise ReadingError("logits: these are probabilities; name them so", suggestion)
    return Scores(_as_float32_if_large(array), "logits")


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of rows of scores, how far each is off one, and how far their digits allow it to be."""

    total: np.ndarray
    off: np.ndarray
    low: float  # of all scores
    allowed: float

    @classmethod
    def of(cls, array: np.ndarray, options: Options) -> "Sums":
        with np.errstate(all="ignore"):  # of numbers too large, which are refused later
            total = array.sum(axis=1, dtype=float)
        low = float(array.min())
        # with a negative number a sum of one is chance
        off = np.abs(total - 1) if low >= -ROUNDING else np.full(len(total), np.inf)
        allowed = options.atol
        if allowed is None:
            allowed = _rounding_of_sums(array, options.percent or 1)
        return cls(total, off, low, allowed)

    @property
    def are_one(self) -> bool:
        if self.off.max() > self.allowed * (1 + 1e-9):
            return False
        if self.allowed <= MOST_ATOL:
            return True
        # sums of few digits may be far off one by one, but then not all of them
        # the cap keeps infinite sums from overflowing the square
        typical = sqrt(np.mean(np.minimum(self.off, 1e9) ** 2))
        return bool(typical <= self.allowed / 2)


def _divided_by_sums(array: np.ndarray, sums: Sums) -> Scores:
    """Return probabilities whose rows sum to one: divided by their sums where they do not."""
    if sums.low < 0:
        array = np.maximum(array, 0)
    most = sums.off.max()
    if most <= NO_NEED:
        return Scores(_as_float32_if_large(array), "probabilities")
    # in the type of the array: a float64 copy of a large one is dear
    total = sums.total[:, None].astype(np.promote_types(array.dtype, np.float32))
    note = Note(f"Rows sum to one within {most:.2g}; they were divided by their sums.")
    return Scores(_as_float32_if_large(array / total), "probabilities", (note,))


def _as_float32_if_large(array: np.ndarray) -> np.ndarray:
    # seven digits are enough where half the memory is saved
    large = array.size >= LARGE_ARRAY and array.itemsize > 4
    return array.astype(np.float32) if large else array


def _refuse_sums(array: np.ndarray, sums: Sums, kind: ScoreKind | None) -> None:
    """Raise the error of rows that do not sum to one: of a row that is one of few, or of a kind."""
    are_outside = np.any((array < 0) | (array > 1), axis=1)
    row = int(np.argmax(sums.off))
    if are_outside.any():
        # a number that is no probability says more than a sum
        row = int(np.argmax(are_outside))
        if kind is None:
            _refuse_unsaid(sums, are_outside)
    problem = (
        f"row {row} holds {array[row].min():g} and sums to {sums.total[row]:.6g}, expected "
        f"probabilities that sum to 1 within {sums.allowed:.2g}, as their digits allow"
    )
    of_kind = "" if kind else " (or --kind logits if they are)"
    if sums.off.max() <= MOST_ATOL:
        raise ReadingError(f"{problem}{of_kind}", {"atol": MOST_ATOL})
    # numbers of one digit are allowed more already
    is_more = sums.allowed < MOST_ATOL
    of_atol = f"; --atol up to {MOST_ATOL} allows for more" if is_more else ""
    raise ReadingError(f"{problem}{of_atol}{of_kind}")


def _refuse_unsaid(sums: Sums, are_outside: np.ndarray) -> None:
    """Refuse scores that no name calls probabilities, and of which most rows are none."""
    are_fine = ~are_outside & (np.abs(sums.total - 1) <= sums.allowed)
    if are_fine.mean() <= 0.5:
        raise NotSaidError(
            "nothing says what the scores are; by their values they are no probabilities: if they "
            "are so",
            {"kind": "logits"},
            role="kind",
        )


def _rounding_of_sums(p: np.ndarray, scale: float) -> float:
    """Return how far from one K numbers may sum: K times half a unit of the last digit written."""
    head = p[:1000]
    if head.dtype == np.float16 or is_bfloat16(head):
        return ATOL_HALF
    digits = _n_digits(head.astype(float) * scale, scale)
    if digits is None:
        return NO_NEED
    return float(max(NO_NEED, p.shape[1] * 10.0**-digits / scale / 2))


def _n_digits(array: np.ndarray, scale: float) -> int | None:
    """Return to how many digits, at most five, numbers up to `scale` are written."""
    if np.abs(array).max() > scale:
        return None
    for digits in range(6):
        if np.abs(np.round(array, digits) - array).max() <= 1e-7 * scale:
            return digits
    return None


def _refuse_parts_of(total: np.ndarray, high: float) -> None:
    """Refuse per cent, parts of 255 and the like, by their sums: no logits have such."""
    # the median forgives rows that are damaged
    middle = float(np.median(total))
    if high <= 1 + MOST_ATOL or np.ptp(total) > 0.1 * middle:
        return
    unit = min(UNITS, key=lambda unit: abs(unit - middle))
    if abs(unit - middle) <= 0.05 * unit:
        raise ReadingError(
            f"rows of scores sum to about {middle:.6g}: if they are parts of {unit:g}",
            {"percent": unit},
        )
