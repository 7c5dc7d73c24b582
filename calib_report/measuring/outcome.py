"""What outputs, or a map of them, say of each sample."""

# Mirrored by the answer desk, book/assets/desk/measure.js: change both.

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

import calib
from calib import Pairs, Vectors, equal_width
from calib_report.model_outputs import ModelOutputs, pairs_of
from calib_report.values import cluster_numbers

N_BINS = equal_width().n_bins  # as the library's metrics have by default
POSSIBLE = 1e-30  # probability from which a zero that a map makes of it is the map's


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a map says of each sample, (n,), that it was not fitted on, and sums by class.

    Attributes
    ----------
    nll, score, hit : ndarray, shape (n,)
    brier : ndarray, shape (n,)
        Summed over classes; of a yes-or-no question (score - hit) squared.
    cost : ndarray, shape (n,), or None
        Of the cheapest decision by the probabilities, where costs are known.
    by_class : ndarray, shape (3, K, 15)
        As :func:`class_sums` returns it; no class of pairs alone.
    event_probability, happened : ndarray, shape (n,), or None
        Of two classes: the probability of the second, and whether it was that.
    n_zeros : int
        Samples of which the map gives a class the probability 0 that the outputs hold possible.
    clusters : ndarray of int, shape (n,), or None
        From 0.
    label_of_question : ndarray, shape (n,), or None
        Of several labels a sample.
    """

    nll: np.ndarray
    brier: np.ndarray
    score: np.ndarray
    hit: np.ndarray
    cost: np.ndarray | None = None
    by_class: np.ndarray = field(default_factory=lambda: np.zeros((3, 0, N_BINS)))
    task: str = "classes"
    clusters: np.ndarray | None = None
    label_of_question: np.ndarray | None = None
    event_probability: np.ndarray | None = None
    happened: np.ndarray | None = None
    n_zeros: int = 0

    @classmethod
    def of(
        cls,
        y: np.ndarray,
        p: np.ndarray,
        floor: float = 0.0,
        task: str = "classes",
        costs: np.ndarray | None = None,
    ) -> "Outcome":
        """Return what probabilities, (n, K), say, of which none is below `floor` in the NLL."""
        score, right = pairs_of(y, p, task)
        # as numbers, of which differences are taken
        hit, vectors = right.astype(np.intp), Vectors(y, p)
        # an infinite loss stays infinite unless the outputs have a floor
        most = -np.log(floor) if floor > 0 else np.inf
        nll = np.minimum(calib.nll_per_sample(vectors, p), most)
        if task == "classes":
            brier = calib.brier_per_sample(vectors, p)
        else:
            brier = (score - hit) ** 2
        outcome = cls(nll, brier, score, hit, by_class=class_sums(y, p), task=task)
        if costs is not None:
            outcome = replace(outcome, cost=costs[y, (p @ costs).argmin(axis=1)])
        return outcome.with_event(y, p) if p.shape[1] == 2 else outcome

    def with_event(self, y: np.ndarray, p: np.ndarray) -> "Outcome":
        """Return this with the event of two classes: the second, which clinics ask about."""
        happened = (y == 1).astype(np.intp)
        return replace(self, event_probability=p[:, 1].astype(float), happened=happened)

    @property
    def n_clusters(self) -> int | None:
        return None if self.clusters is None else int(self.clusters.max()) + 1

    @property
    def excess(self) -> np.ndarray:
        """Confidence less hit: by how much an answer is too sure."""
        return self.score - self.hit

    @property
    def class_errors(self) -> np.ndarray:
        """The ECE of each class against the rest, whose mean is the classwise ECE."""
        # of sums, which parts of rows add up to: the library's has all rows at once
        count, _, gap = self.by_class
        return np.abs(gap).sum(axis=1) / count.sum(axis=1)

    @cached_property
    def pairs(self) -> Pairs:
        """Scores and hits, as metrics take them checked."""
        return Pairs(self.score, self.hit == 1)

    @cached_property
    def bins(self) -> calib.Bins:
        return equal_width(N_BINS)(*self.pairs)

    @cached_property
    def answer_pairs(self) -> Pairs:
        """The confidence of each answer, and whether it is right; of a label, yes or no."""
        if self.task != "labels":
            return self.pairs
        score, hit = self.pairs[:2]
        return Pairs(np.maximum(score, 1 - score), (score >= 0.5) == hit)

    @cached_property
    def curve(self) -> calib.RiskCoverage:
        """The share of errors against the share of answers that are kept."""
        return calib.risk_coverage(self.answer_pairs, self.answer_pairs.score)


def outcome_as_is(outputs: ModelOutputs, costs: np.ndarray | None = None) -> Outcome:
    """Return the outputs as they are: a probability of zero counts as their `floor` in the NLL."""
    return outcome_of_parts(
        outputs, [(np.arange(len(outputs)), outputs.prob)], costs, outputs.floor
    )


def outcome_of_parts(
    outputs: ModelOutputs,
    parts: Iterable[tuple[np.ndarray, np.ndarray]],
    costs: np.ndarray | None = None,
    floor: float = 0.0,
) -> Outcome:
    """Return what probabilities say that come in parts of rows, which together are all samples."""
    pieces, rows_of_pieces = list[Outcome](), list[np.ndarray]()
    for rows, p in parts:
        rows_of_pieces.append(rows)
        piece = Outcome.of(outputs.y[rows], p, floor, outputs.task, costs)
        n_zeros = _n_zeros_made(p, outputs.prob, rows)
        pieces.append(replace(piece, n_zeros=n_zeros))
    # folds come in any order: back to that of the samples
    order = np.argsort(np.concatenate(rows_of_pieces))
    return replace(
        _pieces_joined(pieces, order),
        clusters=cluster_numbers(outputs.clusters),
        label_of_question=outputs.groups.get("label"),
    )


def _n_zeros_made(p: np.ndarray, before: np.ndarray, rows: np.ndarray) -> int:
    """Return of how many rows a map makes a zero of what was possible before."""
    # few rows have a zero, so only these are compared entry by entry
    with_zeros = np.flatnonzero(p.min(axis=1) == 0)
    was_possible = before[rows[with_zeros]] > POSSIBLE
    return int((was_possible & (p[with_zeros] == 0)).any(axis=1).sum())


OF_SAMPLES = ("nll", "brier", "score", "hit", "cost", "event_probability", "happened")


def _pieces_joined(pieces: Sequence[Outcome], order: np.ndarray) -> Outcome:
    """Return parts as one, in the order of the samples."""
    first = pieces[0]
    columns: dict[str, Any] = {}
    # what the first part lacks, such as costs, all of them lack
    for name in OF_SAMPLES:
        if getattr(first, name) is not None:
            parts = [getattr(piece, name) for piece in pieces]
            columns[name] = np.concatenate(parts)[order]
    return replace(
        first,
        **columns,
        by_class=np.sum([piece.by_class for piece in pieces], axis=0),
        n_zeros=sum(piece.n_zeros for piece in pieces),
    )


def class_sums(y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return numbers, sums of scores and of gaps in fifteen bins of each class, (3, K, 15)."""
    n, k = p.shape
    hits, mass = np.bincount(y, minlength=k), p.sum(axis=0, dtype=float)
    entries = equal_width(N_BINS).class_entries(p)
    gap = (y[entries.row] == entries.label) - entries.score
    sums = [
        entries.sums(None, np.full(k, n)),
        entries.sums(entries.score, mass),
        entries.sums(gap, hits - mass),
    ]
    return entries.first_bin_apart(np.array(sums))
