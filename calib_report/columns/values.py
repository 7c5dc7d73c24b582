"""What labels and cells are by their values: empty, numbers, classes, true; and what looks odd."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from math import sqrt

import numpy as np

from calib_report.contract import (
    NAMES,
    NOTED,
    PATTERNS,
    Note,
    NotJudgedError,
    ReadingError,
    listed,
    plain,
)
from calib_report.doubting.suspicion import suspicion
from calib_report.model_outputs import ModelOutputs


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
    if values.dtype.kind != "U" or values.ndim != 1:
        return False
    # a bracket opens a vector of numbers
    cells = (value.strip(" [") for value in values)
    return not any(map(PATTERNS["number"].match, cells))


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
            return np.array([*map(_entries_of_cell, values)], float)
    return _parsed(name, values)


def _entries_of_cell(vector: str) -> list[str]:
    """Return what stands in a cell such as "[0.1, 0.9]", or as numpy prints it, without commas."""
    return vector[1:-1].replace(",", " ").split()


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
    divisor = divisor or "1"
    if text.endswith("%"):
        text, divisor = text[:-1].strip(), "100"
    if not (_is_number(text) and _is_number(divisor)):
        raise ReadingError(
            f"row {row} of {name!r} is {str(value)!r}, expected a number"
        )
    # of zero questions no share is known
    return float(text) / (float(divisor) or np.nan)


def _is_number(text: str) -> bool:
    # a pattern, since float takes 1_000, infinity and digits of all scripts too
    return PATTERNS["number"].fullmatch(text.strip()) is not None


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
    return alike if names_differ and _are_one_each(alike) else {}


def _are_one_each(names: Mapping[str, str]) -> bool:
    """Tell whether each label has a name, and no two have the same."""
    values = {*names.values()}
    return len(values) == len(names) and "" not in values


def numbered_labels(
    y: np.ndarray,
    classes: Sequence[str] | None,
    n_classes: int,
    labels_from: int | None,
    name: str,
) -> np.ndarray:
    """Return labels as numbers from 0; a label is the name of a class, or its number."""
    names = tuple(classes or ())
    refuse_empty(name, y, names)
    # each label once: a million rows have few
    values, place = np.unique(y, return_inverse=True)
    labels = texts(values).tolist()
    if labels_from is None:
        codes = _codes_of_names(labels, names)
        if codes is not None:
            return codes[place]
    if y.dtype.kind == "b" and n_classes == 2:
        return values.astype(int)[place]
    return LabelColumn(name, labels, place, labels_from).codes(names, n_classes)[place]


def _codes_of_names(labels: list[str], names: Sequence[str]) -> np.ndarray | None:
    """Return the place of each label among names of classes; None where these are not they."""
    alike = matched(labels, names)
    if not alike:
        return None
    return np.array([names.index(alike[label]) for label in labels])


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """A column of labels that should be numbers: each label once, and which one a row holds."""

    name: str
    labels: list[str]
    place: np.ndarray
    labels_from: int | None

    @property
    def first(self) -> int:
        """The number of the first class."""
        return self.labels_from or 0

    def codes(self, classes: tuple[str, ...], n_classes: int) -> np.ndarray:
        """Return each label as a number from 0; a ReadingError says which is none."""
        if not are_whole(self.labels):
            self._refuse_words(classes, n_classes)
        if self.labels_from is None:
            self._refuse_numbered_names(classes)
        codes = np.array(self.labels).astype(np.int64) - self.first
        are_outside = (codes < 0) | (codes >= n_classes)
        if are_outside.any():
            self._refuse_outside(codes, are_outside, n_classes)
        return codes

    def _refuse_words(self, classes: tuple[str, ...], n_classes: int) -> None:
        """Raise the error of labels that are names, where nothing names the classes so."""
        strange = _strange_label(self.labels, classes)
        row = int(np.argmax(self.place == self.labels.index(strange)))
        problem = f"{self.name}: row {row} is {strange!r}"
        # the names were not asked, since labels_from was given
        if strange in classes:
            raise ReadingError(
                f"{problem}, the name of a class: leave out labels_from, for numbers"
            )
        if classes:
            expected = f"expected the name of a class, {listed(classes)}"
            raise ReadingError(f"{problem}, {expected}")
        are_all = len(self.labels) == n_classes
        raise ReadingError(
            f"{problem}, a name; what names the {n_classes} classes in the order of the scores, is",
            {"classes": tuple(self.labels) if are_all else "FILE"},
        )

    def _refuse_numbered_names(self, classes: tuple[str, ...]) -> None:
        """Refuse labels that are numbers beside classes whose names are other numbers."""
        if classes and are_whole(classes):
            raise ReadingError(
                f"{self.name}: labels {listed(self.labels, 4)}, and classes that are named "
                f"{listed(classes, 4)}; if labels count the columns from 0, whatever their names",
                {"labels_from": 0},
            )

    def _refuse_outside(
        self, codes: np.ndarray, are_outside: np.ndarray, n_classes: int
    ) -> None:
        """Raise the error of labels that are no number of a class, with the first row."""
        if n_classes == 2 and {*codes.tolist()} == {-1, 1}:
            raise ReadingError(
                f"{self.name}: labels -1 and 1; if these are the two classes",
                {"classes": ("-1", "1")},
            )
        row, last = int(np.argmax(are_outside[self.place])), n_classes - 1 + self.first
        value = int(codes[self.place][row]) + self.first
        problem = f"{self.name}: row {row} is {value}, expected {self.first} to {last}"
        if self.labels_from is None and _count_from_one(codes, n_classes):
            raise ReadingError(f"{problem}; if labels count from 1", {"labels_from": 1})
        raise ReadingError(
            f"{problem}; samples with this label are left out by",
            {"ignore_index": (value,)},
        )


def _count_from_one(codes: np.ndarray, n_classes: int) -> bool:
    return bool(codes.min() >= 1 and codes.max() == n_classes)


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


def _strange_label(labels: list[str], classes: Sequence[str]) -> str:
    """Return the first label that is the name of no class, else the first that is no number."""
    no_names = [label for label in labels if not matched([label], classes)]
    if classes and no_names:
        return no_names[0]
    return next(label for label in labels if not are_whole([label]))


def refuse_shifted(y: np.ndarray, prob: np.ndarray) -> None:
    """Refuse labels without a 0 that may count from 1, unless they clearly fit as they are."""
    if len(y) <= 5 or y.min() == 0:
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


def looks_wrong(outputs: ModelOutputs) -> Iterator[Note]:
    """Yield a note for each sign that labels or scores are not what they are called."""
    finding = suspicion(outputs)
    if finding is not None:
        yield Note(finding.sentence, of="suspicion")
    if _agree_too_well(outputs):
        yield Note(NOTED["own"])
    if outputs.kind == "logits" and _are_log_probabilities(outputs.known[:1000]):
        yield Note(NOTED["log_probabilities"])


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
    if again.sum() < len(keys) / 50 or not _have_one_label(sample, again, outputs):
        return None
    # a row that is no copy is a cluster of its own
    clusters = np.where(again, sample, len(keys) + np.arange(len(keys)))
    return np.unique(clusters, return_inverse=True)[1]


def _have_one_label(
    sample: np.ndarray, again: np.ndarray, outputs: ModelOutputs
) -> bool:
    """Tell whether rows of equal scores have equal labels, by more than chance alone."""
    # labels that would differ by chance
    expected = (1 - outputs.pairs[0][again]).sum()
    labelled = sample[again] * outputs.n_classes + outputs.y[again]
    are_one = len(np.unique(labelled)) == len(np.unique(sample[again]))
    return bool(are_one and expected >= 3)
