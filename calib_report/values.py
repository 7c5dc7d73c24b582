"""What labels and scores are by their values: numbers, probabilities, classes; and what is odd."""

import re
from collections.abc import Iterable, Iterator
from math import erfc, sqrt

import numpy as np

from calib_report.outputs import LARGE, ModelOutputs

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|-inf", re.IGNORECASE)
NOTHING = ("", "na", "n/a", "nan", "none", "null", "-", "?")
WORDS = dict.fromkeys(("true", "yes", "right", "correct", "t", "y", "1"), 1)
WORDS |= dict.fromkeys(("false", "no", "wrong", "incorrect", "f", "n", "0"), 0)
MOST_ATOL = 0.05
UNITS = (10.0, 100.0, 255.0, 1000.0)


def few(names: Iterable[object], most: int = 8) -> str:
    """Write the first names, quoted."""
    names = [str(name) for name in names]
    return ", ".join(map(repr, names[:most])) + ", …" * (len(names) > most) or "nothing"


def is_empty(values: np.ndarray) -> np.ndarray:
    """Tell which entries are missing: nan, or text such as "" and "NA"."""
    if values.dtype.kind == "U":
        return np.isin(np.char.lower(np.char.strip(values)), NOTHING)
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.shape, bool)


def texts(values: np.ndarray) -> np.ndarray:
    """Return entries as text, whole numbers without a point."""
    if values.dtype.kind == "f" and (np.floor(values) == values).all():
        values = values.astype(np.int64)
    return np.char.strip(values.astype(str))


def numbers(name: str, values: np.ndarray) -> np.ndarray:
    """Return a column of scores as numbers; "85%" and "8/10" are, any other text is an error."""
    if values.dtype.kind in "biuf":
        return values
    found = np.empty(values.shape)
    for place, value in np.ndenumerate(values):
        text, _, divisor = value.strip().partition("/")
        if text.endswith("%"):
            text, divisor = text[:-1], "100"
        if not all(NUMBER.fullmatch(part.strip()) for part in (text, divisor or "1")):
            told = f"row {place[0]} of {name!r} is {str(value)!r}, expected a number"
            leave = f"; --leave-out-empty {name} leaves such rows out"
            raise ValueError(told + leave * bool(is_empty(values)[place]))
        found[place] = float(text) / (float(divisor or 1) or np.nan)
    return found


def truth(name: str, values: np.ndarray) -> np.ndarray:
    """Return what says right or wrong as numbers, 1 and 0."""
    words = np.char.lower(texts(values))
    if (bad := ~np.isin(words, list(WORDS))).any():
        row = int(bad.argmax())
        raise ValueError(
            f"row {row} of {name!r}: {str(values[row])!r} says neither right nor wrong, expected "
            f"one of {', '.join(WORDS)}"
        )
    return np.array([WORDS[word] for word in words])


def settled(
    scores: np.ndarray,
    kind: str | None,
    said: str | None,
    percent: float | None,
    atol: float | None,
) -> tuple[np.ndarray, str, list[str]]:
    """Return logits or probabilities of all classes, which of the two they are, and notes on that.

    `kind` is what their name says, `said` what the user says, `percent` what stands for one, and
    `atol` how far from one sums may be. One column is of the second of two classes.
    """
    if scores.dtype.kind not in "biuf" or scores.size == 0 or scores.ndim not in (1, 2):
        raise ValueError(f"scores: shape {scores.shape} of {scores.dtype}, expected numbers (n, K)")
    one, kind = scores.size == len(scores), said or kind
    if percent:
        scores, kind = scores / percent, "probabilities"
    low, high = scores.min(), scores.max()
    if np.isnan(low):
        row = int(np.argwhere(np.isnan(scores))[0][0])
        raise ValueError(f"{kind or 'scores'}: row {row} holds nan: it is empty, or no number")
    total = scores.reshape(len(scores), -1).sum(axis=1, dtype=float)
    if said != "logits" and low >= 0:
        if (
            kind != "logits"
            and high == 1
            and all(np.isin(s, (0, 1)).all() for s in (scores[:1000], scores))
        ):
            raise ValueError(
                "scores hold only 0 and 1: these are decisions, not probabilities; if others are "
                "in the file, --scores NAME"
            )
        _refuse_parts_of(total, high, one)
    if one:
        column = scores.reshape(-1).astype(np.promote_types(scores.dtype, np.float32), copy=False)
        kind = kind or ("probabilities" if low >= 0 and high <= 1 else "logits")
        if kind == "logits":
            return np.column_stack([-column / 2, column / 2]), kind, []
        if low < 0 or high > 1:
            row = int(((column < 0) | (column > 1)).argmax())
            raise ValueError(f"row {row} holds {column[row]:g}, expected probabilities")
        return np.column_stack([1 - column, column]), kind, []
    off = np.abs(total - 1) if low >= 0 else np.full(len(total), np.inf)
    allowed = atol if atol is not None else 1e-2 if low < 0 else _rounding(scores, percent or 1)
    # sums of few digits may be far off one by one, but then not all of them
    sums = off.max() <= allowed * (1 + 1e-9) and (
        allowed <= MOST_ATOL or sqrt(np.mean(off**2)) <= allowed / 2
    )
    if kind is None and not sums:
        _refuse_doubtful(scores, total, allowed)
    kind, notes = kind or ("probabilities" if sums else "logits"), []
    if kind == "logits" and sums:
        raise ValueError("logits: these are probabilities; name them so: --kind probabilities")
    if kind == "probabilities" and not sums:
        row = int(np.argmax((scores < 0).any(axis=1) if low < 0 else off))
        raise ValueError(
            f"row {row} holds {scores[row].min():g} and sums to {total[row]:.6g}, expected "
            f"probabilities that sum to 1 within {allowed:.2g}, as their digits allow; --atol up "
            f"to {MOST_ATOL} allows for more"
        )
    if kind == "probabilities" and off.max() > 1e-4:
        scores = scores / total[:, None].astype(np.promote_types(scores.dtype, np.float32))
        notes = [f"Rows sum to one within {off.max():.2g}; they were divided by their sums."]
    large = scores.size >= LARGE and scores.itemsize > 4
    return scores.astype(np.float32) if large else scores, kind, notes


def _rounding(p: np.ndarray, scale: float) -> float:
    """Return how far from one K numbers may sum: K times half a unit of the last digit written."""
    if p.dtype == np.float16:
        return 1e-2
    if p.dtype == np.float32 and not (np.ascontiguousarray(p[:1000]).view("u4") & 0xFFFF).any():
        return 1e-2  # the lower half of each number is empty: it was bfloat16
    head = p[:1000].astype(float)
    if not np.abs(head).max() <= 1:  # no probabilities; a number may be too large to be rounded
        return 1e-4
    for digits in range(6):
        if np.abs(np.round(head * scale, digits) - head * scale).max() <= 1e-7 * scale:
            return float(max(1e-4, p.shape[1] * 10.0**-digits / scale / 2))
    return 1e-4


def _refuse_parts_of(total: np.ndarray, high: float, one: bool) -> None:
    """Refuse per cent, parts of a thousand and the like: no logits have such sums."""
    middle = high if one else float(np.median(total))
    if high <= 1 + MOST_ATOL or (not one and np.ptp(total) > 0.1 * middle):
        return
    above = [unit for unit in UNITS if high <= unit] or [high]
    near = [unit for unit in UNITS if abs(unit - middle) <= 0.05 * unit] or [round(middle, 3)]
    unit = (above if one else near)[0]
    told = "no number is negative" if one else f"rows of scores sum to about {middle:.6g}"
    option = "--percent" if unit == 100 else f"--percent {unit:g}"
    raise ValueError(
        f"{told}: parts of {unit:g}? then say {option}; if these are logits, --kind logits"
    )


def _refuse_doubtful(scores: np.ndarray, total: np.ndarray, allowed: float) -> None:
    """Refuse what is neither logits nor probabilities, by its values."""
    outside = (scores < 0) | (scores > 1)
    good = ~outside.any(axis=1) & (np.abs(total - 1) <= allowed)
    if outside.any() and good.mean() <= 0.5:
        return
    row = int(np.argmax(outside.any(axis=1) if outside.any() else np.abs(total - 1)))
    raise ValueError(
        f"rows of scores do not all sum to one, as probabilities do: row {row} holds "
        f"{scores[row].min():g} and sums to {total[row]:.6g}: mend it, or say --kind logits, or "
        f"--kind probabilities with --atol up to {MOST_ATOL}"
    )


def numbered(
    y: np.ndarray, classes: list[str] | None, n_classes: int, labels_from: int | None, name: str
) -> np.ndarray:
    """Return labels as numbers from 0; a label is the name of a class, or its number."""
    y = y.reshape(-1) if y.ndim == 2 and y.shape[1] == 1 else y
    if (empty := is_empty(y)).any():
        row, leave = int(empty.argmax()), f"--leave-out-empty {name} leaves such rows out"
        raise ValueError(f"{name}: row {row} has no label: {leave}")
    values, place = np.unique(y, return_inverse=True)
    values = texts(values)
    if classes and labels_from is None and set(values) <= set(classes):
        return np.array([classes.index(value) for value in values])[place]
    if n_classes == 2 and {*np.char.lower(values)} <= {"true", "false"}:
        return (np.char.lower(values) == "true").astype(int)[place]
    for k, value in enumerate(map(str, values)):
        if re.fullmatch(r"-?\d+", value):
            continue
        told = f"{name}: row {int(np.argmax(place == k))} is {value!r}"
        if y.dtype.kind == "f":
            raise ValueError(
                f"{told}: no class; calib judges classifiers: for regressions see the package "
                "uncertainty-toolbox"
            )
        if classes and set(classes) & set(values):
            raise ValueError(f"{told}, expected the name of a class, {few(classes)}")
        one = f"one column of scores: --positive {values[-1]}; " * (len(values) == n_classes == 2)
        raise ValueError(
            f"{told}, a name; {one}name the {n_classes} classes in the order of the scores: "
            "--classes FILE"
        )
    found = values.astype(np.int64)
    if n_classes == 2 and set(found.tolist()) == {-1, 1}:
        return (found[place] + 1) // 2
    if classes and labels_from is None and classes[0].isdecimal():
        raise ValueError(
            f"{name}: labels {few(values, 4)}, and classes that are named {few(classes, 4)}: if "
            "labels count the columns from 0, whatever their names, say --labels-from 0"
        )
    found -= labels_from or 0
    if (bad := ((found < 0) | (found >= n_classes))[place]).any():
        row = int(bad.argmax())
        value, advice = values[place][row], "if labels count from 1, say --labels-from 1"
        if labels_from is not None or found.min() < 1 or found.max() != n_classes:
            advice = f"to leave out samples with this label, --ignore-index {value}"
        raise ValueError(f"{name}: row {row} is {value}, expected 0 to {n_classes - 1}; {advice}")
    return found[place]


def refuse_shifted(y: np.ndarray, prob: np.ndarray) -> None:
    """Refuse labels without a 0 that may count from 1, unless they clearly fit as they are."""
    row = np.arange(len(y))
    gain = prob[row, y].astype(float) - prob[row, y - 1]
    if len(y) > 5 and gain.mean() <= (2 * gain.std() / sqrt(len(y)) if len(y) >= 20 else 0):
        raise ValueError(
            "y: no label is 0: if labels count from 1, say --labels-from 1; if the first class "
            "does not occur, --labels-from 0"
        )


def independence(y: np.ndarray, prob: np.ndarray) -> float:
    """Return the p-value of the hypothesis that labels have nothing to do with predictions.

    The statistic is the mean probability of the labels; its mean and variance are those under all
    orders of the labels (Hoeffding 1951, A combinatorial central limit theorem), and its
    distribution the normal one, one-sided. It is 1 where all labels, or predictions, are the same.
    """
    n, count = len(y), np.bincount(y, minlength=prob.shape[1]).astype(float)
    by_class = prob.mean(axis=0, dtype=float)
    by_sample = (prob @ (count / n).astype(prob.dtype)).astype(float)
    squares = float(np.einsum("ij,ij->j", prob, prob, dtype=float) @ count)
    mean = float(by_class @ count)
    spread = squares - n * float(by_sample @ by_sample) - float(count @ by_class**2) * n + mean**2
    if n < 2 or spread <= 1e-9 * squares:
        return 1.0
    found = float(prob[np.arange(n), y].sum(dtype=float))
    return erfc((found - mean) / sqrt(2 * spread / (n - 1))) / 2


def looks_wrong(outputs: ModelOutputs) -> Iterator[str]:
    """Yield a sentence for each sign that labels or scores are not what they are called."""
    y, n, n_classes = outputs.y, len(outputs), outputs.n_classes
    some = slice(None, None, 1 + outputs.prob.size // LARGE)  # enough rows for the test
    top = outputs.prob.argmax(axis=1)
    right = float(np.mean(top == y))
    if outputs.task == "classes" and (y == y[0]).all():
        yield f"The labels are all of one class, {y[0]}: are they those of these samples?"
    elif outputs.task == "classes" and n >= 20:
        if (p := independence(y[some], outputs.prob[some])) > 0.01:
            both = np.bincount(y, minlength=n_classes) @ np.bincount(top, minlength=n_classes)
            yield (
                "The labels look as if they had nothing to do with the predictions: the accuracy "
                f"is {right:.2%}, and {both / n**2:.2%} with labels in random order (test of "
                f"independence: p = {p:.2g}). Are rows and classes of both in one order?"
            )
    if right == 1 and n >= 50 and outputs.pairs[0].mean() < 0.97:
        yield "Every label is the most probable class: are the labels the model's own predictions?"
    largest = np.logaddexp.reduce(outputs.known[:1000], axis=1, dtype=float)
    if outputs.kind == "logits" and np.abs(largest).max() < 1e-3:
        yield (
            "The logits are log-probabilities. A map that is fitted on them serves "
            "log-probabilities, and no other logits of the model."
        )


def _keys(scores: np.ndarray) -> np.ndarray:
    """Return a number for the first scores of each row; 0 where few digits may make rows alike."""
    rows = np.ascontiguousarray(scores[:, :8])
    some = np.where(np.isfinite(rows), rows, 0)
    fine = (np.abs(np.round(some, 4) - some) > 1e-6).any(axis=1)
    fine |= (some.min(axis=1) < 0) & ((np.abs(np.round(some, 2) - some) > 1e-6).sum(axis=1) > 1)
    return np.array([hash(bytes(row)) for row in rows]) * fine


def refuse_shared(test: np.ndarray, held: np.ndarray) -> None:
    """Refuse a calibration set that holds samples of the test set."""
    keys = _keys(test)
    shared = int((np.isin(keys, _keys(held)) & (keys != 0)).sum())
    if shared > len(test) / 100 and len(np.unique(keys)) > len(test) / 2:
        raise ValueError(
            f"{shared} of {len(test)} rows stand in the calibration set too, digit for digit: a "
            "map would be tried on samples that it was fitted on"
        )


def copies(outputs: ModelOutputs) -> np.ndarray | None:
    """Return which rows are copies of one sample, shape (n,); None where there are few.

    Copies have one label. Different samples of equal scores, as of a tree's leaf, do not all.
    """
    keys = _keys(outputs.known)
    sample, size = np.unique(keys, return_inverse=True, return_counts=True)[1:]
    again = (size[sample] > 1) & (keys != 0)
    labelled = len(np.unique(sample[again] * outputs.n_classes + outputs.y[again]))
    expected = (1 - outputs.pairs[0][again]).sum()  # labels that would differ by chance
    if again.sum() < len(keys) / 50 or labelled > len(np.unique(sample[again])) or expected < 3:
        return None
    own = np.where(again, sample, len(keys) + np.arange(len(keys)))
    return np.unique(own, return_inverse=True)[1]
