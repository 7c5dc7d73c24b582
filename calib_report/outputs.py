"""Labels, and what a model says of each sample: logits or probabilities."""

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
    """Labels of samples, and what a model says of each: either logits or probabilities.

    Parameters
    ----------
    y : array_like of int, shape (n,)
        Labels, from 0.
    logits : array_like of float, shape (n, K), optional
    probabilities : array_like of float, shape (n, K), optional
        Probabilities, where logits are not known.
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
    y, logits, probabilities, clusters, ids : ndarray or None
        What was given, checked: numbers are float64, but large arrays float32 where they were, and
        probabilities float16, whose rounding is allowed for.

    Raises
    ------
    ValueError
        Where an array is not as described; it names the row.

    Examples
    --------
    >>> outputs = ModelOutputs([0, 1], probabilities=[[0.8, 0.2], [0.5, 0.5]])
    >>> confidence, hit = outputs.pairs
    >>> confidence.tolist(), hit.tolist()
    ([0.8, 0.5], [1, 0])
    """

    y: np.ndarray
    logits: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    calibration: "ModelOutputs | None" = None
    class_names: list[str] | None = None
    notes: tuple[str, ...] = ()
    task: str = "classes"
    groups: dict[str, np.ndarray] = field(default_factory=dict)
    clusters: np.ndarray | None = None
    ids: np.ndarray | None = None

    def __post_init__(self) -> None:
        if (self.logits is None) == (self.probabilities is None):
            raise ValueError("ModelOutputs: give either logits or probabilities")
        known = _checked(self.known, self.kind)
        object.__setattr__(self, self.kind, known)
        object.__setattr__(self, "y", _checked_labels(self.y, *known.shape))
        sentences = self.notes if isinstance(self.notes, list | tuple) else [None]
        named = self.class_names is None or _shape(self.class_names) == known.shape[1:]
        for name, right, expected in (
            ("task", self.task in TASKS, f"one of {', '.join(map(repr, TASKS))}"),
            ("task", self.task == "classes" or self.n_classes == 2, "'classes' of more than two"),
            ("notes", all(isinstance(note, str) for note in sentences), "a sentence each"),
            ("calibration", isinstance(self.calibration, ModelOutputs | None), "ModelOutputs"),
            ("groups", isinstance(self.groups, dict), "arrays by name"),
            ("class_names", named, "one for each class"),
        ):
            if not right:
                raise ValueError(f"{name}: {getattr(self, name)!r}, expected {expected}")
        groups = {name: self._beside(values, name) for name, values in self.groups.items()}
        object.__setattr__(self, "groups", groups)
        for name in ("clusters", "ids"):
            if (values := getattr(self, name)) is not None:
                object.__setattr__(self, name, self._beside(values, name))

    def _beside(self, values: ArrayLike, name: str) -> np.ndarray:
        """Return what stands beside the samples as an array, one entry a sample."""
        if _shape(values) != self.y.shape:
            raise ValueError(f"{name}: shape {_shape(values)}, expected {self.y.shape}")
        return np.asarray(values)

    def __len__(self) -> int:
        return len(self.y)

    @property
    def kind(self) -> str:
        """What is known: "logits" or "probabilities"."""
        return "probabilities" if self.logits is None else "logits"

    @property
    def known(self) -> np.ndarray:
        """The logits or probabilities that were given, shape (n, K)."""
        return self.probabilities if self.logits is None else self.logits  # type: ignore[return-value]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.known.shape[1])

    @cached_property
    def prob(self) -> np.ndarray:
        """Probabilities, shape (n, K)."""
        return self.known if self.logits is None else calib.softmax(self.logits)

    def as_logits(self, floor: float = FLOOR) -> np.ndarray:
        """Return logits, or the logarithm of probabilities, none of which counts below a floor."""
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
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Confidence and hit of the top label, or of the second of two classes, as `task` says."""
        if self.task != "classes":
            return self.prob[:, 1], self.y
        top = self.prob.argmax(axis=1)
        return self.prob[np.arange(len(top)), top], (top == self.y).astype(np.intp)

    def take(self, rows: np.ndarray) -> "ModelOutputs":
        """Return the outputs of some samples, without their calibration set."""
        held = {n: getattr(self, n) for n in ("y", "logits", "probabilities", "clusters", "ids")}
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
    most = 65504 if array.dtype == np.float16 else 1e30  # what is below -most masks a class
    least, told = (0, "0 to 1") if kind != "logits" else (-np.inf, "numbers up to 1e+30, or -inf")
    if not (array.max() <= most and array.min() >= least):
        row, column = np.argwhere(~((array <= most) & (array >= least)))[0]
        raise ValueError(
            f"{kind}: row {row} holds {array[row, column]:g} in column {column}, expected {told}"
        )
    half, large = array.dtype == np.float16, array.dtype == np.float32 and array.size >= LARGE
    if kind == "probabilities":
        total = array.sum(axis=1, dtype=np.float64)
        off = np.abs(total - 1) > (1e-2 if half else 1e-4)
        if off.any():
            row = int(off.argmax())
            raise ValueError(f"{kind}: row {row} sums to {total[row]:.9g}, expected 1")
        return array if half or large else array.astype(np.float64, copy=False)
    if array.min() < -most:
        array = np.where(array < -most, -np.inf, array)
        if (empty := np.isneginf(array).all(axis=1)).any():
            raise ValueError(f"{kind}: row {int(empty.argmax())} has only masked classes")
    return array if large else array.astype(np.float64, copy=False)


def _checked_labels(y: Any, n: int, n_classes: int) -> np.ndarray:
    """Return labels, int64 of shape (n,), from 0 below `n_classes`."""
    try:
        array = np.asarray(y.detach().cpu() if hasattr(y, "detach") else y)
    except Exception as error:  # as in `_shape`
        raise ValueError(f"y: not an array ({error})") from None
    if array.shape != (n,) or array.dtype.kind not in "biuf":
        raise ValueError(f"y: shape {array.shape}, expected ({n},) of integers")
    bad = ~((array >= 0) & (array < n_classes) & (array == np.floor(array)))
    if bad.any():
        row = int(bad.argmax())
        expected = f"an integer from 0 to {n_classes - 1}"
        raise ValueError(f"y: row {row} is {array[row]:.7g}, expected {expected}")
    return array.astype(np.int64, copy=False)
