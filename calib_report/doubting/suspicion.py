"""Whether a file speaks against being read as it was: rows, classes or signs in another order.

A weak model is no reason for suspicion: what is weak says so by itself, in probabilities near the
frequencies. What counts is a promise that the labels break.

Let S be the sum of the probabilities of the labels, less its mean over all orders of the labels, in
standard deviations over these orders (Hoeffding 1951, A combinatorial central limit theorem). With
C what S would be if the probabilities were right, as frequent as the classes are, a file is suspect
where S < min(2.33, C / 4 - 2.5). A source whose labels follow the probabilities at a quarter of
what these claim, or more, passes with a probability of 99 %, however few samples there are; labels
in any other order are found where the claim is large.

Whatever S is, a file is suspect whose scores hardly tell right from wrong: S < C / 4, a best
temperature above 10 or none because it would be infinite, and labels that reject a temperature of
4, an honest source's most, by 2.5 standard deviations (score test of 1/T). A source that is much
too sure and ranks well has a large S, and passes; a weak one of few samples rejects nothing.

Softmax was probably taken twice where no probability is above what a softmax of probabilities can
give, e / (e + K - 1), and a tenth of the rows come near, while the best temperature is below 0.3
and labels reject 1. `python -m evidence.files_with_truth.honest_and_damaged` measures all three.
"""

# Mirrored by the answer desk, book/assets/desk/checks.js: change both.

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from calib import softmax
from calib.constants import MASKED_BELOW, TINY
from calib_report.contract import SUSPECT
from calib_report.limits import FEWEST_TO_TELL, MOST_NUMBERS
from calib_report.model_outputs import ModelOutputs
from calib_report.texts import uncapitalised

MOST_COLUMNS = 2000  # whose order is looked at, a square matrix of them
UNRELATED = 2.33  # S of labels in any order, once in a hundred: more is a relation
# share of the claim that labels of an honest source reach at least: C / 4
HONEST_SHARE = 0.25
HONEST_TEMPERATURE = 4.0  # of an honest source at most
MARGIN = 2.5  # standard deviations that chance may take from an honest source
# share of what another order gives: classes that reach it where they are stay there
WELL_IN_PLACE = 0.25
# standard deviations from which another order of the classes is one
CLEARLY_MOVED_CLASSES = 3.3
CLEARLY_MOVED_ROWS = 5  # and from which rows that are moved by one fit
MOST_NAMED = 3  # classes that a sentence names
ROWS_MOVED = (-1, 1)  # places by which rows of labels are tried elsewhere
HUGE_TEMPERATURE = 10.0  # temperature above which scores hardly tell right from wrong
SMALL_TEMPERATURE = 0.3  # temperature below which answers are far surer than they say
ROUNDED = 1.002  # what three digits may add to a probability
# share of the largest possible probability from which one is at the end
NEARLY_LARGEST = 0.95
AT_THE_END = 0.1  # share of the rows that are, of a source that is not only shy


Cause = Literal[
    "one class",
    "turned round",
    "columns moved",
    "labels counted from another number",
    "rows moved",
    "rows in another order",
    "hardly related",
    "softmax twice",
]


@dataclass(frozen=True)
class Finding:
    """Why a file is suspect: its likely cause, and a sentence."""

    cause: Cause
    sentence: str

    @property
    def clause(self) -> str:
        """The sentence as a part of another, such as an error."""
        return uncapitalised(self.sentence.rstrip(".?"))


@dataclass(frozen=True)
class Association:
    """How far labels go with probabilities, in standard deviations over all orders of labels."""

    seen: float
    claimed: float

    @property
    def is_broken(self) -> bool:
        """Whether the labels break what the probabilities claim."""
        return self.seen < min(UNRELATED, HONEST_SHARE * self.claimed - MARGIN)

    @property
    def is_less_than_honest(self) -> bool:
        """Whether the labels reach less of the claim than those of an honest source do."""
        return self.seen < HONEST_SHARE * self.claimed

    @property
    def is_turned_round(self) -> bool:
        """Whether the labels clearly go the other way, as far as an honest source would go."""
        return self.seen < -max(MARGIN, HONEST_SHARE * self.claimed)

    @property
    def is_kept(self) -> bool:
        """Whether the labels clearly follow the probabilities, as those of an honest source."""
        return self.seen > max(CLEARLY_MOVED_ROWS, HONEST_SHARE * self.claimed)


def suspicion(outputs: ModelOutputs) -> Finding | None:
    """Return why outputs are suspect, or None.

    Of pairs of a confidence and a hit only a confidence that is turned round is suspect: one that
    knows nothing is common. Labels of which a sample may have several are not looked at.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.dirichlet([0.3, 0.3, 0.3], size=500)
    >>> y = (p.cumsum(axis=1) < rng.random((500, 1))).sum(axis=1).clip(max=2)
    >>> suspicion(ModelOutputs(y, probabilities=p)) is None
    True
    >>> suspicion(ModelOutputs(np.roll(y, 1), probabilities=p)).cause
    'rows moved'
    """
    if outputs.task == "labels":
        return None
    # every so many rows of a large file: enough for the tests
    rows = slice(None, None, 1 + outputs.prob.size // MOST_NUMBERS)
    y, p = outputs.y[rows], outputs.prob[rows].astype(float, copy=False)
    if outputs.task == "pairs":
        return _suspect_confidence(y, p)
    if (outputs.y == outputs.y[0]).all():
        return _one_class(outputs.names[int(outputs.y[0])])
    return _suspect_classes(y, p, outputs, rows)


def _suspect_confidence(y: np.ndarray, p: np.ndarray) -> Finding | None:
    """Return why confidences are suspect: only where they are turned round."""
    relation = association(y, p) if len(y) >= FEWEST_TO_TELL else None
    if relation is None or not relation.is_turned_round:
        return None
    return Finding("turned round", SUSPECT["turned_confidence"])


def _suspect_classes(
    y: np.ndarray, p: np.ndarray, outputs: ModelOutputs, rows: slice
) -> Finding | None:
    """Return why scores of classes are suspect: columns in another order, or rows."""
    relation = association(y, p) if len(y) >= FEWEST_TO_TELL else None
    if relation is None:
        return None
    order = other_order(y, p)
    # columns first: their order explains more than that of the rows
    if order is not None:
        return _classes_moved(order, outputs)
    if relation.is_broken:
        return _rows_moved(p, outputs, rows)
    if relation.is_less_than_honest and hardly_tells(y, outputs.as_logits[rows]):
        return _hardly_related(p, outputs, rows)
    if is_at_the_end(outputs.prob) and asks_for_more(y, outputs.as_logits[rows]):
        return _softmax_twice(outputs)
    return None


def association(y: np.ndarray, p: np.ndarray) -> Association | None:
    """Return how far labels go with probabilities; None where these do not differ."""
    n, k = p.shape
    count = np.bincount(y, minlength=k)
    mean = p.mean(axis=0)
    by_sample = p @ (count / n)
    expected = mean @ count
    # for the variance of the sum over all permutations of the labels (Hoeffding 1951)
    squares = np.einsum("ij,ij->j", p, p) @ count
    spread = squares - n * (by_sample @ by_sample) - n * (count @ mean**2) + expected**2
    if spread <= 1e-9 * squares:
        return None
    deviation = np.sqrt(spread / (n - 1))
    seen = p[np.arange(n), y].sum() - expected
    # what the probabilities say of classes that are as frequent as these labels
    claim = p * (count / n / np.maximum(mean, TINY))
    claim /= np.maximum(claim.sum(axis=1, keepdims=True), TINY)
    claimed = np.einsum("ij,ij->", claim, p) - mean @ claim.sum(axis=0)
    return Association(float(seen / deviation), float(claimed / deviation))


def slope_of_nll(
    y: np.ndarray, z: np.ndarray, temperature: float
) -> tuple[float, float]:
    """Return the slope of the NLL by 1/T, and its standard deviation if this T is right.

    Where it is positive the best temperature is higher: the NLL is convex in 1/T.
    """
    # minus infinity times a probability of zero would be no number
    below = np.maximum(z - z.max(axis=1, keepdims=True), MASKED_BELOW).astype(float)
    p = softmax(below / temperature)
    mean = (p * below).sum(axis=1)
    variance = (p * below**2).sum(axis=1) - mean**2
    slope = (mean - below[np.arange(len(y)), y]).sum()
    return float(slope), float(np.sqrt(max(variance.sum(), 0.0)))


def hardly_tells(y: np.ndarray, z: np.ndarray) -> bool:
    """Tell whether the best temperature is huge, and surely no honest source's."""
    slope, deviation = slope_of_nll(y, z, HONEST_TEMPERATURE)
    return slope > MARGIN * deviation and slope_of_nll(y, z, HUGE_TEMPERATURE)[0] > 0


def is_at_the_end(p: np.ndarray) -> bool:
    """Tell whether rows end, in numbers, where a second softmax can give no more."""
    share = p.max(axis=1) * (np.e + p.shape[1] - 1) / np.e
    return bool(
        share.max() <= ROUNDED and np.mean(share >= NEARLY_LARGEST) >= AT_THE_END
    )


def asks_for_more(y: np.ndarray, z: np.ndarray) -> bool:
    """Tell whether the best temperature is below `SMALL_TEMPERATURE`, and 1 is rejected."""
    slope, deviation = slope_of_nll(y, z, 1.0)
    return slope < -MARGIN * deviation and slope_of_nll(y, z, SMALL_TEMPERATURE)[0] < 0


def other_order(y: np.ndarray, p: np.ndarray) -> np.ndarray | None:
    """Return the column that fits each class, where that is clearly another one; else None.

    The order is found on every other row and tried on the rest, less the mean of each column.
    """
    k = p.shape[1]
    if k > MOST_COLUMNS:
        return None
    centred = p - p.mean(axis=0)
    # sparse: a thousand classes of a million rows fit into memory
    labels = csr_array((np.ones(len(y)), (y, np.arange(len(y)))), (k, len(y)))
    # one half finds the order, so that the other half can try it
    order = linear_sum_assignment(-(labels[:, ::2] @ centred[::2]))[1]
    order = _without_idle_moves(order, y)
    rows = 1 + 2 * np.flatnonzero(order[y[1::2]] != y[1::2])
    if len(rows) < FEWEST_TO_TELL // 2:
        return None
    as_read, otherwise = centred[rows, y[rows]], centred[rows, order[y[rows]]]
    return order if _fits_clearly_better(otherwise, as_read) else None


def _fits_clearly_better(otherwise: np.ndarray, as_read: np.ndarray) -> bool:
    """Tell whether probabilities gain by another order, and are worth little without it."""
    gain = otherwise - as_read
    # by more than chance moves a mean
    is_clear = gain.mean() > CLEARLY_MOVED_CLASSES * gain.std() / np.sqrt(len(gain))
    return bool(is_clear and as_read.mean() < WELL_IN_PLACE * otherwise.mean())


def _without_idle_moves(order: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return an order in which classes without a label stay where they are."""
    # a class without labels fits any column: its place says nothing
    occurs = np.bincount(y, minlength=len(order)) > 0
    return np.where(occurs, order, np.arange(len(order)))


def _one_class(name: str) -> Finding:
    return Finding("one class", SUSPECT["one_class"].format(name=name))


def _classes_moved(order: np.ndarray, outputs: ModelOutputs) -> Finding:
    """Say which classes fit the columns of which others."""
    names, accuracy = outputs.names, _accuracy_in_words(outputs)
    if len(order) == 2:
        words = {"first": repr(names[0]), "second": repr(names[1]), "right": accuracy}
        return Finding("turned round", SUSPECT["turned_round"].format(**words))
    moved = np.flatnonzero(order != np.arange(len(order)))
    cause: Cause = "columns moved"
    likely = SUSPECT["likely_order"]
    if _is_shift(order, moved):
        cause, likely = "labels counted from another number", SUSPECT["likely_shift"]
    more = ""
    if len(moved) > MOST_NAMED:
        more = SUSPECT["and_so_on"].format(count=len(moved))
    words = {
        "pairs": _fitting_columns(moved[:MOST_NAMED], order, names),
        "more": more,
        "right": accuracy,
        "likely": likely,
    }
    return Finding(cause, SUSPECT["moved"].format(**words))


def _is_shift(order: np.ndarray, moved: np.ndarray) -> bool:
    """Tell whether most classes moved by one number of columns: labels count otherwise."""
    steps = np.unique(order[moved] - moved)
    return len(steps) == 1 and len(moved) > len(order) / 2


def _fitting_columns(moved: np.ndarray, order: np.ndarray, names: list[str]) -> str:
    """Say of each class that moved which column fits it."""
    return "; ".join(
        SUSPECT["fits"].format(name=repr(names[k]), column=repr(names[order[k]]))
        for k in moved
    )


def _rows_moved(p: np.ndarray, outputs: ModelOutputs, rows: slice) -> Finding:
    """Say that labels and scores have nothing to do with each other, and where they would."""
    side = _side_of_rows(p, outputs, rows)
    cause: Cause = "rows in another order"
    likely = SUSPECT["likely_rows"]
    if side is not None:
        cause, likely = "rows moved", SUSPECT["likely_row"].format(side=side)
    words = {
        "right": _accuracy_in_words(outputs),
        "chance": f"{_accuracy_by_chance(outputs):.2%}",
        "likely": likely,
    }
    return Finding(cause, SUSPECT["rows"].format(**words))


def _hardly_related(p: np.ndarray, outputs: ModelOutputs, rows: slice) -> Finding:
    """Say that scores hardly tell right from wrong, and where they would."""
    side = _side_of_rows(p, outputs, rows)
    likely = SUSPECT["likely_shifted"]
    if side is not None:
        likely = SUSPECT["likely_row"].format(side=side)
        likely = f"Likely {likely}"
    words = {
        "huge": f"{HUGE_TEMPERATURE:g}",
        "right": _accuracy_in_words(outputs),
        "chance": f"{_accuracy_by_chance(outputs):.2%}",
        "likely": likely,
    }
    return Finding("hardly related", SUSPECT["hardly"].format(**words))


def _softmax_twice(outputs: ModelOutputs) -> Finding:
    """Say that probabilities end where those of a second softmax end."""
    k = outputs.n_classes
    words = {
        "k": k,
        "most": f"{math.e / (math.e + k - 1):.3g}",
        "right": _accuracy_in_words(outputs),
    }
    return Finding("softmax twice", SUSPECT["twice"].format(**words))


def _side_of_rows(p: np.ndarray, outputs: ModelOutputs, rows: slice) -> str | None:
    """Return whether labels would fit one row lower or higher; None where they do not."""
    side = None
    for step in ROWS_MOVED:
        elsewhere = association(np.roll(outputs.y, step)[rows], p)
        if elsewhere is not None and elsewhere.is_kept:
            side = "high" if step == 1 else "low"
    return side


def _accuracy_in_words(outputs: ModelOutputs) -> str:
    hits = outputs.prob.argmax(axis=1) == outputs.y
    return f"{np.mean(hits):.2%}"


def _accuracy_by_chance(outputs: ModelOutputs) -> float:
    """Return the accuracy of the same predictions and labels in any order."""
    predicted, k = outputs.prob.argmax(axis=1), outputs.n_classes
    pairs = np.bincount(outputs.y, minlength=k) @ np.bincount(predicted, minlength=k)
    return float(pairs / len(outputs) ** 2)
