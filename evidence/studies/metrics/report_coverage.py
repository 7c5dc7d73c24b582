"""Compute report_coverage.csv: how often the intervals of a report hold the truth.

`python -m evidence.studies report_coverage` from the root. The outputs of ResNet-56 on CIFAR-10
make three worlds in which the probability of every class is known: as trained, where the truth is
the network after temperature scaling; after scaling, where it is the network after vector scaling;
and calibrated, where what the network says is true. Samples are drawn from the 5000 with
replacement, labels from the truth, and the intervals are those of `calib_report`, of the classwise
ECE, of which a report shows none, that of `calib.bootstrap`. Its rule for the
ECE was found with other seeds, after a simpler one, the basic interval cut at zero by a test, held
the truth in only 90 to 92 % of the samples after scaling; so was that for the errors among the
surest 90 %.
"""

from collections.abc import Iterator, Sequence

import numpy as np

import calib
from calib.bins import Binning
from calib_report.measuring.estimates import mean_with_interval
from calib_report.measuring.measure import first_numbers
from calib_report.measuring.outcome import Outcome
from calib_report.schema import Numbers
from evidence.derived.known_truth import scaled_network
from evidence.rows import Row
from evidence.simulate import drawn_labels

SIZES = (1000, 5000)
N_TRIALS = 500
SEED = 2026


def scores_and_truth() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return by name what the network says, and the truth."""
    test, scaled = scaled_network()
    z = test.as_logits()
    better = calib.VectorScaling().fit(z, test.y).predict_proba(z)
    return {
        "as trained": (test.prob, scaled),
        "after scaling": (scaled, better),
        "calibrated": (scaled, scaled),
    }


def true_values(p: np.ndarray, q: np.ndarray) -> dict[str, float]:
    """Return the metrics of the population: every label counts with its probability."""
    top = p.argmax(axis=1)
    rows = np.arange(len(p))
    score, p_true = p[rows, top], q[rows, top]
    binned = calib.equal_width(15)
    confident = score >= np.quantile(score, 0.1)
    return {
        "accuracy": p_true.mean(),
        "NLL": -(q * np.log(p)).sum(axis=1).mean(),
        # the expectation over labels of the squared distance
        "Brier": ((p**2).sum(axis=1) - 2 * (p * q).sum(axis=1) + 1).mean(),
        "ECE": _error(binned, score, p_true),
        "classwise ECE": np.mean(
            [_error(binned, p[:, k], q[:, k]) for k in range(p.shape[1])]
        ),
        "errors among the surest 90 %": 1 - p_true[confident].mean(),
        "confidence less accuracy": (score - p_true).mean(),
        "top-1 Brier": (score**2 - 2 * score * p_true + p_true).mean(),
    }


def _error(binning: Binning, score: np.ndarray, frequency: np.ndarray) -> float:
    place = binning(score, np.zeros(len(score))).assign(score)
    return np.abs(np.bincount(place, frequency - score)).sum() / len(score)


def one_trial(
    p: np.ndarray, q: np.ndarray, n: int, rng: np.random.Generator, classwise: bool
) -> Numbers:
    # with replacement: the test set is the population
    i = rng.integers(len(p), size=n)
    y = drawn_labels(q[i], rng)
    outputs = Outcome.of(y, p[i])
    numbers = first_numbers(outputs, rng=rng)
    numbers["confidence less accuracy"] = mean_with_interval(outputs.excess)
    numbers["top-1 Brier"] = mean_with_interval(outputs.excess**2)
    if classwise:  # which a report shows without an interval
        alone = calib.bootstrap(calib.classwise_ece, y, p[i], n_resamples=200, rng=rng)
        numbers["classwise ECE"] |= {"low": alone.low, "high": alone.high}
    return numbers


def rows(n_trials: int = N_TRIALS, sizes: Sequence[int] = SIZES) -> Iterator[Row]:
    """Yield rows: world, n, metric, truth, and the share of intervals that hold it."""
    for name, (p, q) in scores_and_truth().items():
        truth = true_values(p, q)
        for n in sizes:
            holds_by = trials(p, q, n, truth, n_trials)
            for metric, holds in holds_by.items():
                row = {"world": name, "n": n, "metric": metric}
                row |= {"truth": float(truth[metric])}
                yield row | {"coverage": float(np.mean(holds)), "n_trials": len(holds)}


def trials(
    p: np.ndarray, q: np.ndarray, n: int, truth: dict[str, float], n_trials: int
) -> dict[str, list[bool]]:
    """Return by metric whether the interval of each trial holds the truth, where it has one."""
    rng = np.random.default_rng([SEED, n])
    holds_by: dict[str, list[bool]] = {metric: [] for metric in truth}
    for trial in range(n_trials):
        numbers = one_trial(p, q, n, rng, trial < n_trials // 2)
        for metric, value in truth.items():
            number = numbers[metric]
            if "low" in number:
                holds_by[metric].append(number["low"] <= value <= number["high"])
    return holds_by
