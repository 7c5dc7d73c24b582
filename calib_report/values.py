"""What labels and cells are by their values: empty, numbers, classes, true; and what looks odd."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from math import sqrt

import numpy as np

from calib_report.contract import (
    NAMES,
    NOTED,
    PATTERNS,
    NotJudgedError,
    ReadingError,
    few,
    plain,
)
from calib_report.model_outputs import ModelOutputs
from calib_report.suspicion import suspicion


def is_empty(values: np.ndarray, names: Sequence[str] = ()) -> np.ndarray:
    """Tell which entries are missing: nan, or text such as "" and "NA" that is none of `names`."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind != "U":
        return np.zeros(values.shape, bool)
    classes = {plain(name) for name in names}
    # where a class is called NA, this word is no gap
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
    # from 2 ** 53 on, floats leave whole numbers out
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
    return text and not any(
        PATTERNS["number"].match(value.strip(" [")) for value in values
    )


def numbers(name: str, values: np.ndarray) -> np.ndarray:
    """Return scores as numbers; "85%", "8/10" and "[0.1, 0.9]" are, any other text is an error."""
    if values.ndim == 1:
        refuse_empty(name, values)
    if values.dtype.kind in "biuf":
        return values
    if values.dtype.kind != "U":
        raise ReadingError(f"{name!r} holds {values.dtype}, expected numbers")
    if values.ndim == 1 and all(map(is_vector, values)):
        with suppress(ValueError):  # of vectors that differ in length, or hold words
            return np.array(
                [value[1:-1].replace(",", " ").split() for value in values], float
            )
    return _parsed(name, values)


def _parsed(name: str, values: np.ndarray) -> np.ndarray:
    """Return cells of text as numbers."""
    if not (np.char.find(values, ".") >= 0).any():
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
            raise ReadingError(
                f"row {row} of {name!r} is {str(value)!r}, expected a number"
            )
    return float(text) / (float(divisor or 1) or np.nan)


def truth(name: str, values: np.ndarray) -> np.ndarray:
    """Return what says right or wrong as numbers, 1 and 0."""
    words, verdicts = np.char.lower(texts(values)), (*NAMES["true"], *NAMES["false"])
    strange = np.flatnonzero(~np.isin(words, verdicts))
    if len(strange):
        row = _strangest(values, strange)
        raise ReadingError(
            f"row {row} of {name!r}: {str(values[row])!r} says neither right nor wrong, "
            f"expected one of {', '.join(verdicts)}"
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
        return dict(zip(labels, labels, strict=True))
    of_plain = dict(zip(map(plain, names), names, strict=True))
    alike = {label: of_plain.get(plain(label), "") for label in labels}
    # names that are alike but for what people vary are left alone: they may mean two things
    names_differ = len(of_plain) == len({*names})
    labels_differ = len({*alike.values()}) == len(alike)
    return alike if names_differ and labels_differ and all(alike.values()) else {}


def numbered_labels(
    y: np.ndarray,
    classes: Sequence[str] | None,
    n_classes: int,
    labels_from: int | None,
    name: str,
) -> np.ndarray:
    """Return labels as numbers from 0; a label is the name of a class, or its number."""
    refuse_empty(name, y, classes or ())
    # each label once: a million rows have few
    values, place = np.unique(y, return_inverse=True)
    labels = texts(values).tolist()
    names = classes if labels_from is None else None
    codes = _codes_of_names(labels, names)
    if codes is not None:
        return codes[place]
    if y.dtype.kind == "b" and n_classes == 2:
        return values.astype(int)[place]
    if not are_whole(labels):
        _refuse_words(labels, place, classes, n_classes, name)
    _refuse_numbered_names(labels, names, name)
    codes = np.array(labels).astype(np.int64) - (labels_from or 0)
    _refuse_outside(codes, place, n_classes, labels_from, name)
    return codes[place]


def _codes_of_names(
    labels: list[str], names: Sequence[str] | None
) -> np.ndarray | None:
    """Return the place of each label among names of classes; None where these are not they."""
    alike = matched(labels, names) if names else {}
    if not names or not alike:
        return None
    return np.array([names.index(alike[label]) for label in labels])


def _refuse_numbered_names(
    labels: list[str], names: Sequence[str] | None, name: str
) -> None:
    """Refuse labels that are numbers beside classes whose names are other numbers."""
    if names and are_whole(names):
        raise ReadingError(
            f"{name}: labels {few(labels, 4)}, and classes that are named {few(names, 4)}; if "
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
    strange = _strange_label(labels, classes or ())
    row = int(np.argmax(place == labels.index(strange)))
    problem = f"{name}: row {row} is {strange!r}"
    if strange in (
        classes or ()
    ):  # the names were not asked, since labels_from was given
        raise ReadingError(
            f"{problem}, the name of a class: leave out labels_from, for numbers"
        )
    if classes:
        raise ReadingError(f"{problem}, expected the name of a class, {few(classes)}")
    raise ReadingError(
        f"{problem}, a name; what names the {n_classes} classes in the order of the scores, is",
        {"classes": tuple(labels) if len(labels) == n_classes else "FILE"},
    )


def _strange_label(labels: list[str], classes: Sequence[str]) -> str:
    """Return the first label that is the name of no class, else the first that is no number."""
    no_names = [label for label in labels if not matched([label], classes)]
    if classes and no_names:
        return no_names[0]
    return next(label for label in labels if not are_whole([label]))


def _refuse_outside(
    codes: np.ndarray,
    place: np.ndarray,
    n_classes: int,
    labels_from: int | None,
    name: str,
) -> None:
    """Raise the error of labels that are no number of a class, with the first row."""
    are_outside = (codes < 0) | (codes >= n_classes)
    if not are_outside.any():
        return
    if n_classes == 2 and {*codes.tolist()} == {-1, 1}:
        raise ReadingError(
            f"{name}: labels -1 and 1; if these are the two classes",
            {"classes": ("-1", "1")},
        )
    first, row = labels_from or 0, int(np.argmax(are_outside[place]))
    value = int(codes[place][row]) + first
    problem = (
        f"{name}: row {row} is {value}, expected {first} to {n_classes - 1 + first}"
    )
    if labels_from is None and (codes.min() >= 1) & (codes.max() == n_classes):
        raise ReadingError(f"{problem}; if labels count from 1", {"labels_from": 1})
    raise ReadingError(
        f"{problem}; samples with this label are left out by",
        {"ignore_index": (value,)},
    )


def refuse_shifted(y: np.ndarray, prob: np.ndarray) -> None:
    """Refuse labels without a 0 that may count from 1, unless they clearly fit as they are."""
    if len(y) <= 5:
        return
    row = np.arange(len(y))
    gain = prob[row, y].astype(float) - prob[row, y - 1]
    # two standard errors; of a few rows no error is known
    enough = 2 * gain.std() / sqrt(len(y)) if len(y) >= 20 else 0
    if gain.mean() <= enough:
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
    if _agree_too_well(outputs):
        yield NOTED["own"]
    if outputs.kind == "logits" and _are_log_probabilities(outputs.known[:1000]):
        yield NOTED["log_probabilities"]


def _agree_too_well(outputs: ModelOutputs) -> bool:
    """Tell whether labels may be the model's own: all predictions are right, and not sure."""
    accuracy = float(np.mean(outputs.prob.argmax(axis=1) == outputs.y))
    return accuracy == 1 and len(outputs) >= 50 and outputs.pairs[0].mean() < 0.97


def _are_log_probabilities(logits: np.ndarray) -> bool:
    """Tell whether logits are normalised already: their exponentials sum to one."""
    return bool(np.abs(np.logaddexp.reduce(logits, axis=1, dtype=float)).max() < 1e-3)


def _keys(scores: np.ndarray) -> np.ndarray:
    """Return a number for the first scores of each row; 0 where few digits may make rows alike."""
    rows = np.ascontiguousarray(scores[:, :8])
    finite = np.where(np.isfinite(rows), rows, 0)
    # of probabilities one with more than four digits, of logits two with more than two
    fine = (np.abs(np.round(finite, 4) - finite) > 1e-6).any(axis=1)
    n_fine = (np.abs(np.round(finite, 2) - finite) > 1e-6).sum(axis=1)
    fine |= (finite.min(axis=1) < 0) & (n_fine > 1)
    # blake2b, for Python's own hash differs from process to process
    digests = b"".join(blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(digests, np.int64) * fine


def refuse_shared(test: np.ndarray, to_fit: np.ndarray) -> None:
    """Refuse samples that stand in the calibration set too."""
    keys = _keys(test)
    shared = int((np.isin(keys, _keys(to_fit)) & (keys != 0)).sum())
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
    n_labelled = len(np.unique(sample[again] * outputs.n_classes + outputs.y[again]))
    expected = (1 - outputs.pairs[0][again]).sum()  # labels that would differ by chance
    labels_differ = n_labelled > len(np.unique(sample[again]))
    if again.sum() < len(keys) / 50 or labels_differ or expected < 3:
        return None
    # a row that is no copy is a cluster of its own
    clusters = np.where(again, sample, len(keys) + np.arange(len(keys)))
    return np.unique(clusters, return_inverse=True)[1]
