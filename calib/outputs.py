"""Read the outputs of your own model from a file, trusting nothing in it."""

import csv
import warnings
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from calib.checks import (
    check_choice,
    check_labels,
    check_logits,
    check_not_masked,
    check_pairs,
    check_probabilities,
    refuse_probabilities,
    softmax,
)
from calib.files import read_file, refuse_special
from calib.readers import read_npy, read_npz

KINDS = ("logits", "probabilities")
NO_CLASS = {"id", "idx", "index", "row", "y_true", "y_pred", "pred", "predicted", "prediction"}
NO_CLASS |= {"label", "target", "confidence", "score"}
LOWEST = 1e-12  # what a probability counts as at least where its logarithm is taken
LARGE = 10_000_000  # numbers from which an array is held in float32


@dataclass(frozen=True, eq=False)
class Split:
    """Predictions for one set of samples, as much of them as is known.

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Labels.
    order : str
        Names the samples and their order. Only splits of the same order can be compared sample
        by sample.
    logits : ndarray of float, shape (n, K), optional
        Logits.
    probabilities : ndarray of float, shape (n, K), optional
        Probabilities, where logits are not known.
    classes : ndarray of int, shape (n, r), optional
        The r most probable classes, most probable first, where only these are known.
    scores : ndarray of float, shape (n, r), optional
        Their probabilities; they need not sum to one.

    Examples
    --------
    >>> scores = [[0.8, 0.1], [0.5, 0.4]]
    >>> split = Split([0, 1], order="two", classes=[[0, 1], [2, 1]], scores=scores)
    >>> score, hit = split.pairs
    >>> score.tolist(), hit.tolist()
    ([0.8, 0.5], [1, 0])
    """

    y: np.ndarray
    order: str
    logits: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    classes: np.ndarray | None = None
    scores: np.ndarray | None = None

    def __post_init__(self):
        if sum(a is not None for a in (self.logits, self.probabilities, self.scores)) != 1:
            raise ValueError("Split: give logits, or probabilities, or scores with classes")
        if self.logits is not None:
            self._keep(logits=check_logits(self.logits))
            n, n_classes = self.logits.shape
        elif self.probabilities is not None:
            self._keep(probabilities=check_probabilities(self.probabilities))
            n, n_classes = self.probabilities.shape
        else:
            scores, classes = _check_ranked(self.scores, self.classes)
            self._keep(scores=scores, classes=classes)
            n, n_classes = len(scores), np.iinfo(np.int64).max
        self._keep(y=check_labels(self.y, n_classes, n=n, name="y"))

    def _keep(self, **arrays):
        for name, array in arrays.items():
            wide = array.astype(np.int64 if array.dtype.kind in "iu" else np.float64, copy=False)
            object.__setattr__(self, name, wide)

    def __len__(self):
        return len(self.y)

    @cached_property
    def prob(self) -> np.ndarray:
        """Probabilities, shape (n, K); a ValueError where only the top scores are known."""
        if self.logits is not None:
            return softmax(self.logits)
        if self.probabilities is None:
            raise ValueError(
                f"prob: only the top {self.scores.shape[1]} of the probabilities are known; "
                "use .pairs, or .scores and .classes"
            )
        return self.probabilities

    @cached_property
    def ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores and classes of each sample, most probable first: all known ones, (n, r) each."""
        if self.scores is not None:
            return self.scores, self.classes
        classes = np.argsort(-self.prob, axis=1, kind="stable")
        return np.take_along_axis(self.prob, classes, axis=1), classes

    def top_r_pairs(self, r: int) -> tuple[np.ndarray, np.ndarray]:
        """Score and hit of the r-th most probable class, also where only the top five are known."""
        scores, classes = self._first(r)
        return scores[:, r - 1], (classes[:, r - 1] == self.y).astype(np.intp)

    def within_top_r_pairs(self, r: int) -> tuple[np.ndarray, np.ndarray]:
        """Sum of the r largest scores, and whether the label is one of their classes.

        A sum that exceeds one, as sums of rounded scores may, counts as one.
        """
        scores, classes = self._first(r)
        hit = (classes == self.y[:, None]).any(axis=1)
        return np.minimum(scores.sum(axis=1), 1), hit.astype(np.intp)

    def _first(self, r):
        scores, classes = self.ranked
        if not 1 <= r <= scores.shape[1]:
            raise ValueError(f"r: {r}, expected a rank from 1 to {scores.shape[1]}")
        return scores[:, :r], classes[:, :r]

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Confidence and hit of the top label, each of shape (n,)."""
        if self.scores is not None:
            return self.scores[:, 0], (self.classes[:, 0] == self.y).astype(np.intp)
        top = self.prob.argmax(axis=1)
        return self.prob[np.arange(len(top)), top], (top == self.y).astype(np.intp)


def _check_ranked(scores, classes):
    scores, classes = np.asarray(scores), np.asarray(classes)
    if scores.ndim != 2 or scores.shape != classes.shape or classes.dtype.kind not in "iu":
        raise ValueError(
            f"scores, classes: shapes {scores.shape} and {classes.shape}, expected numbers and "
            "class indices of one shape (n, r)"
        )
    for column in scores.T:
        check_pairs(column, np.zeros(len(column)), names=("scores", "hit"))
    rising = (np.diff(scores, axis=1) > 0).any(axis=1)
    if rising.any():
        row = int(rising.argmax())
        raise ValueError(f"scores: row {row} is {scores[row]}, expected the largest first")
    return scores, classes


@dataclass(frozen=True, eq=False)
class ModelOutputs:
    """Outputs of one model for samples whose labels are known.

    Attributes
    ----------
    kind : {"logits", "probabilities"}
    y : ndarray of int, shape (n,)
        Labels.
    scores : ndarray, shape (n, K)
        Logits or probabilities, as `kind` says.
    calibration_y, calibration_scores : ndarray or None
        The same for a calibration set, where the file has one.
    classes : list of str
        Names of the K classes.
    notes : tuple of str
        What whoever reads a report should know about the file, a sentence each.
    """

    kind: str
    y: np.ndarray
    scores: np.ndarray
    calibration_y: np.ndarray | None
    calibration_scores: np.ndarray | None
    classes: list
    notes: tuple = ()

    @cached_property
    def floor(self):
        """The number that a probability of zero counts as where a logarithm is taken of it.

        Half of the smallest positive probability of the file, as zeros mostly come of rounding,
        but at least 1e-12 and at most 0.005; 1e-12 where there are no zeros.
        """
        held = [a for a in (self.scores, self.calibration_scores) if a is not None]
        if self.kind == "logits" or all(scores.min() > 0 for scores in held):
            return LOWEST
        smallest = min(float(scores.min(where=scores > 0, initial=1)) for scores in held)
        return float(np.clip(smallest / 2, LOWEST, 0.005))

    @cached_property
    def rows_of_zeros(self):
        """The rows whose true class has probability zero, so that the NLL is infinite."""
        true = self.probabilities()[np.arange(len(self.y)), self.y]
        return np.flatnonzero(true == 0)

    def probabilities(self):
        """Probabilities of the samples, shape (n, K)."""
        return self.scores if self.kind == "probabilities" else softmax(self.scores)

    def logits(self):
        """Logits of the samples; log-probabilities where only probabilities are known."""
        return as_logits(self.scores, self.kind, self.floor)

    def calibration_logits(self):
        """Logits of the calibration set."""
        return as_logits(self.calibration_scores, self.kind, self.floor)


def as_logits(scores, kind, floor):
    """Return logits as they are, and the logarithm of probabilities, no smaller than a floor."""
    if kind == "logits":
        return scores
    wide = np.float64 if scores.size < LARGE else np.float32
    z = np.maximum(scores, floor, dtype=wide)
    return np.log(z, out=z)


def read_outputs(path, *, kind=None, labels=None, classes=None, ignore=(), atol=None):
    """Read a model's outputs from a file, trusting nothing in it.

    Parameters
    ----------
    path : str or Path
        An npz archive with ``y`` and ``logits`` or ``probabilities``, and if there is a
        calibration set ``calibration_y`` and ``calibration_logits`` or
        ``calibration_probabilities``; the names ``test_y`` and ``test_logits`` serve as well.
        Or a csv table whose column ``y`` holds labels and whose other columns are the classes;
        a label is the number of a class, from 0, or its name where no name is a number.
        Or an npy array (n, K), with `labels`.
    kind : {"logits", "probabilities"}, optional
        What a csv or npy file holds. Needed there: the two cannot be told apart safely.
    labels : str or Path, optional
        npy file of the labels, for an npy file of scores.
    classes : list of str, optional
        Names of the classes; otherwise those of the file, or their numbers.
    ignore : sequence of str
        Columns of a csv table that are no classes.
    atol : float, optional
        How far from one the sum of a row of probabilities may be, see
        :func:`calib.check_probabilities`. Rows are then divided by their sums.

    Returns
    -------
    ModelOutputs

    Raises
    ------
    ValueError
        If the file is not what it should be; the message names the file and what is wrong.
    OSError
        If the file cannot be read.
    """
    try:
        return _checked(**_read(path, kind, labels, ignore=ignore), named=classes, atol=atol)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_scores(path, *, kind=None, ignore=(), atol=None):
    """Return a file like those of `read_outputs`, whose labels may be missing.

    Returns
    -------
    kind : {"logits", "probabilities"}
    scores : ndarray, shape (n, K)
    classes : list of str, or None where the file does not name them

    Raises
    ------
    ValueError, OSError
        As `read_outputs`.
    """
    try:
        parts = _read(path, kind, None, labelled=False, ignore=ignore)
        kind = parts["kind"]
        scores, _ = _check_kind(parts["scores"], kind, kind, atol)
        return kind, scores, _names(parts.get("classes"), scores.shape[1])
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _read(path, kind, labels, labelled=True, ignore=()):
    """Return the parts of a file, unchecked: kind, y, scores and what else there is."""
    path = Path(path)
    readers = {".npz": _from_npz, ".csv": _from_csv, ".npy": _from_npy}
    if path.suffix not in readers:
        raise ValueError("expected a file that ends in .npz, .csv or .npy")
    if kind is not None:
        check_choice(kind, "kind", KINDS)
    elif path.suffix != ".npz":
        raise ValueError("say --kind logits or --kind probabilities: they cannot be told apart")
    if labels is not None and path.suffix != ".npy":
        raise ValueError("labels are a part of this file; --labels goes with an npy file only")
    if ignore and path.suffix != ".csv":
        raise ValueError("columns to ignore are those of a csv table; this file has none")
    options = {"ignore": set(ignore)} if path.suffix == ".csv" else {}
    return readers[path.suffix](path, kind, labels, labelled, **options)


def _check_kind(scores, kind, name, atol):
    """Return checked logits or probabilities, and how far from one sums of rows were at most."""
    if kind == "probabilities":
        p = check_probabilities(scores, atol=atol, name=name)
        if atol is None:
            return _narrow(p), 0.0
        total = p.sum(axis=1, keepdims=True, dtype=np.float64)
        return _narrow(p / total), float(np.abs(total - 1).max())
    if atol is not None:
        raise ValueError("atol is for probabilities; this file holds logits")
    z = check_logits(scores, name=name)
    refuse_probabilities(z, name)
    return _narrow(z), 0.0


def _narrow(scores):
    """Return large arrays in float32, which halves what a report needs of memory."""
    return scores.astype(np.float32) if scores.size >= LARGE and scores.itemsize > 4 else scores


def _checked(
    kind,
    y,
    scores,
    calibration_y=None,
    calibration_scores=None,
    classes=None,
    named=None,
    atol=None,
):
    scores, off = _check_kind(scores, kind, kind, atol)
    n_classes = scores.shape[1]
    y = check_labels(y, n_classes, n=len(scores), name="y")
    if kind == "logits":
        check_not_masked(scores, y)
    if calibration_scores is not None:
        calibration_scores, _ = _check_kind(calibration_scores, kind, f"calibration_{kind}", atol)
        if calibration_scores.shape[1] != n_classes:
            raise ValueError(
                f"calibration_{kind}: {calibration_scores.shape[1]} classes, expected {n_classes}"
            )
        calibration_y = check_labels(
            calibration_y, n_classes, n=len(calibration_scores), name="calibration_y"
        )
    names = _names(named or classes, n_classes) or [str(k) for k in range(n_classes)]
    notes = [
        *(_looks_wrong(kind, scores, y)),
        *([f"Rows summed to one within {off:.2g}; they were divided by their sums."] * (off > 0)),
    ]
    arrays = (y, scores, calibration_y, calibration_scores)
    return ModelOutputs(kind, *arrays, names, tuple(notes))


def _names(names, n_classes):
    """Return names of classes as text, checked; None where there are none."""
    if not names:
        return None
    names = [str(name) for name in names]
    if len(names) != n_classes or len(set(names)) != n_classes:
        raise ValueError(f"classes: {len(set(names))} different names for {n_classes} classes")
    numbers = [str(k) for k in range(n_classes)]
    if all(name.lstrip("-").isdecimal() for name in names) and names != numbers:
        raise ValueError(
            f"classes: they are named {_few(names)}, so it is not known which class a label is; "
            f"expected 0 to {n_classes - 1} in this order, or names that are no numbers"
        )
    return names


def _looks_wrong(kind, scores, y):
    """Yield a sentence for each sign that a file is not what it is called."""
    n, n_classes = scores.shape
    right = np.mean(scores.argmax(axis=1) == y)
    if right + 3 * (right * (1 - right) / n) ** 0.5 < 1 / n_classes:
        yield (
            f"The accuracy, {right:.2%}, is below that of guessing, {1 / n_classes:.2%}: are the "
            "columns in the order of the labels, and the rows in that of the scores?"
        )
    if kind == "logits" and np.abs(np.exp(scores[:1000]).sum(axis=1) - 1).max() < 1e-3:
        yield (
            "The logits are log-probabilities. A map that is fitted on them serves "
            "log-probabilities, and no other logits of the model."
        )


def _from_npz(path, kind, labels, labelled):
    refuse_special(path)
    arrays = read_npz(path)
    found = _few(list(arrays))
    for name in ("y", *KINDS):
        if name in arrays and f"test_{name}" in arrays:
            raise ValueError(f"it holds '{name}' and 'test_{name}'; keep those of one set")
    tested = {
        f"test_{name}" in arrays for name in ("y", *KINDS) if {name, f"test_{name}"} & set(arrays)
    }
    if labelled and len(tested) == 2:
        raise ValueError(f"labels and scores of two sets, one named 'test_', found {found}")
    arrays = {name.removeprefix("test_"): array for name, array in arrays.items()}
    held = [name for name in KINDS if name in arrays]
    if len(held) != 1:
        raise ValueError(f"expected one array named 'logits' or 'probabilities', found {found}")
    if kind not in (None, held[0]):
        raise ValueError(f"it holds {held[0]}, not {kind}")
    if labelled and "y" not in arrays:
        raise ValueError(f"expected an array of labels named 'y', found {found}")
    calibration = arrays.get(f"calibration_{held[0]}")
    if (calibration is None) != ("calibration_y" not in arrays):
        raise ValueError(f"'calibration_{held[0]}' and 'calibration_y' come together or not at all")
    return {
        "kind": held[0],
        "y": arrays.get("y"),
        "scores": arrays[held[0]],
        "calibration_y": arrays.get("calibration_y"),
        "calibration_scores": calibration,
        "classes": arrays["classes"].ravel().tolist() if "classes" in arrays else None,
    }


def _from_csv(path, kind, labels, labelled, ignore):
    try:
        names, table = _read_table(path, labelled, ignore)
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"not a csv table: {error}") from None
    column = {name: i for i, name in enumerate(names)}
    classes = [name for name in names if name != "y" and name not in ignore]
    numbers = [str(k) for k in range(len(classes))]
    if set(classes) == set(numbers):
        classes = numbers  # a column is the class that its name says
    for name in classes:
        _refuse_no_class(name, table[:, column[name]])
    return {
        "kind": kind,
        "y": table[:, column["y"]] if "y" in column else np.array([]),
        "scores": table[:, [column[name] for name in classes]],
        "classes": classes,
    }


def _refuse_no_class(name, values):
    """Raise a ValueError where a column cannot be a class."""
    steps = np.diff(values)
    if name.lower() in NO_CLASS or (len(steps) >= 2 and values[0] in (0, 1) and (steps == 1).all()):
        raise ValueError(f"column {name!r} is no class; if so, ignore it: --ignore {name}")


def _read_table(path, labelled, ignore):
    """Return the names of the columns and the numbers below them, shape (n, columns)."""
    refuse_special(path)
    with open(path, encoding="utf-8-sig", newline="") as file:
        names = [name.strip() for name in next(csv.reader(file), []) or []]
        if absent := sorted(ignore - set(names)):
            raise ValueError(f"there is no column {absent[0]!r} to ignore, found {_few(names)}")
        if labelled and "y" not in names:
            raise ValueError(
                f"expected a column of labels named 'y' and commas between, found {_few(names)}"
            )
        if "" in names:
            raise ValueError(f"column {names.index('') + 1} has no name; leave out row numbers")
        name, times = Counter(names).most_common(1)[0]
        if times > 1:
            raise ValueError(f"more than one column is named {name!r}")
        label = _label_reader([name for name in names if name != "y" and name not in ignore])
        converters = {i: label for i, name in enumerate(names) if name == "y"}
        converters |= {i: _nothing for i, name in enumerate(names) if name in ignore}
        options = {"delimiter": ",", "quotechar": '"', "comments": None, "ndmin": 2}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of an empty table, refused below
                table = np.loadtxt(file, converters=converters, **options)
        except ValueError:
            _refuse_line(path, names, label, ignore)
            raise
    if not table.size:
        raise ValueError("no rows below the names of the columns")
    if table.shape[1] != len(names):
        raise ValueError(f"line 2 has {table.shape[1]} fields, expected {len(names)} as in line 1")
    return names, table


def _label_reader(classes):
    """Return the function that reads a label: a number, or the name of a class."""
    if any(map(_is_number, classes)):
        return float
    numbers = {name: i for i, name in enumerate(classes)}
    return lambda text: numbers[text.strip()] if text.strip() in numbers else float(text)


def _nothing(_text):
    return 0.0


def _refuse_line(path, names, label, ignore):
    """Raise a ValueError that names the first line which is not as it should be."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for row in filter(None, rows):
            at = f"line {rows.line_num}"
            if len(row) != len(names):
                raise ValueError(f"{at} has {len(row)} fields, expected {len(names)} as in line 1")
            for name, text in zip(names, row, strict=True):
                if name not in ignore and not _is_number(text, label if name == "y" else float):
                    what = "a number or the name of a class" if name == "y" else "a number"
                    raise ValueError(f"{at}, column {name!r}: {text!r} is not {what}")


def _is_number(text, read=float):
    try:
        read(text)
    except ValueError:
        return False
    return True


def _few(names, most=5):
    return ", ".join(map(repr, names[:most])) + ", …" * (len(names) > most) or "nothing"


def _from_npy(path, kind, labels, labelled):
    if labelled and labels is None:
        raise ValueError("an npy file of scores needs --labels, an npy file of the labels")
    y = None
    if labelled:
        try:
            y = read_npy(read_file(labels))
        except ValueError as error:
            raise ValueError(f"labels {labels}: {error}") from None
    return {"kind": kind, "y": y, "scores": read_npy(read_file(path))}
