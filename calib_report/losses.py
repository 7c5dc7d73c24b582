"""What a model, or a map, says of each sample: losses, scores, hits and costs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from calib import Bins, Pairs, RiskCoverage, equal_width, risk_coverage
from calib_report.outputs import ModelOutputs

N_BINS = equal_width().n_bins  # as the library's metrics have by default
Rng = np.random.Generator
Found = dict[str, Any]  # what report.json holds: values, and where they are known low, high, chance


@dataclass(frozen=True, eq=False)
class Losses:
    """What is said of each sample; arrays of shape (n,)."""

    nll: np.ndarray
    brier: np.ndarray  # summed over classes; of a yes-or-no question (score - hit) squared
    score: np.ndarray
    hit: np.ndarray
    cost: Any = None  # of the cheapest decision by the probabilities, where costs are known

    @classmethod
    def of(
        cls,
        y: np.ndarray,
        p: np.ndarray,
        floor: float = 0.0,
        *,
        task: str = "classes",
        costs: Any = None,
    ) -> "Losses":
        """Return the losses of probabilities, (n, K), of which none is below `floor` in the NLL."""
        rows = np.arange(len(y))
        true = p[rows, y].astype(float)
        top = p.argmax(axis=1) if task == "classes" else np.ones(len(y), int)
        score, hit = np.minimum(p[rows, top].astype(float), 1), (top == y).astype(np.intp)
        if task == "classes":
            brier = np.einsum("nk,nk->n", p, p, dtype=float) - 2 * true + 1
        else:
            brier = (score - hit) ** 2
        with np.errstate(divide="ignore"):
            nll = -np.log(np.maximum(true, floor))
        cost = None if costs is None else costs[y, (p @ costs).argmin(axis=1)]
        return cls(nll, brier, score, hit, cost)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A map on samples that it was not fitted on: its losses, and sums by class."""

    losses: Losses
    by_class: Any = None  # (3, K, 15), as `class_sums`
    task: str = "classes"
    clusters: np.ndarray | None = None  # numbers from 0
    labels: np.ndarray | None = None  # of questions: which label each is of

    @property
    def gap(self) -> np.ndarray:
        """Confidence less hit."""
        return self.losses.score - self.losses.hit

    @cached_property
    def pairs(self) -> Pairs:
        """Scores and hits, as metrics take them checked."""
        return Pairs(self.losses.score, self.losses.hit == 1)

    @cached_property
    def bins(self) -> Bins:
        return equal_width(N_BINS).of_checked(self.pairs)

    @cached_property
    def answers(self) -> Pairs:
        """The confidence of each answer, and whether it is right; of a label, yes or no."""
        if self.task != "labels":
            return self.pairs
        score, hit = self.pairs[:2]
        return Pairs(np.maximum(score, 1 - score), (score >= 0.5) == hit)

    @cached_property
    def curve(self) -> RiskCoverage:
        """The share of errors against the share of answers that are kept."""
        answers: Any = self.answers  # checked, as a metric takes them
        return risk_coverage(answers, answers.score)


def unchanged(outputs: ModelOutputs, costs: np.ndarray | None = None) -> HeldOut:
    """Return the outputs as they are, as a map that was never fitted."""
    return of_parts(outputs, [(np.arange(len(outputs)), outputs.prob)], costs)


def of_parts(
    outputs: ModelOutputs, parts: Iterable[tuple[np.ndarray, np.ndarray]], costs: Any = None
) -> HeldOut:
    """Return what probabilities say that come in parts of rows, which together are all samples."""
    found, order, by_class = list[Losses](), list[np.ndarray](), np.zeros(())
    for rows, p in parts:
        y = outputs.y[rows]
        order.append(rows)
        found.append(Losses.of(y, p, outputs.floor, task=outputs.task, costs=costs))
        by_class = by_class + class_sums(y, p)
    back = np.argsort(np.concatenate(order))
    columns: Any = zip(*(vars(part).values() for part in found), strict=True)
    joined: Any = (None if c[0] is None else np.concatenate(c)[back] for c in columns)
    clusters, labels = numbered(outputs.clusters), outputs.groups.get("label")
    return HeldOut(Losses(*joined), by_class, outputs.task, clusters, labels)


def class_sums(y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return numbers, sums of scores and of gaps in fifteen bins of each class, (3, K, 15)."""
    n, k = p.shape
    hits, mass = np.bincount(y, minlength=k), p.sum(axis=0, dtype=float)
    # of many classes nearly all entries lie in the first bin: it is what the others leave
    row, of = np.divmod(np.flatnonzero(p > 0.99 / N_BINS), k)
    score = p[row, of].astype(float)
    place = N_BINS * of + np.searchsorted(np.arange(1, N_BINS) / N_BINS, score)
    values = (None, score, (y[row] == of) - score)
    sums = np.array([np.bincount(place, v, N_BINS * k) for v in values]).reshape(3, k, N_BINS)
    sums[:, :, 0] = np.array([np.full(k, n), mass, hits - mass]) - sums[:, :, 1:].sum(axis=2)
    return sums


def rows_of(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of columns by name, as plain numbers."""
    lists = (c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values())
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def names_of(outputs: ModelOutputs) -> list[str]:
    return outputs.class_names or [str(k) for k in range(outputs.n_classes)]


def numbered(clusters: Any) -> np.ndarray | None:
    """Return the clusters as numbers from 0; None where there are none."""
    return None if clusters is None else np.unique(clusters, return_inverse=True)[1]
