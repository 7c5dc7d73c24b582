"""Labels, and what a model says of each sample: logits or probabilities."""

import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

import calib
from calib.constants import LARGE_ARRAY, MASKED_BELOW, SMALLEST_PROBABILITY
from calib_report.arrays import as_numpy
from calib_report.contract import Note, ScoreKind

TASKS = ("classes", "pairs", "labels")
# what stands beside the arrays, and is said of them
ANNOTATIONS = {"notes", "calibration", "clusters", "ids", "read_as"}


@dataclass(frozen=True, eq=False)
class ModelOutputs:
    """Labels of samples, and what a model says of each: either logits or probabilities.

    Parameters
    ----------
    y : array_like of int, shape (n,)
        Labels, from 0.
    logits, probabilities : array_like of float, shape (n, K), optional
        One of the two. Arrays are kept as float64, large ones as float32 where they were, and
        probabilities as float16, whose rounding is allowed for.
    calibration : ModelOutputs, optional
        The same for samples to fit a map on.
    class_names : list of str, optional
    notes : tuple of Note or str
        What whoever reads a report should know about the outputs, a sentence each; kept as notes.
    task : {"classes", "pairs", "labels"}
        What is asked: which class; whether an answer is right, of a stated confidence; or, of each
        label that a sample may have, whether it has it. The last two are questions of two classes,
        and the score is the probability of the second.
    groups : dict of str to array_like, shape (n,)
        What parts the samples into groups, by name.
    clusters, ids : array_like, shape (n,), optional
        Which samples belong together, and their names.
    read_as : str
        What in a file was taken for what, a sentence.

    Raises
    ------
    ValueError
        Where an array is not as described; it names the row.

    Examples
    --------
    >>> outputs = ModelOutputs([0, 1], probabilities=[[0.8, 0.2], [0.5, 0.5]])
    >>> confidence, hit = outputs.pairs
    >>> confidence.tolist(), hit.tolist()
    ([0.8, 0.5], [True, False])
    """

    y: np.ndarray
    logits: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    calibration: "ModelOutputs | None" = None
    class_names: list[str] | None = None
    notes: tuple[Note, ...] = ()
    task: str = "classes"
    groups: dict[str, np.ndarray] = field(default_factory=dict)
    clusters: np.ndarray | None = None
    ids: np.ndarray | None = None
    read_as: str = ""

    def __post_init__(self) -> None:
        if (self.logits is None) == (self.probabilities is None):
            raise ValueError("ModelOutputs: give either logits or probabilities")
        kind = self.kind
        scores = _as_kept(as_numpy(self.scores, kind), kind)
        self._set(y=as_numpy(self.y, "y"), **{kind: scores})
        self._check_arrays()
        self._set(y=self.y.astype(np.int64))
        self._check_task()
        self._check_types()
        self._set(notes=tuple(map(_as_note, self.notes)))
        # a dict of its own: the caller's may change
        groups = {
            name: self._one_a_sample(values, name)
            for name, values in self.groups.items()
        }
        self._set(groups=groups)
        for name in ("clusters", "ids"):
            values = getattr(self, name)
            if values is not None:
                self._set(**{name: self._one_a_sample(values, name)})

    def _set(self, **fields: object) -> None:
        """Set fields of what is frozen once it is built."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _check_arrays(self) -> None:
        """Raise ValueError where labels and scores are not as described."""
        calib.Vectors.of(self.y, self.prob, names=("y", self.kind))

    def _check_task(self) -> None:
        """Raise ValueError where the question is none, or the classes do not answer it."""
        names = ", ".join(map(repr, TASKS))
        self._expect("task", self.task in TASKS, f"one of {names}")
        is_answered = self.task == "classes" or self.n_classes == 2
        self._expect("task", is_answered, "'classes' of more than two")

    def _check_types(self) -> None:
        """Raise ValueError where what stands beside the arrays is not as described."""
        self._expect("notes", isinstance(self.notes, list | tuple), "a sentence each")
        is_set = isinstance(self.calibration, ModelOutputs | None)
        self._expect("calibration", is_set, "ModelOutputs")
        self._expect("groups", isinstance(self.groups, dict), "arrays by name")
        names, of_classes = self.class_names, self.scores.shape[1:]
        is_each_named = names is None or np.shape(names) == of_classes
        self._expect("class_names", is_each_named, "one for each class")

    def _expect(self, name: str, is_right: bool, expected: str) -> None:
        if not is_right:
            raise ValueError(f"{name}: {getattr(self, name)!r}, expected {expected}")

    def _one_a_sample(self, values: ArrayLike, name: str) -> np.ndarray:
        """Return what stands beside the samples as an array, one entry a sample."""
        if np.ma.isMaskedArray(values) or np.shape(values) != self.y.shape:
            raise ValueError(
                f"{name}: shape {np.shape(values)}, expected {self.y.shape}"
            )
        return np.asarray(values)

    def annotated(self, **fields: object) -> "ModelOutputs":
        """Return the same outputs with other `ANNOTATIONS`, which are not checked again."""
        arrays = fields.keys() - ANNOTATIONS
        if arrays:
            raise TypeError(f"annotated: {sorted(arrays)}, use dataclasses.replace")
        other = copy.copy(self)
        # the copy holds what is cached: of the floor, that without the other calibration set
        vars(other).pop("floor", None)
        other._set(**fields)
        return other

    def __len__(self) -> int:
        return len(self.y)

    @property
    def kind(self) -> ScoreKind:
        """What the scores are: "logits" or "probabilities"."""
        return "probabilities" if self.logits is None else "logits"

    @property
    def scores(self) -> np.ndarray:
        """The logits or probabilities as they were given, shape (n, K)."""
        return self.probabilities if self.logits is None else self.logits  # type: ignore[return-value]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.scores.shape[1])

    @property
    def n_units(self) -> int:
        """How many samples, or clusters of them, say something of their own."""
        return len(self) if self.clusters is None else len(np.unique(self.clusters))

    @property
    def names(self) -> list[str]:
        """Names of the classes, by default their numbers."""
        return self.class_names or [str(k) for k in range(self.n_classes)]

    @cached_property
    def prob(self) -> np.ndarray:
        """Probabilities, shape (n, K)."""
        return self.scores if self.logits is None else calib.softmax(self.logits)

    def _logits_with_floor(self, floor: float) -> np.ndarray:
        return (
            calib.as_logits(self.scores, floor=floor)
            if self.logits is None
            else self.logits
        )

    @property
    def as_logits(self) -> np.ndarray:
        """Logits, shape (n, K); of probabilities the logarithm, where zero counts as `floor`."""
        return self._logits_with_floor(self.floor)

    @property
    def to_fit(self) -> tuple[np.ndarray, np.ndarray]:
        """Logits and labels to fit a map on: of the calibration set, else of all samples."""
        samples = self.calibration or self
        return samples._logits_with_floor(self.floor), samples.y

    @cached_property
    def floor(self) -> float:
        """What zero counts as in a logarithm, see :func:`calib.floor_of`."""
        if self.kind == "logits":
            return SMALLEST_PROBABILITY
        sets = [self] if self.calibration is None else [self, self.calibration]
        return calib.floor_of(*(outputs.scores for outputs in sets))

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores and hits of the question, see :func:`pairs_of`."""
        return pairs_of(self.y, self.prob, self.task)

    def take(self, rows: np.ndarray) -> "ModelOutputs":
        """Return the outputs of some samples, without their calibration set."""
        names = ("y", "logits", "probabilities", "clusters", "ids")
        arrays = {name: getattr(self, name) for name in names}
        chosen = {name: a[rows] for name, a in arrays.items() if a is not None}
        groups = {name: group[rows] for name, group in self.groups.items()}
        return replace(self, calibration=None, groups=groups, **chosen)


def pairs_of(y: np.ndarray, p: np.ndarray, task: str) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and hits: of the top label, or of the second of two classes, as a task says."""
    score, hit = calib.top_label(y, p) if task == "classes" else (p[:, 1], y == 1)
    # by rounding a float32 may exceed 1, which no binning takes
    return np.minimum(score.astype(float), 1), hit


def _as_note(note: Note | str) -> Note:
    return note if isinstance(note, Note) else Note(note)


def _as_kept(scores: np.ndarray, kind: ScoreKind) -> np.ndarray:
    """Return logits or probabilities as they are kept: as float64 where that is no waste."""
    if scores.dtype.kind in "biuf" and not _stays_small(scores, kind):
        scores = scores.astype(float, copy=False)
    return _masked(scores) if kind == "logits" else scores


def _stays_small(scores: np.ndarray, kind: ScoreKind) -> bool:
    """Tell whether numbers of few digits are kept as they are."""
    if scores.dtype == np.float16:
        # its digits say how far sums of probabilities may be off
        return kind == "probabilities"
    # a float64 copy of a large array would double its memory
    return scores.dtype == np.float32 and scores.size >= LARGE_ARRAY


def _masked(logits: np.ndarray) -> np.ndarray:
    """Return logits of which those that mask a class are infinite."""
    # what is no array of numbers is refused later, by its name
    if logits.dtype.kind != "f" or logits.size == 0 or logits.min() >= MASKED_BELOW:
        return logits
    return np.where(logits < MASKED_BELOW, -np.inf, logits)
