"""Scores as they stand in a file become logits or probabilities of all classes, or are refused."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from calib_report.contract import NAMES, PATTERNS, NotSaidError, ReadingError, Tally, is_called
from calib_report.model_outputs import LARGE
from calib_report.options import MOST_ATOL, Options

UNITS = (100.0, 255.0, 1000.0)  # parts that people write probabilities in
ROUNDING = 1e-6  # by which float32 may leave [0, 1]
FEWEST = 20  # rows from which the signs of all scores say something


@dataclass(frozen=True, eq=False)
class Scores:
    """Logits or probabilities, (n, K), and what is to be told of them."""

    values: np.ndarray
    kind: str
    notes: tuple[str, ...] = ()


def scores_of(
    array: np.ndarray, kind: str | None, options: Options, tally: Tally, names: list[str]
) -> Scores:
    """Return checked scores; `kind` is what their name says, which an option overrules."""
    if array.dtype.kind not in "biuf" or array.size == 0 or array.ndim not in (1, 2):
        raise ReadingError(f"scores: shape {array.shape} of {array.dtype}, expected numbers (n, K)")
    kind = options.kind or kind
    if options.percent:
        if options.percent <= 10 and array.max() <= 10 and (np.round(array) == array).all():
            tally.doubt(f"{names[0]!r} holds whole numbers up to {array.max():g}, as grades are")
        array, kind = _in_fractions(array, options.percent, names[0]), "probabilities"
    refuse_nan(array, kind)
    if options.kind != "logits":
        _refuse_decisions(array, kind)
    if array.size == len(array):
        return _of_one(array.reshape(-1), kind, options, tally, names[0])
    return _of_all(array, kind, options)


def _in_fractions(array: np.ndarray, percent: float, name: str) -> np.ndarray:
    if array.max() <= 1 and PATTERNS["percent"].search(name) is None:
        raise ReadingError(
            f"percent: no number of {name!r} is more than 1, so these are fractions already"
        )
    return array / percent


def refuse_nan(array: np.ndarray, kind: str | None) -> None:
    if np.isnan(array.min()):
        row = np.argwhere(np.isnan(array))[0][0]
        raise ReadingError(f"{kind or 'scores'}: row {row} holds nan: it is empty, or no number")


def _refuse_decisions(array: np.ndarray, kind: str | None) -> None:
    decided = array.max() == 1 and array.min() >= 0 and kind != "logits"
    if decided and np.isin(array[:1000], (0, 1)).all() and np.isin(array, (0, 1)).all():
        if array.size == len(array) and len(np.unique(array)) == 1:
            return  # a confidence of 1 throughout, which is a claim
        raise ReadingError(
            "scores hold only 0 and 1: these are decisions, not probabilities; "
            "if others are in the file, --scores NAME"
        )


def _of_one(
    column: np.ndarray, kind: str | None, options: Options, tally: Tally, name: str
) -> Scores:
    """Read one column: the probability or log odds of the second of two classes."""
    column = column.astype(np.promote_types(column.dtype, np.float32), copy=False)
    if kind is None or (kind == "probabilities" and options.kind is None):
        _refuse_other_kinds(column, kind, name, options)
    if kind == "logits":
        one_sign = len(column) >= FEWEST and (column.min() >= 0 or column.max() <= 0)
        if one_sign and column.min() >= 0 and column.max() <= 1:
            tally.doubt(
                f"{name!r} is called log odds, and lies in [0, 1] throughout: if these are "
                "probabilities",
                {"kind": "probabilities"},
            )
        elif one_sign:
            tally.doubt(
                f"all numbers of {name!r} have one sign, as odds and log p have and log odds "
                "do not",
                {"kind": "odds" if column.min() >= 0 else "log-probabilities"},
            )
        return Scores(np.column_stack([-column / 2, column / 2]), "logits")
    notes: tuple[str, ...] = ()
    if kind == "odds":
        _refuse_rows(column < 0, column, name, "odds, which are never negative")
        column = 1 - 1 / (1 + column)
    elif kind == "log-probabilities":
        _refuse_rows(column > ROUNDING, column, name, "logarithms of probabilities, at most 0")
        column = np.exp(np.minimum(column, 0))
    else:
        column, notes = _inside(column, name, options.atol)
    return Scores(np.column_stack([1 - column, column]), "probabilities", notes)


def _refuse_other_kinds(column: np.ndarray, kind: str | None, name: str, options: Options) -> None:
    """Raise where a column that nobody called a probability may be something else."""
    low, high = float(column.min()), float(column.max())
    if -ROUNDING <= low and high <= 1 + (options.atol or ROUNDING):
        if PATTERNS["percent"].search(name) and not options.percent:
            raise ReadingError(
                f"{name!r} says per cent, and no number is more than 1: if it is right",
                {"percent": 100.0},
                {"kind": "probabilities"},
            )
        return
    spoilt = (column < -ROUNDING) | (column > 1 + ROUNDING)
    if spoilt.mean() < 0.05:
        _refuse_rows(spoilt, column, name, "a probability")
    if low >= 0 and high <= 10 and (np.round(column) == column).all():
        raise ReadingError(
            f"{name!r} holds the whole numbers {low:g} to {high:g}: grades, not probabilities"
        )
    if low >= 0 and 1 < high <= 100:
        raise ReadingError(
            f"{name!r} goes from {low:.4g} to {high:.4g}: if it is per cent", {"percent": 100.0}
        )
    if kind == "probabilities":
        _refuse_rows(spoilt, column, name, "a probability")
    guesses = {"kind": "logits"} if low < 0 < high else {"kind": "log-probabilities"}
    guesses = {"kind": "odds"} if low >= 0 else guesses
    raise NotSaidError(
        f"{name!r} goes from {low:.4g} to {high:.4g}, and nothing says what it is: if it is so",
        guesses,
        role="kind",
    )


def _refuse_rows(wrong: np.ndarray, column: np.ndarray, name: str, expected: str) -> None:
    """Raise the error of values that are not what their name says, with the first rows."""
    rows = np.flatnonzero(wrong)
    if len(rows) == 0:
        return
    shown = ", ".join(f"row {row} holds {column[row]:.6g}" for row in rows[:3])
    ends = f", and {len(rows) - 3} more" if len(rows) > 3 else ""
    raise ReadingError(
        f"{name!r}: {shown}{ends}, expected {expected} (if a number stands for one that is "
        f"missing, save it as empty: --leave-out-empty {name} then leaves such rows out)"
    )


def _inside(p: np.ndarray, name: str, atol: float | None) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return probabilities in [0, 1]; what rounding alone has taken out of it is put back."""
    allowed = max(ROUNDING, atol or 0)
    _refuse_rows((p < -allowed) | (p > 1 + allowed), p, name, "a probability")
    outside = int(((p < 0) | (p > 1)).sum())
    if outside == 0:
        return p, ()
    note = f"{outside} of {len(p)} numbers of {name!r} leave [0, 1] by at most {allowed:g}, "
    return np.clip(p, 0, 1), (f"{note}as rounding explains; they count as 0 or 1.",)


def _of_all(array: np.ndarray, kind: str | None, options: Options) -> Scores:
    """Read a column a class: rows of probabilities sum to one, logits do not."""
    if kind == "odds":
        raise ReadingError("kind: odds of one column are read, not those of several")
    with np.errstate(all="ignore"):  # of numbers too large, which are refused later
        total = array.sum(axis=1, dtype=float)
    low = array.min()
    if low >= 0 and options.kind != "logits":
        _refuse_parts_of(total, float(array.max()))
    off = np.abs(total - 1) if low >= -ROUNDING else np.full(len(total), np.inf)
    allowed = _rounding(array, options.percent or 1) if options.atol is None else options.atol
    # sums of few digits may be far off one by one, but then not all of them
    alike = allowed <= MOST_ATOL or sqrt(np.mean(np.minimum(off, 1e9) ** 2)) <= allowed / 2
    sums = bool(off.max() <= allowed * (1 + 1e-9) and alike)
    if kind in ("logits", "log-probabilities"):
        if sums:
            raise ReadingError(
                "logits: these are probabilities; name them so", {"kind": "probabilities"}
            )
        return Scores(_smaller(array), "logits")
    if not sums:
        _refuse_sums(array, off, total, allowed, kind)
    return _divided(array, off, total)


def _divided(array: np.ndarray, off: np.ndarray, total: np.ndarray) -> Scores:
    """Return probabilities whose rows sum to one: divided by their sums where they do not."""
    notes: tuple[str, ...] = ()
    if array.min() < 0:
        array = np.maximum(array, 0)
    if off.max() > 1e-4:
        array = array / total[:, None].astype(np.promote_types(array.dtype, np.float32))
        notes = (f"Rows sum to one within {off.max():.2g}; they were divided by their sums.",)
    return Scores(_smaller(array), "probabilities", notes)


def _smaller(array: np.ndarray) -> np.ndarray:
    large = array.size >= LARGE and array.itemsize > 4
    return array.astype(np.float32) if large else array


def _refuse_sums(
    array: np.ndarray, off: np.ndarray, total: np.ndarray, allowed: float, kind: str | None
) -> None:
    """Raise the error of rows that do not sum to one: of a row that is one of few, or of a kind."""
    bad = ((array < 0) | (array > 1)).any(axis=1)
    good = ~bad & (np.abs(total - 1) <= allowed)
    if kind is None and bad.any() and good.mean() <= 0.5:
        raise NotSaidError(
            "nothing says what the scores are; by their values they are no probabilities: if they "
            "are so",
            {"kind": "logits"},
            role="kind",
        )
    row = int(np.argmax(bad if bad.any() else off))
    ways = [{"atol": MOST_ATOL}] if off.max() <= MOST_ATOL else []
    ends = "" if ways else f"; --atol up to {MOST_ATOL} allows for more"
    ends += "" if kind else " (or --kind logits if they are)"
    raise ReadingError(
        f"row {row} holds {array[row].min():g} and sums to {total[row]:.6g}, expected "
        f"probabilities that sum to 1 within {allowed:.2g}, as their digits allow{ends}",
        *ways,
    )


def _rounding(p: np.ndarray, scale: float) -> float:
    """Return how far from one K numbers may sum: K times half a unit of the last digit written."""
    bits = np.ascontiguousarray(p[:1000]).view("u4") if p.dtype == np.float32 else np.ones(1, int)
    if p.dtype == np.float16 or not (bits & 0xFFFF).any():  # the lower half is empty: bfloat16
        return 1e-2
    head = p[:1000].astype(float) * scale
    for digits in range(6 if np.abs(head).max() <= scale else 0):
        if np.abs(np.round(head, digits) - head).max() <= 1e-7 * scale:
            return float(max(1e-4, p.shape[1] * 10.0**-digits / scale / 2))
    return 1e-4


def _refuse_parts_of(total: np.ndarray, high: float) -> None:
    """Refuse per cent, parts of 255 and the like, by their sums: no logits have such."""
    middle = float(np.median(total))
    if high <= 1 + MOST_ATOL or np.ptp(total) > 0.1 * middle:
        return
    for unit in UNITS:
        if abs(unit - middle) <= 0.05 * unit:
            raise ReadingError(
                f"rows of scores sum to about {middle:.6g}: if they are parts of {unit:g}",
                {"percent": unit},
            )


def is_spread(name: str) -> bool:
    """Tell whether a name says a measure of doubt that is no probability, such as an entropy."""
    return is_called(name, "spread") or any(word in name.lower() for word in NAMES["spread"])
