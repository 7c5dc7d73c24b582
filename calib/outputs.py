"""Read the outputs of your own model from a file, trusting nothing in it."""

import csv
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from calib.checks import (
    NUMBERS_OF_A_LARGE_ARRAY,
    SMALLEST_PROBABILITY,
    as_logits,
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


@dataclass(frozen=True, eq=False)
class ModelOutputs:
    """Labels of samples, and what a model says of each, as much of it as is known.

    Exactly one of `logits`, `probabilities` and `scores` is given.

    Parameters
    ----------
    y : array_like of int, shape (n,)
        Labels, from 0.
    order : str, optional
        Names the samples and their order. Only outputs of the same order can be compared sample
        by sample.
    logits : array_like of float, shape (n, K), optional
    probabilities : array_like of float, shape (n, K), optional
        Probabilities, where logits are not known.
    classes : array_like of int, shape (n, r), optional
        The r most probable classes, most probable first, where only these are known.
    scores : array_like of float, shape (n, r), optional
        Their probabilities; they need not sum to one.
    calibration : ModelOutputs, optional
        The same for samples to fit a map on.
    class_names : list of str, optional
    notes : tuple of str
        What whoever reads a report should know about the outputs, a sentence each.

    Attributes
    ----------
    y, logits, probabilities, classes, scores : ndarray or None
        What was given, checked: float64, but for large arrays in float32, and probabilities in
        float16, whose rounding is allowed for.

    Raises
    ------
    ValueError
        Where an array is not as described; it names the row.

    Examples
    --------
    >>> scores = [[0.8, 0.1], [0.5, 0.4]]
    >>> outputs = ModelOutputs([0, 1], classes=[[0, 1], [2, 1]], scores=scores)
    >>> score, hit = outputs.pairs
    >>> score.tolist(), hit.tolist()
    ([0.8, 0.5], [1, 0])
    """

    y: np.ndarray
    order: str | None = None
    logits: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    classes: np.ndarray | None = None
    scores: np.ndarray | None = None
    calibration: "ModelOutputs | None" = None
    class_names: list[str] | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if sum(a is not None for a in (self.logits, self.probabilities, self.scores)) != 1:
            raise ValueError("ModelOutputs: give logits, or probabilities, or scores with classes")
        if self.logits is not None:
            self._keep(logits=check_logits(self.logits))
        elif self.probabilities is not None:
            p = check_probabilities(self.probabilities)
            if p.dtype == np.float16:  # stays, as its rounding is allowed for
                object.__setattr__(self, "probabilities", p)
            else:
                self._keep(probabilities=p)
        else:
            scores, classes = _check_ranked(self.scores, self.classes)
            self._keep(scores=scores, classes=classes)
        n_classes = np.iinfo(np.int64).max if self.kind == "ranked" else self.known.shape[1]
        self._keep(y=check_labels(self.y, n_classes, n=len(self.known), name="y"))

    def _keep(self, **arrays: np.ndarray) -> None:
        for name, array in arrays.items():
            wide: Any = np.int64 if array.dtype.kind in "iu" else np.float64
            if array.dtype == np.float32 and array.size >= NUMBERS_OF_A_LARGE_ARRAY:
                wide = np.float32
            object.__setattr__(self, name, array.astype(wide, copy=False))

    @classmethod
    def of_pairs(cls, score: ArrayLike, hit: ArrayLike) -> "ModelOutputs":
        """Return outputs of which only the pairs of one view are known.

        Examples
        --------
        >>> ModelOutputs.of_pairs([0.8, 0.5], [1, 0]).pairs
        (array([0.8, 0.5]), array([1, 0]))
        """
        s, h = check_pairs(score, hit)
        return cls(1 - h, classes=np.zeros((len(h), 1), int), scores=s[:, None])

    def __len__(self) -> int:
        return len(self.y)

    @property
    def kind(self) -> str:
        """What is known: "logits", "probabilities", or "ranked", the first few of these."""
        if self.logits is not None:
            return "logits"
        return "probabilities" if self.probabilities is not None else "ranked"

    @property
    def known(self) -> np.ndarray:
        """The logits, probabilities or scores that were given."""
        return next(a for a in (self.logits, self.probabilities, self.scores) if a is not None)

    @property
    def n_classes(self) -> int:
        """The number of classes; a ValueError where only the top scores are known."""
        self._refuse_ranked("n_classes")
        return self.known.shape[1]

    def _refuse_ranked(self, what: str) -> None:
        if self.scores is not None:
            raise ValueError(
                f"{what}: only the top {self.scores.shape[1]} of the probabilities are known; "
                "use .pairs, or .scores and .classes"
            )

    @cached_property
    def prob(self) -> np.ndarray:
        """Probabilities, shape (n, K); a ValueError where only the top scores are known."""
        self._refuse_ranked("prob")
        return softmax(self.logits) if self.logits is not None else self.known

    def as_logits(self, floor: float = SMALLEST_PROBABILITY) -> np.ndarray:
        """Return logits, or the logarithm of probabilities, none of which counts below a floor."""
        self._refuse_ranked("as_logits")
        return self.logits if self.logits is not None else as_logits(self.known, floor=floor)

    @cached_property
    def floor(self) -> float:
        """What a probability of zero may count as where a logarithm is taken of it.

        Half of the smallest positive probability, of the calibration set as well, as zeros mostly
        come of rounding, but at least 1e-12 and at most 0.005; 1e-12 where there are no zeros.
        """
        sets = [self] if self.calibration is None else [self, self.calibration]
        if self.kind == "logits" or all(held.known.min() > 0 for held in sets):
            return SMALLEST_PROBABILITY
        smallest = min(float(held.known.min(where=held.known > 0, initial=1)) for held in sets)
        return float(np.clip(smallest / 2, SMALLEST_PROBABILITY, 0.005))

    @cached_property
    def ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores and classes of each sample, most probable first: all known ones, (n, r) each."""
        if self.scores is not None and self.classes is not None:
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

    def _first(self, r: int) -> tuple[np.ndarray, np.ndarray]:
        scores, classes = self.ranked
        if not 1 <= r <= scores.shape[1]:
            raise ValueError(f"r: {r}, expected a rank from 1 to {scores.shape[1]}")
        return scores[:, :r], classes[:, :r]

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Confidence and hit of the top label, each of shape (n,)."""
        if self.scores is not None:
            return self.top_r_pairs(1)
        top = self.prob.argmax(axis=1)
        return self.prob[np.arange(len(top)), top], (top == self.y).astype(np.intp)

    def take(self, rows: np.ndarray) -> "ModelOutputs":
        """Return the outputs of some samples, without their calibration set."""
        arrays = ("y", "logits", "probabilities", "classes", "scores")
        held = {name: getattr(self, name) for name in arrays}
        some = {name: array[rows] for name, array in held.items() if array is not None}
        return replace(self, calibration=None, **some)


def _check_ranked(scores: Any, classes: Any) -> tuple[np.ndarray, np.ndarray]:
    scores, classes = np.asarray(scores), np.asarray(classes)
    if scores.ndim != 2 or scores.shape != classes.shape or classes.dtype.kind not in "iu":
        raise ValueError(
            f"scores, classes: shapes {scores.shape} and {classes.shape}, expected numbers and "
            "class indices of one shape (n, r)"
        )
    if (negative := (classes < 0).any(axis=1)).any():
        row = int(negative.argmax())
        raise ValueError(f"classes: row {row} is {classes[row]}, expected classes from 0")
    for column in scores.T:
        check_pairs(column, np.zeros(len(column)), names=("scores", "hit"))
    rising = (np.diff(scores, axis=1) > 0).any(axis=1)
    if rising.any():
        row = int(rising.argmax())
        raise ValueError(f"scores: row {row} is {scores[row]}, expected the largest first")
    return scores, classes


def read_outputs(
    path: str | Path,
    *,
    kind: Any = None,
    labels: Any = None,
    classes: Any = None,
    ignore: Any = (),
    atol: float | None = None,
) -> Any:
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
        With `class_names`, `notes` and, where the file has one, the `calibration` set.

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


def read_scores(
    path: str | Path, *, kind: Any = None, ignore: Any = (), atol: float | None = None
) -> Any:
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


def _read(path: str | Path, kind: Any, labels: Any, labelled: bool = True, ignore: Any = ()) -> Any:
    """Return the parts of a file, unchecked: kind, y, scores and what else there is."""
    path = Path(path)
    readers: dict[str, Any] = {".npz": _from_npz, ".csv": _from_csv, ".npy": _from_npy}
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


def _check_kind(scores: Any, kind: Any, name: str, atol: float | None) -> Any:
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


def _narrow(scores: Any) -> Any:
    """Return large arrays in float32, which halves what a report needs of memory."""
    large = scores.size >= NUMBERS_OF_A_LARGE_ARRAY
    return scores.astype(np.float32) if large and scores.itemsize > 4 else scores


def _checked(
    kind: Any,
    y: Any,
    scores: Any,
    calibration_y: Any = None,
    calibration_scores: Any = None,
    classes: Any = None,
    named: Any = None,
    atol: float | None = None,
) -> Any:
    scores, off = _check_kind(scores, kind, kind, atol)
    n_classes = scores.shape[1]
    y = check_labels(y, n_classes, n=len(scores), name="y")
    if kind == "logits":
        check_not_masked(scores, y)
    calibration = None
    if calibration_scores is not None:
        calibration_scores, _ = _check_kind(calibration_scores, kind, f"calibration_{kind}", atol)
        if calibration_scores.shape[1] != n_classes:
            raise ValueError(
                f"calibration_{kind}: {calibration_scores.shape[1]} classes, expected {n_classes}"
            )
        calibration_y = check_labels(
            calibration_y, n_classes, n=len(calibration_scores), name="calibration_y"
        )
        calibration = ModelOutputs(calibration_y, **{kind: calibration_scores})
    names = _names(named or classes, n_classes) or [str(k) for k in range(n_classes)]
    notes = (
        *(_looks_wrong(kind, scores, y)),
        *([f"Rows summed to one within {off:.2g}; they were divided by their sums."] * (off > 0)),
    )
    about: dict[str, Any] = {"calibration": calibration, "class_names": names, "notes": notes}
    return ModelOutputs(y, **{kind: scores}, **about)


def _names(names: Any, n_classes: Any) -> Any:
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


def _looks_wrong(kind: Any, scores: Any, y: Any) -> Iterator[Any]:
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


def _from_npz(path: str | Path, kind: Any, labels: Any, labelled: Any) -> Any:
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


def _from_csv(path: str | Path, kind: Any, labels: Any, labelled: Any, ignore: Any) -> Any:
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


def _refuse_no_class(name: str, values: Any) -> None:
    """Raise a ValueError where a column cannot be a class."""
    steps = np.diff(values)
    if name.lower() in NO_CLASS or (len(steps) >= 2 and values[0] in (0, 1) and (steps == 1).all()):
        raise ValueError(f"column {name!r} is no class; if so, ignore it: --ignore {name}")


def _read_table(path: str | Path, labelled: Any, ignore: Any) -> Any:
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
        converters: Any = {i: label for i, name in enumerate(names) if name == "y"}
        converters |= {i: _nothing for i, name in enumerate(names) if name in ignore}
        options: Any = {"delimiter": ",", "quotechar": '"', "comments": None, "ndmin": 2}
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


def _label_reader(classes: Any) -> Any:
    """Return the function that reads a label: a number, or the name of a class."""
    if any(map(_is_number, classes)):
        return float
    numbers = {name: i for i, name in enumerate(classes)}
    return lambda text: numbers[text.strip()] if text.strip() in numbers else float(text)


def _nothing(_text: Any) -> Any:
    return 0.0


def _refuse_line(path: str | Path, names: Any, label: Any, ignore: Any) -> None:
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


def _is_number(text: Any, read: Any = float) -> Any:
    try:
        read(text)
    except ValueError:
        return False
    return True


def _few(names: Any, most: int = 5) -> Any:
    return ", ".join(map(repr, names[:most])) + ", …" * (len(names) > most) or "nothing"


def _from_npy(path: str | Path, kind: Any, labels: Any, labelled: Any) -> Any:
    if labelled and labels is None:
        raise ValueError("an npy file of scores needs --labels, an npy file of the labels")
    y = None
    if labelled:
        try:
            y = read_npy(read_file(labels))
        except ValueError as error:
            raise ValueError(f"labels {labels}: {error}") from None
    return {"kind": kind, "y": y, "scores": read_npy(read_file(path))}
