"""Load the evidence: published tables, the zoo's predictions and computed results.

The files lie in the checkout's folder ``data``; the environment variable ``CALIB_DATA`` names
another one. Every function here checks what it reads before it returns it.
"""

import csv
import hashlib
import io
import json
import os
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

import numpy as np

from calib.checks import check_labels, check_logits, check_pairs, check_probabilities, softmax
from calib.readers import read_npz

PAPERS = ("guo2017", "nixon2019", "gupta2021", "vasilev2021")


class UndeclaredDataError(RuntimeError):
    """A chapter read a file that its front matter does not declare."""


@dataclass(frozen=True, eq=False)
class Split:
    """Predictions for one set of samples, as much of them as is known.

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Labels.
    order : str
        Names the samples and their order. Only splits of the same order can be compared sample
        by sample; see `check_paired`.
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
class Predictions:
    """What one network said, and what is known about it.

    Attributes
    ----------
    name : str
    known : {"logits", "probabilities", "top5", "top1"}
        How much of the network's output is there.
    calibration : Split or None
        Samples to fit calibrators on; None where the source has only one set.
    test : Split
        Samples to measure on.
    about : dict
        Where it comes from: data set, model, licence and so on.

    Examples
    --------
    >>> test = Split([0, 1], order="test", logits=[[2.0, 0.0], [1.0, 0.0]])
    >>> Predictions("toy", "logits", None, test)
    Predictions('toy', known='logits', test=2)
    """

    name: str
    known: str
    calibration: Split | None
    test: Split
    about: dict = field(default_factory=dict)

    def __repr__(self):
        sizes = f"test={len(self.test)}"
        if self.calibration is not None:
            sizes = f"calibration={len(self.calibration)}, {sizes}"
        return f"Predictions({self.name!r}, known={self.known!r}, {sizes})"


def check_paired(first: Split, second: Split) -> np.ndarray:
    """Check that two splits hold the same samples, so that they can be compared in pairs.

    Parameters
    ----------
    first, second : Split
        Predictions of two networks.

    Returns
    -------
    ndarray of int, shape (n,)
        The labels that they share.

    Raises
    ------
    ValueError
        If the splits hold other samples or the same ones in another order. Equal labels are not
        enough: files exist whose images are shuffled within each class.

    Examples
    --------
    >>> first = Split([0, 1], order="test", logits=[[2.0, 0.0], [1.0, 0.0]])
    >>> second = Split([0, 1], order="test", logits=[[3.0, 0.0], [0.0, 1.0]])
    >>> check_paired(first, second)
    array([0, 1])
    """
    if first.order != second.order:
        raise ValueError(f"order: {first.order!r} and {second.order!r} cannot be paired by sample")
    if not np.array_equal(first.y, second.y):
        raise ValueError(f"y: the labels differ although both splits are {first.order!r}")
    return first.y


def data_folder() -> Path:
    """The folder of the evidence: ``CALIB_DATA``, or ``data`` in the checkout."""
    folder = Path(os.environ.get("CALIB_DATA") or Path(__file__).resolve().parents[1] / "data")
    if not (folder / "published").is_dir():
        raise FileNotFoundError(
            f"{folder} does not hold the data of the book. An installed calib comes without it: "
            "set CALIB_DATA to the folder `data` of a checkout."
        )
    return folder


def read_declared(relative: str) -> bytes:
    """The bytes of a file under `data_folder`, which a chapter must have declared.

    Raises
    ------
    UndeclaredDataError
        If ``CALIB_DECLARED`` is set and none of its patterns matches.
    """
    declared = os.environ.get("CALIB_DECLARED")
    patterns = declared.split(os.pathsep) if declared is not None else ["*"]
    if not any(fnmatchcase(relative, pattern) for pattern in patterns):
        raise UndeclaredDataError(
            f"{relative} is read but not declared: add it to `calib: {{data: […]}}` "
            "in the front matter of the chapter"
        )
    return (data_folder() / relative).read_bytes()


def load_published(paper: str, table: int | None = None):
    """Cells of a paper's tables, one a row.

    Parameters
    ----------
    paper : {"guo2017", "nixon2019", "gupta2021", "vasilev2021"}
    table : int, optional
        The number of one table; all of them by default.

    Returns
    -------
    DataFrame
        Columns paper, table, metric, dataset, model, loss, method, value. Values are floats in
        the unit that the paper prints, percent for most metrics; `loss` is empty where the table
        names none.

    Raises
    ------
    ValueError
        If the paper or the table is not there.

    Examples
    --------
    >>> cells = load_published("gupta2021", table=1)
    >>> cells[(cells.model == "ResNet-110") & (cells.dataset == "CIFAR-10")].value.tolist()
    [4.75, 0.916, 0.996, 0.977, 1.06, 0.643]
    """
    import pandas as pd

    if paper not in PAPERS:
        raise ValueError(f"paper: {paper!r} is not one of {', '.join(PAPERS)}")
    content = io.BytesIO(read_declared(f"published/{paper}.csv"))
    cells = pd.read_csv(content, keep_default_na=False).astype({"value": float})
    if table is None:
        return cells
    if table not in set(cells.table):
        raise ValueError(f"table: {paper} has no table {table}, only {sorted(set(cells.table))}")
    return cells[cells.table == table].reset_index(drop=True)


def zoo_index():
    """What is known of each network of the zoo, one a row.

    Returns
    -------
    DataFrame
        The columns that ``data/zoo/README.md`` describes.

    Raises
    ------
    FileNotFoundError
        If the folder of the data is not there; ``CALIB_DATA`` names it.

    Examples
    --------
    >>> zoo_index().set_index("name").depth["fashion-resnet8-w8-s1"].item()
    8
    """
    return csv_frame(read_declared("zoo/zoo.csv"))


def load_zoo(name: str) -> Predictions:
    """Held-out logits of a network that was trained for the book.

    Parameters
    ----------
    name : str
        A name of `zoo_index`.

    Returns
    -------
    Predictions
        With logits for a calibration set and a test set.

    Raises
    ------
    ValueError
        If no such network is in the index, or its file is not the one that the index describes.

    Examples
    --------
    >>> load_zoo("fashion-resnet8-w8-s1").test.logits.shape[1]
    10
    """
    index = {row["name"]: row for row in csv_rows(read_declared("zoo/zoo.csv"))}
    if name not in index:
        raise ValueError(f"name: {name!r} is not in the zoo; it holds {', '.join(sorted(index))}")
    content = read_declared(f"zoo/{name}.npz")
    check_sha256(f"zoo/{name}.npz", content, index[name]["sha256"])
    about = {key: value for key, value in index[name].items() if key != "sha256"}
    arrays = read_npz(content)
    calibration, test = (
        Split(
            arrays[f"{part}_y"],
            order=f"zoo/{about['dataset']}/{part}",
            logits=arrays[f"{part}_logits"],
        )
        for part in ("calibration", "test")
    )
    about |= json.loads(arrays["about"].item())
    return Predictions(name, "logits", calibration, test, about)


def load_results(name: str):
    """A table that was computed from public predictions.

    Parameters
    ----------
    name : str
        The stem of a file in ``data/results``.

    Returns
    -------
    DataFrame

    Raises
    ------
    ValueError
        If there is no such table; the error lists those that are there.

    Examples
    --------
    >>> load_results("missing_mass").columns[0]
    'source'
    """
    if not (data_folder() / "results" / f"{name}.csv").is_file():
        there = sorted(path.stem for path in (data_folder() / "results").glob("*.csv"))
        raise ValueError(f"name: no results {name!r}; there are {', '.join(there)}")
    return csv_frame(read_declared(f"results/{name}.csv"))


def check_sha256(name: str, content: bytes, expected: str):
    """Raise a ValueError unless the content has the expected checksum."""
    actual = hashlib.sha256(content).hexdigest()
    if actual != expected:
        raise ValueError(f"{name}: its SHA-256 is {actual}, expected {expected}")


def csv_frame(content: bytes):
    """The DataFrame of a CSV file in which only empty fields are missing."""
    import pandas as pd

    return pd.read_csv(io.BytesIO(content), keep_default_na=False, na_values=[""])


def csv_rows(content: bytes) -> list[dict]:
    """The rows of a CSV file as strings by column."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
