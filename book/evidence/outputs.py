"""Labels, and what a network says of each sample: logits, probabilities, or the first few."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from calib.check import (
    NUMBERS_OF_A_LARGE_ARRAY,
    as_logits,
    check_labels,
    check_logits,
    check_pairs,
    check_probabilities,
    ranking,
    softmax,
)

Pairs = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Outputs:
    """What one network says of the samples of one set; as much of it as is known.

    Exactly one of `logits`, `probabilities` and `scores` is given.

    Parameters
    ----------
    y : array_like of int, shape (n,)
        Labels, from 0.
    order : str, optional
        Names the samples and their order; outputs of one order can be compared in pairs.
    logits, probabilities : array_like of float, shape (n, K), optional
    classes : array_like of int, shape (n, r), optional
        The r most probable classes, most probable first, where only these are known.
    scores : array_like of float, shape (n, r), optional
        Their probabilities; they need not sum to one.
    task : {"classes", "pairs", "labels"}
        What is asked: which class; whether an answer is right, of a stated confidence; whether a
        sample has a label. The last two have two classes, and the second one's score counts.

    Raises
    ------
    ValueError
        Where an array is not as described; it names the row.

    Examples
    --------
    >>> outputs = Outputs([0, 1], classes=[[0, 1], [2, 1]], scores=[[0.8, 0.1], [0.5, 0.4]])
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
    task: str = "classes"

    def __post_init__(self) -> None:
        given = [name for name in ("logits", "probabilities", "scores") if self._has(name)]
        if len(given) != 1 or self._has("classes") != self._has("scores"):
            raise ValueError("Outputs: give logits, or probabilities, or scores with classes")
        if self.logits is not None:
            self._keep(logits=check_logits(self.logits))
        elif self.probabilities is not None:
            self._keep(probabilities=check_probabilities(self.probabilities))
        else:
            scores, classes = _check_ranked(self.scores, self.classes)
            self._keep(scores=scores, classes=classes)
        n_classes = np.iinfo(np.int64).max if self.kind == "ranked" else self.known.shape[1]
        self._keep(y=check_labels(self.y, n_classes, n=len(self.known), name="y"))

    def _has(self, name: str) -> bool:
        return getattr(self, name) is not None

    def _keep(self, **arrays: np.ndarray) -> None:
        """Keep arrays as int64 or float64; large ones in float32, probabilities in float16 stay."""
        for name, array in arrays.items():
            wide = np.int64 if array.dtype.kind in "iu" else np.float64
            large = array.dtype == np.float32 and array.size >= NUMBERS_OF_A_LARGE_ARRAY
            rounded = array.dtype == np.float16 and name == "probabilities"
            kept = array if large or rounded else array.astype(wide, copy=False)
            object.__setattr__(self, name, kept)

    @classmethod
    def of_pairs(cls, score: np.ndarray, hit: np.ndarray) -> "Outputs":
        """Return outputs of which only the pairs of one view are known."""
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

    def as_logits(self) -> np.ndarray:
        """Return logits, or the logarithm of probabilities, of which none counts below 1e-12."""
        self._refuse_ranked("as_logits")
        return self.logits if self.logits is not None else as_logits(self.known)

    @cached_property
    def ranked(self) -> Pairs:
        """Scores and classes of each sample, most probable first: all known ones, (n, r) each."""
        if self.scores is not None:
            return self.scores, self.classes
        classes = ranking(self.prob)
        return np.take_along_axis(self.prob, classes, axis=1), classes

    def top_r_pairs(self, r: int) -> Pairs:
        """Score and hit of the r-th most probable class, also where only the top five are known."""
        scores, classes = self._first(r)
        return scores[:, r - 1], (classes[:, r - 1] == self.y).astype(np.intp)

    def within_top_r_pairs(self, r: int) -> Pairs:
        """Sum of the r largest scores, at most one, and whether their classes hold the label."""
        scores, classes = self._first(r)
        hit = (classes == self.y[:, None]).any(axis=1)
        return np.minimum(scores.sum(axis=1), 1), hit.astype(np.intp)

    def _first(self, r: int) -> Pairs:
        scores, classes = self.ranked
        if not 1 <= r <= scores.shape[1]:
            raise ValueError(f"r: {r}, expected a rank from 1 to {scores.shape[1]}")
        return scores[:, :r], classes[:, :r]

    @cached_property
    def pairs(self) -> Pairs:
        """Confidence and hit of the top label, or of the second of two classes, as `task` says."""
        if self.task != "classes":
            return self.prob[:, 1], self.y
        if self.scores is not None:
            return self.top_r_pairs(1)
        top = self.prob.argmax(axis=1)
        return self.prob[np.arange(len(top)), top], (top == self.y).astype(np.intp)

    def take(self, rows: np.ndarray) -> "Outputs":
        """Return the outputs of some samples."""
        arrays = ("y", "logits", "probabilities", "classes", "scores")
        return replace(
            self, **{name: getattr(self, name)[rows] for name in arrays if self._has(name)}
        )


def _check_ranked(scores: np.ndarray, classes: np.ndarray) -> Pairs:
    scores, classes = np.asarray(scores), np.asarray(classes)
    if scores.ndim != 2 or scores.shape != classes.shape or classes.dtype.kind not in "iu":
        raise ValueError(
            f"scores, classes: shapes {scores.shape} and {classes.shape}, expected numbers and "
            "class indices of one shape (n, r)"
        )
    for column in scores.T:
        check_pairs(column, np.zeros(len(column)), names=("scores", "hit"))
    wrong = {
        "classes: row {} is {}, expected classes from 0": ((classes < 0).any(axis=1), classes),
        "scores: row {} is {}, expected the largest first": (
            (np.diff(scores, axis=1) > 0).any(axis=1),
            scores,
        ),
    }
    for message, (rows, array) in wrong.items():
        if rows.any():
            raise ValueError(message.format(rows.argmax(), array[rows.argmax()]))
    return scores, classes
