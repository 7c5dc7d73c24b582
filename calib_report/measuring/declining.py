"""Which answers to decline: a confidence that keeps a share of them, or a share of errors."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv, stdtrit

from calib import risk_coverage
from calib_report.measuring.estimates import (
    mean_with_standard_error,
    share_with_interval,
)
from calib_report.measuring.outcome import Outcome
from calib_report.measuring.request import Request
from calib_report.schema import Declining, Number, RiskRow, ShareAsked
from calib_report.values import cluster_numbers

COVERAGES = (0.95, 0.9, 0.8)
STEPS_OF_COVERAGE = np.arange(1, 41) / 40  # at which a risk is tried, the surest first
FIRST_COVERAGES = (0.1, 0.3, 0.6)  # coverages at which trying begins
LEVEL = 0.95
LEVEL_OF_ONE_START = 1 - (1 - LEVEL) / len(FIRST_COVERAGES)


def risk_at(share: float, before: Outcome, after: Outcome) -> RiskRow:
    """Return the errors among the surest share of the answers, and where they begin."""
    return {
        "kept": share,
        "before": before.curve.risk_at(share),
        "after": after.curve.risk_at(share),
        "threshold": after.curve.threshold_at(share),
    }


def threshold_to_decline(
    outcome: Outcome, rng: np.random.Generator, request: Request
) -> Declining:
    """Return a confidence below which to decline, and what that gives.

    Of a `coverage` it is found on one half of the samples, or clusters, and tried on the other. Of
    a `risk` it keeps a promise. Shares of the answers, the surest first, are tried from three
    beginnings on, as long as the bound on their errors is at most the risk; each beginning has a
    third of the 5 % (fixed sequence testing; Angelopoulos et al. 2021, Learn then Test). So the
    true share of errors exceeds the risk in one of twenty reports at most.

    ``threshold`` is None where no answer can be kept; ``at_most`` is the one-sided bound on the
    share of errors among the kept, exact of samples (Clopper & Pearson 1934).
    """
    answers, question = Answers.of(outcome), ShareAsked()
    if request.risk is None:
        question["coverage"] = request.coverage or 1.0
        trial = answers.at_coverage(question["coverage"], rng)
    else:
        question["risk"] = request.risk
        trial = answers.at_risk(question["risk"])
    are_above = answers.sure >= trial.limit
    rows = trial.rows & are_above
    return {
        "asked": question,
        "threshold": trial.limit if np.isfinite(trial.limit) else None,
        "kept": answers.share_of(are_above.astype(float), trial.rows),
        # where no answer is kept, none is wrong and none is right
        "errors": answers.share_of_mistakes(rows) if rows.any() else None,
        "at_most": answers.bound(rows, trial.level) if rows.any() else None,
    }


class Trial(NamedTuple):
    """A confidence below which to decline, the rows that try it, and with what certainty."""

    limit: float
    rows: np.ndarray
    level: float


@dataclass(frozen=True, eq=False)
class Answers:
    """How sure answers are, which are right, and which cluster each is of."""

    sure: np.ndarray
    right: np.ndarray
    clusters: np.ndarray | None

    @classmethod
    def of(cls, outcome: Outcome) -> "Answers":
        sure, right, _ = outcome.answer_pairs
        return cls(sure, right, outcome.clusters)

    def at_coverage(self, coverage: float, rng: np.random.Generator) -> Trial:
        """Return the threshold that keeps a share of the answers."""
        first = self.half(rng)
        curve = risk_coverage(self.right[first], self.sure[first])
        # half finds the threshold, the other half has not seen it
        return Trial(curve.threshold_at(coverage), ~first, LEVEL)

    def at_risk(self, risk: float) -> Trial:
        """Return the threshold that is shown to keep a risk."""
        # found and tried on all rows: the sequence of bounds pays for that
        rows = np.ones(len(self.sure), bool)
        return Trial(self.limit_of_risk(risk), rows, LEVEL_OF_ONE_START)

    def half(self, rng: np.random.Generator) -> np.ndarray:
        """Return which rows are of one half, of samples or of clusters."""
        unit = np.arange(len(self.sure)) if self.clusters is None else self.clusters
        n_units = int(unit.max()) + 1
        return (rng.permutation(n_units) < n_units // 2)[unit]

    def share_of(self, values: np.ndarray, rows: np.ndarray) -> Number:
        """Return the mean of values of 0 and 1 with its interval."""
        return share_with_interval(values[rows], self._clusters_of(rows))

    def _clusters_of(self, rows: np.ndarray) -> np.ndarray | None:
        return None if self.clusters is None else cluster_numbers(self.clusters[rows])

    def share_of_mistakes(self, rows: np.ndarray) -> Number:
        """Return the share of mistakes among such answers."""
        return self.share_of(1.0 - self.right, rows)

    def bound(self, rows: np.ndarray, level: float) -> float:
        """Return what the share of mistakes among such answers is at most, with this certainty."""
        n, n_mistakes = int(rows.sum()), int((self.right[rows] == 0).sum())
        if n == n_mistakes:  # of no rows as well
            return 1.0
        clusters = self._clusters_of(rows)
        if clusters is None:
            return float(betaincinv(n_mistakes + 1, n - n_mistakes, level))
        return _bound_of_clusters(1.0 - self.right[rows], clusters, level)

    def limit_of_risk(self, risk: float) -> float:
        """Return the lowest threshold that is shown to keep a risk; infinite where none is."""
        limits = np.quantile(self.sure, 1 - STEPS_OF_COVERAGE, method="higher")
        lowest = np.inf
        for start in FIRST_COVERAGES:
            for limit in limits[STEPS_OF_COVERAGE >= start - 1e-9]:
                # fixed sequence: what fails ends its beginning, no later one is tried
                if self.bound(self.sure >= limit, LEVEL_OF_ONE_START) > risk:
                    break
                lowest = min(lowest, float(limit))
        return lowest


def _bound_of_clusters(
    mistakes: np.ndarray, clusters: np.ndarray, level: float
) -> float:
    """Return what the mean of mistakes is at most, of clusters that are numbered from 0."""
    mean, standard_error, freedom = mean_with_standard_error(mistakes, clusters)
    # alike in all clusters: each counts as one sample
    if mean == 0 or np.isinf(standard_error):
        return float(betaincinv(1, int(clusters.max()) + 1, level))
    return min(float(mean + stdtrit(freedom, level) * standard_error), 1.0)
