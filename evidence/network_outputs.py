"""Labels, and what a network says of each sample: logits, probabilities, or the first few.

`calib_report.ModelOutputs` is another class for a reason. It holds a stranger's file with whatever
a report judges: task, groups, clusters, names, notes. It always has all probabilities, since maps
are fitted to them. This one also holds sources that published the first few scores alone, or the
pairs of one view, and the order of the samples, which says what may be paired. A chapter that reads
evidence imports nothing of the application.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from calib import as_logits, check, softmax
from calib.constants import LARGE_ARRAY
from calib.matrices import ranking
from calib.views import Viewed
from evidence.constants import FLOOR


@dataclass(frozen=True, eq=False)
class Outputs:
    """What one network says of the samples of one set; as much of it as is known.

    `y` are labels from 0, one a sample. There are `logits` or `probabilities` of shape (n, K),
    or the r most probable `classes` with their `scores`, most probable first, of shape (n, r).
    `order` names the samples and their order: outputs of one order can be compared in pairs. A
    ValueError names the row where an array is not as described.

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

    def __post_init__(self) -> None:
        if self.logits is not None:
            self._keep("logits", check.logit_rows(self.logits))
        elif self.probabilities is not None:
            self._keep("probabilities", check.probabilities(self.probabilities))
        else:
            scores, classes = np.asarray(self.scores), np.asarray(self.classes)
            if scores.ndim != 2 or scores.shape != classes.shape:
                raise ValueError(
                    "Outputs: give logits, or probabilities, or scores with classes"
                )
            if (unsorted := (np.diff(scores, axis=1) > 0).any(axis=1)).any():
                raise ValueError(
                    f"scores: row {unsorted.argmax()}, expected the largest first"
                )
            self._keep("scores", scores)
            self._keep("classes", classes)
        n_classes = (
            np.iinfo(np.int64).max if self.known == "ranked" else self.given.shape[1]
        )
        self._keep("y", check.labels(self.y, n_classes, n=len(self.given), name="y"))

    def _keep(self, name: str, array: np.ndarray) -> None:
        """Keep an array as int64 or float64; probabilities in float16 and a large float32 stay."""
        wide = np.int64 if array.dtype.kind in "iu" else np.float64
        large = array.dtype == np.float32 and array.size >= LARGE_ARRAY
        stays = large or (array.dtype == np.float16 and name == "probabilities")
        object.__setattr__(
            self, name, array if stays else array.astype(wide, copy=False)
        )

    @classmethod
    def of_pairs(cls, score: np.ndarray, hit: np.ndarray) -> "Outputs":
        """Return outputs of which only the pairs of one view are known."""
        s, h, _ = check.pairs(score, hit)
        # class 0 is said of every sample, and the label is 0 where it is a hit
        return cls(1 - h, classes=np.zeros((len(h), 1), int), scores=s[:, None])

    def __len__(self) -> int:
        return len(self.y)

    @property
    def known(self) -> str:
        """What is known: "logits", "probabilities", or "ranked", the first few of these."""
        if self.logits is not None:
            return "logits"
        return "probabilities" if self.probabilities is not None else "ranked"

    @property
    def given(self) -> np.ndarray:
        """The logits, probabilities or scores that were given."""
        return next(
            a for a in (self.logits, self.probabilities, self.scores) if a is not None
        )

    def _whole(self) -> np.ndarray:
        if self.scores is not None:
            raise ValueError(
                f"only the top {self.scores.shape[1]} of the probabilities are known"
            )
        return self.given

    n_classes = property(lambda self: self._whole().shape[1])

    @cached_property
    def prob(self) -> np.ndarray:
        """Probabilities, shape (n, K); a ValueError where only the top scores are known."""
        return softmax(self.logits) if self.logits is not None else self._whole()

    def as_logits(self) -> np.ndarray:
        """Return logits, or the logarithm of probabilities, of which none counts below 1e-12."""
        if self.logits is not None:
            return self.logits
        return as_logits(self._whole(), floor=FLOOR)

    @cached_property
    def ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores and classes of each sample, most probable first: all known ones, (n, r) each."""
        if self.scores is not None and self.classes is not None:
            return self.scores, self.classes
        classes = ranking(self.prob)
        return np.take_along_axis(self.prob, classes, axis=1), classes

    def top_r_pairs(self, r: int) -> Viewed:
        """Score and hit of the r-th most probable class, also where only the top five are known."""
        scores, classes = self.ranked
        return scores[:, r - 1], (classes[:, r - 1] == self.y).astype(np.intp)

    def within_top_r_pairs(self, r: int) -> Viewed:
        """Sum of the r largest scores, at most one, and whether their classes hold the label."""
        scores, classes = self.ranked
        hit = (classes[:, :r] == self.y[:, None]).any(axis=1)
        # sums of rounded probabilities go a little above one
        return np.minimum(scores[:, :r].sum(axis=1), 1), hit.astype(np.intp)

    @cached_property
    def pairs(self) -> Viewed:
        """Confidence and hit of the top label."""
        if self.scores is not None:
            return self.top_r_pairs(1)
        # not from `ranked`, which would sort all classes
        top = self.prob.argmax(axis=1)
        return self.prob[np.arange(len(top)), top], (top == self.y).astype(np.intp)

    def take(self, rows: np.ndarray) -> "Outputs":
        """Return the outputs of some samples."""
        arrays = ("y", "logits", "probabilities", "classes", "scores")
        stored = {
            name: array for name in arrays if (array := getattr(self, name)) is not None
        }
        return replace(self, **{name: array[rows] for name, array in stored.items()})
