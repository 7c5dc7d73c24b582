"""Labels, and what a model says of each sample: logits, probabilities, or the first few."""

from dataclasses import dataclass, field, replace
from functools import cached_property
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
    check_pairs,
    check_probabilities,
    ranking,
    softmax,
)

TASKS = ("classes", "pairs", "labels")


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
    task: str = "classes"
    groups: dict[str, np.ndarray] = field(default_factory=dict)
    clusters: np.ndarray | None = None
    ids: np.ndarray | None = None

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
        self._check_rest()

    def _check_rest(self) -> None:
        check_choice(self.task, "task", TASKS)
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
        beside = {"clusters": self.clusters, "ids": self.ids} | self.groups
        for name, values in beside.items():
            if values is not None and _shape(values) != self.y.shape:
                raise ValueError(f"{name}: shape {_shape(values)}, expected {self.y.shape}")
        if self.class_names is not None and _shape(self.class_names) != self.known.shape[1:]:
            raise ValueError(f"class_names: {self.class_names!r}, expected one for each class")

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
        classes = ranking(self.prob)
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
