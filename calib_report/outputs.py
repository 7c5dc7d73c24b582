"""Labels, and what a model says of each sample: logits, probabilities, or the first few."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import calib

TASKS = ("classes", "pairs", "labels")
LARGE = 10_000_000  # numbers from which on an array stays in float32, to save memory
FLOOR = 1e-12  # what a probability of zero counts as where its logarithm is taken


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
    task : {"classes", "pairs", "labels"}
        What is asked: which class; whether an answer is right, of a stated confidence; or, of each
        label that a sample may have, whether it has it. The last two are questions of two classes,
        and the score is the probability of the second.
    groups : dict of str to array_like, shape (n,)
        What parts the samples into groups, by name.
    clusters : array_like, shape (n,), optional
        Which samples belong together.
    ids : array_like, shape (n,), optional
        Names of the samples.

    Attributes
    ----------
    y, logits, probabilities, classes, scores, clusters, ids : ndarray or None
        What was given, checked: numbers are float64, but large arrays float32 where they were, and
        probabilities float16, whose rounding is allowed for.

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
    task: str = "classes"
    groups: dict[str, np.ndarray] = field(default_factory=dict)
    clusters: np.ndarray | None = None
    ids: np.ndarray | None = None

    def __post_init__(self) -> None:
        given = [getattr(self, name) for name in ("logits", "probabilities", "scores")]
        if sum(array is not None for array in given) != 1:
            raise ValueError("ModelOutputs: give logits, or probabilities, or scores with classes")
        if self.scores is not None:
            scores, classes = _checked_ranks(self.scores, self.classes)
            self._keep(scores=scores, classes=classes)
        else:
            self._keep(**{self.kind: _checked(self.known, self.kind)})
        n_classes = np.inf if self.kind == "ranked" else self.known.shape[1]
        self._keep(y=_checked_labels(self.y, len(self.known), n_classes))
        self._check_rest()

    def _check_rest(self) -> None:
        if self.task not in TASKS:
            raise ValueError(f"task: {self.task!r}, expected one of {', '.join(map(repr, TASKS))}")
        if self.kind != "ranked" and self.classes is not None:
            raise ValueError("classes: they go with scores; names are class_names")
        sentences = self.notes if isinstance(self.notes, list | tuple) else [None]
        if not all(isinstance(note, str) for note in sentences):
            raise ValueError(f"notes: {self.notes!r}, expected a sentence each")
        if not isinstance(self.order, str | None):
            raise ValueError(f"order: {self.order!r}, expected text")
        if self.task != "classes" and self.kind != "ranked" and self.n_classes != 2:
            raise ValueError(f"task: {self.task!r} has two classes, not {self.n_classes}")
        if not isinstance(self.calibration, ModelOutputs | None):
            raise ValueError(f"calibration: {self.calibration!r}, expected ModelOutputs")
        if not isinstance(self.groups, dict):
            raise ValueError(f"groups: {self.groups!r}, expected arrays by name")
        groups = {name: self._beside(values, name) for name, values in self.groups.items()}
        beside = {name: getattr(self, name) for name in ("clusters", "ids")}
        given = {name: self._beside(v, name) for name, v in beside.items() if v is not None}
        for name, value in {"groups": groups, **given}.items():
            object.__setattr__(self, name, value)
        if self.class_names is not None and _shape(self.class_names) != self.known.shape[1:]:
            raise ValueError(f"class_names: {self.class_names!r}, expected one for each class")

    def _beside(self, values: ArrayLike, name: str) -> np.ndarray:
        """Return what stands beside the samples as an array, one entry a sample."""
        if _shape(values) != self.y.shape:
            raise ValueError(f"{name}: shape {_shape(values)}, expected {self.y.shape}")
        return np.asarray(values)

    def _keep(self, **arrays: np.ndarray) -> None:
        for name, array in arrays.items():
            wide: type = np.int64 if name in ("y", "classes") else np.float64
            large = array.dtype == np.float32 and array.size >= LARGE
            half = array.dtype == np.float16 and name == "probabilities"
            kept = array if large or half else array.astype(wide, copy=False)
            object.__setattr__(self, name, kept)

    @classmethod
    def of_pairs(cls, score: ArrayLike, hit: ArrayLike) -> "ModelOutputs":
        """Return outputs of which only the pairs of one view are known.

        Examples
        --------
        >>> ModelOutputs.of_pairs([0.8, 0.5], [1, 0]).pairs
        (array([0.8, 0.5]), array([1, 0]))
        """
        s, h = np.asarray(score, dtype=np.float64), np.asarray(hit)
        if not np.isin(h, (0, 1)).all():
            raise ValueError("hit: expected 0 or 1 for each score")
        return cls(1 - h.astype(int), classes=np.zeros((len(h), 1), int), scores=s[:, None])

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
        return int(self.known.shape[1])

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
        return self.known if self.logits is None else calib.softmax(self.logits)

    def as_logits(self, floor: float = FLOOR) -> np.ndarray:
        """Return logits, or the logarithm of probabilities, none of which counts below a floor."""
        self._refuse_ranked("as_logits")
        return calib.as_logits(self.known, floor=floor) if self.logits is None else self.logits

    @cached_property
    def floor(self) -> float:
        """What a probability of zero may count as where a logarithm is taken of it.

        Half of the smallest positive probability, of the calibration set as well, as zeros mostly
        come of rounding, but at least 1e-12 and at most 0.005; 1e-12 where there are no zeros.
        """
        sets = [self] if self.calibration is None else [self, self.calibration]
        if self.kind == "logits" or all(held.known.min() > 0 for held in sets):
            return FLOOR
        smallest = min(float(held.known.min(where=held.known > 0, initial=1)) for held in sets)
        return float(np.clip(smallest / 2, FLOOR, 0.005))

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
        """Confidence and hit of the top label, or of the second of two classes, as `task` says."""
        if self.task != "classes":
            return self.prob[:, 1], self.y
        if self.scores is not None:
            return self.top_r_pairs(1)
        top = self.prob.argmax(axis=1)
        return self.prob[np.arange(len(top)), top], (top == self.y).astype(np.intp)

    def take(self, rows: np.ndarray) -> "ModelOutputs":
        """Return the outputs of some samples, without their calibration set."""
        arrays = ("y", "logits", "probabilities", "classes", "scores", "clusters", "ids")
        held = {name: getattr(self, name) for name in arrays}
        some = {name: array[rows] for name, array in held.items() if array is not None}
        groups = {name: group[rows] for name, group in self.groups.items()}
        return replace(self, calibration=None, groups=groups, **some)


def _shape(values: Any) -> tuple[int, ...] | None:
    """Return the shape of what should be an array; None where it is none."""
    try:
        return tuple(np.shape(values))
    except Exception:  # an object's own __array__ may raise anything
        return None


def _checked(known: Any, kind: str) -> np.ndarray:
    """Return logits or probabilities, shape (n, K >= 2), whose every row is one."""
    try:
        array = np.asarray(known.detach().cpu() if hasattr(known, "detach") else known)
    except Exception as error:  # as in `_shape`
        raise ValueError(f"{kind}: not an array of numbers ({error})") from None
    if array.dtype.kind not in "biuf" or np.ma.isMaskedArray(known):
        raise ValueError(f"{kind}: an array of type {array.dtype}, expected numbers, none masked")
    if array.ndim != 2 or len(array) < 1 or array.shape[1] < 2:
        raise ValueError(f"{kind}: shape {array.shape}, expected (n >= 1, K >= 2)")
    array = array if array.dtype.kind == "f" else array.astype(np.float64)
    most = 65504 if array.dtype == np.float16 else 1e30  # what is below -most masks a class
    if not array.max() <= most or (kind == "probabilities" and not array.min() >= 0):
        row, column = np.argwhere(
            ~((array <= most) & (array >= (0 if kind != "logits" else -np.inf)))
        )[0]
        expected = (
            "expected numbers up to 1e+30, or -inf for a mask"
            if kind == "logits"
            else "expected 0 to 1"
        )
        raise ValueError(
            f"{kind}: row {row} holds {array[row, column]:g} in column {column}, {expected}"
        )
    if kind == "probabilities":
        total = array.sum(axis=1, dtype=np.float64)
        off = np.abs(total - 1) > (1e-2 if array.dtype == np.float16 else 1e-4)
        if off.any():
            row = int(off.argmax())
            raise ValueError(f"{kind}: row {row} sums to {total[row]:.9g}, expected 1")
    elif array.min() < -most:
        array = np.where(array < -most, -np.inf, array)
        if (empty := np.isneginf(array).all(axis=1)).any():
            raise ValueError(f"{kind}: row {int(empty.argmax())} has only masked classes")
    return array


def _checked_labels(y: Any, n: int, n_classes: float) -> np.ndarray:
    """Return labels, shape (n,): integers from 0 below `n_classes`."""
    try:
        array = np.asarray(y.detach().cpu() if hasattr(y, "detach") else y)
    except Exception as error:  # an object's own __array__ may raise anything
        raise ValueError(f"y: not an array ({error})") from None
    if array.shape != (n,) or array.dtype.kind not in "biuf":
        raise ValueError(f"y: shape {array.shape}, expected ({n},) of integers")
    bad = ~((array >= 0) & (array < n_classes))
    bad |= (array != np.floor(array)) if array.dtype.kind == "f" else False
    if bad.any():
        row = int(bad.argmax())
        expected = f"an integer from 0 to {n_classes - 1:g}"
        raise ValueError(f"y: row {row} is {array[row]:.7g}, expected {expected}")
    return array


def _checked_ranks(scores: Any, classes: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return scores from 0 to 1 and classes, shape (n, r), the largest score first."""
    scores, classes = np.asarray(scores), np.asarray(classes)
    if scores.ndim != 2 or scores.shape != classes.shape or classes.dtype.kind not in "iu":
        raise ValueError(
            f"scores, classes: shapes {scores.shape} and {classes.shape}, expected numbers and "
            "class indices of one shape (n, r)"
        )
    for name, bad, held, expected in (
        ("classes", (classes < 0).any(axis=1), classes, "classes from 0"),
        ("scores", ~((scores >= 0) & (scores <= 1.0001)).all(axis=1), scores, "numbers to 1"),
        ("scores", (np.diff(scores, axis=1) > 0).any(axis=1), scores, "the largest first"),
    ):
        if bad.any():
            row = int(bad.argmax())
            told = held[row, 0] if held is scores and held.shape[1] == 1 else held[row]
            raise ValueError(f"{name}: row {row} is {told}, expected {expected}")
    return scores, classes
