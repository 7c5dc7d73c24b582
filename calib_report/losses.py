"""What a model, or a map, says of each sample: losses, scores, hits and costs."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from calib import Bins, Pairs, RiskCoverage, equal_width, risk_coverage
from calib_report.outputs import ModelOutputs
from calib_report.sums import Accumulator

NUMBERS_KEPT = 5_000_000  # probabilities after a map that are kept, at most


@dataclass(frozen=True, eq=False)
class Purpose:
    """What the probabilities are for, as far as that is known."""

    costs: Any = None  # (K, D), of each decision, given the class
    old: Any = None  # (K,), frequencies of the classes in the samples
    new: Any = None  # (K,), and where the model will be used


NO_PURPOSE = Purpose()


@dataclass(frozen=True, eq=False)
class Losses:
    """What is said of each sample; arrays of shape (n,)."""

    nll: np.ndarray
    brier: np.ndarray  # summed over classes; of a yes-or-no question (score - hit) squared
    score: np.ndarray
    hit: np.ndarray
    cost: Any = None  # of the cheapest decision by the probabilities
    adjusted_nll: Any = None  # of probabilities that are adjusted to new frequencies
    adjusted_cost: Any = None

    @classmethod
    def of(
        cls,
        y: np.ndarray,
        p: np.ndarray,
        floor: float = 0.0,
        *,
        task: str = "classes",
        purpose: Purpose = NO_PURPOSE,
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
        cost = _best_costs(p, y, purpose.costs)
        found = cls(_log_loss(true, floor), brier, score, hit, cost)
        if purpose.new is None:
            return found
        weighted = p * (purpose.new / purpose.old)
        share = weighted[rows, y] / np.maximum(weighted.sum(axis=1), np.finfo(float).tiny)
        adjusted = _log_loss(share, floor), _best_costs(weighted, y, purpose.costs)
        return replace(found, adjusted_nll=adjusted[0], adjusted_cost=adjusted[1])

    @classmethod
    def joined(cls, parts: "list[Losses]", order: np.ndarray) -> "Losses":
        """Return the losses of several sets of samples in the given order."""
        columns: Any = zip(*(vars(part).values() for part in parts), strict=True)
        joined: Any = (None if c[0] is None else np.concatenate(c)[order] for c in columns)
        return cls(*joined)

    def decision_cost(self, purpose: Purpose) -> Any:
        """Return the cost of each decision, by adjusted probabilities where the classes move."""
        return self.cost if purpose.new is None else self.adjusted_cost


def _log_loss(true: np.ndarray, floor: float) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return -np.log(np.maximum(true, floor))


def _best_costs(p: np.ndarray, y: np.ndarray, costs: np.ndarray | None) -> np.ndarray | None:
    """Return what the decision costs that is cheapest by p; None where costs are not known."""
    return None if costs is None else costs[y, (p @ costs).argmin(axis=1)]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A map on samples that it was not fitted on: its losses, and the sums of its probabilities."""

    losses: Losses
    sums: Accumulator
    prob: Any = None  # (m, K), float32, of the samples that `rows_kept` names
    task: str = "classes"
    clusters: np.ndarray | None = None  # numbers from 0

    @cached_property
    def pairs(self) -> Pairs:
        """Scores and hits, as metrics take them checked."""
        return Pairs(self.losses.score, self.losses.hit == 1)

    @cached_property
    def bins(self) -> Bins:
        """The fifteen bins of the ECE."""
        return equal_width(15).of_checked(self.pairs)

    @cached_property
    def answers(self) -> tuple[np.ndarray, np.ndarray]:
        """The confidence of each answer, and whether it is right; of a label, yes or no."""
        score, hit = self.losses.score, self.losses.hit
        if self.task != "labels":
            return score, hit
        return np.maximum(score, 1 - score), ((score >= 0.5) == (hit == 1)).astype(int)

    @cached_property
    def curve(self) -> RiskCoverage:
        """The share of errors against the share of answers that are kept."""
        sure, right = self.answers
        return risk_coverage(right, sure)


def unchanged(outputs: ModelOutputs, purpose: Purpose = NO_PURPOSE) -> HeldOut:
    """Return the outputs as they are, as a map that was never fitted."""
    y, p, task = outputs.y, outputs.prob, outputs.task
    losses = Losses.of(y, p, outputs.floor, task=task, purpose=purpose)
    kept = p[rows_kept(outputs)].astype(np.float32)
    return HeldOut(
        losses, Accumulator().update_checked(y, p), kept, task, numbered(outputs.clusters)
    )


def rows_kept(outputs: ModelOutputs) -> np.ndarray:
    """Return the samples whose probabilities are kept: all, or in a large file some by lot."""
    n, m = len(outputs), NUMBERS_KEPT // outputs.n_classes
    return np.arange(n) if n <= m else np.sort(np.random.default_rng(0).permutation(n)[:m])


def names_of(outputs: ModelOutputs) -> list[str]:
    """Return the names of the classes."""
    return outputs.class_names or [str(k) for k in range(outputs.n_classes)]


def numbered(clusters: Any) -> np.ndarray | None:
    """Return the clusters as numbers from 0; None where there are none."""
    return None if clusters is None else np.unique(clusters, return_inverse=True)[1]
