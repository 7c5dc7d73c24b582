"""What labels and cells are by their values: empty, numbers, classes, true; and what looks odd."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from math import sqrt

import numpy as np

from calib_report.contract import NAMES, NOTED, PATTERNS, NotJudgedError, ReadingError, few, plain
from calib_report.model_outputs import ModelOutputs
from calib_report.suspicion import suspicion


def is_empty(values: np.ndarray, names: Sequence[str] = ()) -> np.ndarray:
    """Tell which entries are missing: nan, or text such as "" and "NA" that is none of `names`."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind != "U":
        return np.zeros(values.shape, bool)
    classes = {plain(name) for name in names}
    words = [word for word in NAMES["empty"] if not word or plain(word) not in classes]
    return np.isin(np.char.lower(np.char.strip(values)), words)


def refuse_empty(name: str, column: np.ndarray, names: Sequence[str] = ()) -> None:
    empty = is_empty(column, names)
    if empty.any():
        row, n = empty.argmax(), empty.sum()
        raise ReadingError(
            f"{name!r} is empty in {n} of {len(empty)} rows, the first is row {row}; "
            "such rows are left out by",
            {"leave_out_empty": (name,)},
        )


def texts(values: np.ndarray) -> np.ndarray:
    """Return entries as text, whole numbers without a point."""
    with np.errstate(invalid="ignore"):  # of bytes that are no number
        whole = values.dtype.kind == "f" and (np.floor(values) == values).all()
    if whole and float(np.abs(values).max(initial=0)) < 2**53:
        values = values.astype(np.int64)
    return np.char.strip(values.astype(str))


def labels_in(y: np.ndarray, names: Sequence[str] = ()) -> list[str]:
    """Return the labels that occur, as text; "NA" is one where it is one of `names`."""
    if y.ndim != 1 or len(y) == 0:
        return []
    return sorted({*texts(np.unique(y[~is_empty(y, names)])).tolist()})


def are_whole(labels: Sequence[str]) -> bool:
    """Tell whether labels are the texts of whole numbers."""
    return all(re.fullmatch(r"-?\d{1,18}", label) for label in labels)


def are_words(values: np.ndarray) -> bool:
    """Tell whether a column holds words and no numbers, such as predicted classes."""
    text = values.dtype.kind == "U" and values.ndim == 1
    return text and not any(PATTERNS["number"].match(value.strip(" [")) for value in values)


def numbers(name: str, values: np.ndarray) -> np.ndarray:
    """Return scores as numbers; "85%", "8/10" and "[0.1, 0.9]" are, any other text is an error."""
    if values.ndim == 1:
        refuse_empty(name, values)
    if values.dtype.kind in "biuf":
        return values
    if values.dtype.kind != "U":
        raise ReadingError(f"{name!r} holds {values.dtype}, expected numbers")
    if values.ndim == 1 and all(map(is_vector, values)):
        with suppress(ValueError):
            return np.array([value[1:-1].replace(",", " ").split() for value in values], float)
    if not any("." in value for value in values.ravel().tolist()):
        values = np.char.replace(values, ",", ".")  # the decimal sign of many countries
    parsed = np.empty(values.shape)
    for place, value in np.ndenumerate(values):
        parsed[place] = _number(value, name, place[0])
    return parsed


def is_vector(text: str) -> bool:
    return text[:1] == "[" and text[-1:] == "]"


def _number(value: str, name: str, row: int) -> float:
    """Return the number that a cell holds: a plain one, per cent, or a fraction."""
    text, _, divisor = value.strip().partition("/")
    if text.endswith("%"):
        text, divisor = text[:-1].strip(), "100"
    for part in (text, divisor or "1"):
        if not PATTERNS["number"].fullmatch(part.strip()):
            raise ReadingError(f"row {row} of {name!r} is {str(value)!r}, expected a number")
    return float(text) / (float(divisor or 1) or np.nan)


def truth(name: str, values: np.ndarray) -> np.ndarray:
    """Return what says right or wrong as numbers, 1 and 0."""
    words, known = np.char.lower(texts(values)), (*NAMES["true"], *NAMES["false"])
    strange = np.flatnonzero(~np.isin(words, known))
    if len(strange):
        row = _strangest(values, strange)
        raise ReadingError(
            f"row {row} of {name!r}: {str(values[row])!r} says neither right nor wrong, "
            f"expected one of {', '.join(known)}"
        )
    return np.isin(words, NAMES["true"]).astype(int)


def _strangest(values: np.ndarray, strange: np.ndarray) -> int:
    """Return the row to show: whole numbers are floats where one of them is none, which is it."""
    if values.dtype.kind == "f":
        strange = np.r_[strange[values[strange] % 1 != 0], strange]
    return int(strange[0])


def matched(labels: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return the one of `names` that each label is, whatever its case; {} where one has none."""
    if {*labels} <= {*names}:
        return {label: label for label in labels}
    of_plain = {plain(name): name for name in names}
    alike = {label: of_plain.get(plain(label), "") for label in labels}
    names_differ = len(of_plain) == len({*names})
    labels_differ = len({*alike.values()}) == len(alike)
    return alike if names_differ and labels_differ and all(alike.values()) else {}


def codes_of(
    y: np.ndarray,
    classes: Sequence[str] | None,
    n_classes: int,
    labels_from: int | None,
    name: str,
) -> np.ndarray:
    """Return labels as numbers from 0; a label is the name of a class, or its number."""
    refuse_empty(name, y, classes or ())
    values, place = np.unique(y, return_inverse=True)
    labels = texts(values).tolist()
    if classes and labels_from is None:
        alike = matched(labels, classes)
        if alike:
            return np.array([classes.index(alike[label]) for label in labels])[place]
    if y.dtype.kind == "b" and n_classes == 2:
        return values.astype(int)[place]
    if not are_whole(labels):
        _refuse_words(labels, place, classes, n_classes, name)
    if classes and labels_from is None:
        _refuse_numbered_names(labels, classes, name)
    codes = np.array(labels).astype(np.int64) - (labels_from or 0)
    _refuse_outside(codes, place, n_classes, labels_from, name)
    return codes[place]


def _refuse_numbered_names(labels: list[str], classes: Sequence[str], name: str) -> None:
    """Refuse labels that are numbers beside classes whose names are other numbers."""
    if are_whole(classes):
        raise ReadingError(
            f"{name}: labels {few(labels, 4)}, and classes that are named {few(classes, 4)}; if "
            "labels count the columns from 0, whatever their names",
            {"labels_from": 0},
        )


def refuse_regression(name: str, y: np.ndarray) -> None:
    """Refuse numbers that are no classes: not whole."""
    if y.ndim != 1 or y.dtype.kind != "f":
        return
    with np.errstate(invalid="ignore"):
        broken = np.flatnonzero(np.isfinite(y) & (y != np.floor(y)))
    if len(broken):
        raise NotJudgedError(
            f"{name}: row {broken[0]} is {str(y[broken[0]])!r}: no class; calib judges "
            "classifiers: for regressions see the package uncertainty-toolbox"
        )


def _refuse_words(
    labels: list[str],
    place: np.ndarray,
    classes: Sequence[str] | None,
    n_classes: int,
    name: str,
) -> None:
    """Raise the error of labels that are names, where nothing names the classes so."""
    strange = [k for k, label in enumerate(labels) if not are_whole([label])]
    if classes:
        strange = [k for k, label in enumerate(labels) if not matched([label], classes)] or strange
    row = int(np.argmax(place == strange[0]))
    problem = f"{name}: row {row} is {labels[strange[0]]!r}"
    if classes:
        raise ReadingError(f"{problem}, expected the name of a class, {few(classes)}")
    raise ReadingError(
        f"{problem}, a name; what names the {n_classes} classes in the order of the scores, is",
        {"classes": tuple(labels) if len(labels) == n_classes else "FILE"},
    )


def _refuse_outside(
    codes: np.ndarray, place: np.ndarray, n_classes: int, labels_from: int | None, name: str
) -> None:
    """Raise the error of labels that are no number of a class, with the first row."""
    are_outside = (codes < 0) | (codes >= n_classes)
    if not are_outside.any():
        return
    if n_classes == 2 and {*codes.tolist()} == {-1, 1}:
        raise ReadingError(
            f"{name}: labels -1 and 1; if these are the two classes", {"classes": ("-1", "1")}
        )
    first, row = labels_from or 0, int(np.argmax(are_outside[place]))
    value = int(codes[place][row]) + first
    problem = f"{name}: row {row} is {value}, expected {first} to {n_classes - 1 + first}"
    if labels_from is None and codes.min() >= 1 and codes.max() == n_classes:
        raise ReadingError(f"{problem}; if labels count from 1", {"labels_from": 1})
    raise ReadingError(
        f"{problem}; samples with this label are left out by", {"ignore_index": (value,)}
    )


def refuse_shifted(y: np.ndarray, prob: np.ndarray) -> None:
    """Refuse labels without a 0 that may count from 1, unless they clearly fit as they are."""
    row = np.arange(len(y))
    gain = prob[row, y].astype(float) - prob[row, y - 1]
    if len(y) > 5 and gain.mean() <= (2 * gain.std() / sqrt(len(y)) if len(y) >= 20 else 0):
        raise ReadingError(
            "y: no label is 0; if labels count from 1, the first option; if the first class does "
            "not occur, the second",
            {"labels_from": 1},
            {"labels_from": 0},
        )


def looks_wrong(outputs: ModelOutputs) -> Iterator[str]:
    """Yield a sentence for each sign that labels or scores are not what they are called."""
    finding = suspicion(outputs)
    if finding is not None:
        yield finding.sentence
    right = float(np.mean(outputs.prob.argmax(axis=1) == outputs.y))
    if right == 1 and len(outputs) >= 50 and outputs.pairs[0].mean() < 0.97:
        yield NOTED["own"]
    largest = np.logaddexp.reduce(outputs.known[:1000], axis=1, dtype=float)
    if outputs.kind == "logits" and np.abs(largest).max() < 1e-3:
        yield NOTED["log_probabilities"]


def _keys(scores: np.ndarray) -> np.ndarray:
    """Return a number for the first scores of each row; 0 where few digits may make rows alike."""
    rows = np.ascontiguousarray(scores[:, :8])
    some = np.where(np.isfinite(rows), rows, 0)
    fine = (np.abs(np.round(some, 4) - some) > 1e-6).any(axis=1)
    fine |= (some.min(axis=1) < 0) & ((np.abs(np.round(some, 2) - some) > 1e-6).sum(axis=1) > 1)
    digests = b"".join(blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(digests, np.int64) * fine


def refuse_shared(test: np.ndarray, held: np.ndarray) -> None:
    """Refuse samples that stand in the calibration set too."""
    keys = _keys(test)
    shared = int((np.isin(keys, _keys(held)) & (keys != 0)).sum())
    if shared > len(test) / 100 and len(np.unique(keys)) > len(test) / 2:
        raise ReadingError(
            f"calibration set: {shared} of {len(test)} rows stand in the calibration set too, "
            "digit for digit: a map would be tried on samples that it was fitted on: --ignore "
            "NAME leaves it out"
        )


def copies(outputs: ModelOutputs) -> np.ndarray | None:
    """Return which rows are copies of one sample, label included; None where there are few."""
    keys = _keys(outputs.known)
    sample, size = np.unique(keys, return_inverse=True, return_counts=True)[1:]
    again = (size[sample] > 1) & (keys != 0)
    labelled = len(np.unique(sample[again] * outputs.n_classes + outputs.y[again]))
    expected = (1 - outputs.pairs[0][again]).sum()  # labels that would differ by chance
    if again.sum() < len(keys) / 50 or labelled > len(np.unique(sample[again])) or expected < 3:
        return None
    own = np.where(again, sample, len(keys) + np.arange(len(keys)))
    return np.unique(own, return_inverse=True)[1]
