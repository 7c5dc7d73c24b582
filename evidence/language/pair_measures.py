"""Measures of pairs of a right answer and its confidence, and the generators of the tables."""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import stats

import calib
from calib.views import Viewed
from evidence import data
from evidence.constants import ROUNDED_95

SEED = 17
N_RESAMPLES = 200
generator = partial(data.generator, seed=SEED)


class Auroc(NamedTuple):
    """The area under the ROC curve, and its standard error."""

    value: float
    error: float


def auroc(hit: np.ndarray, score: np.ndarray) -> Auroc:
    """Chance that a right answer has the higher confidence, ties half, and its standard error.

    DeLong, DeLong and Clarke-Pearson (1988).
    """
    of_hits, of_misses = score[hit], score[~hit]
    if not len(of_hits) or not len(of_misses):
        return Auroc(np.nan, np.nan)
    # placements of DeLong: a hit's rank among all less that among hits counts misses below
    rank = stats.rankdata(score)
    above = (rank[hit] - stats.rankdata(of_hits)) / len(of_misses)
    below = 1 - (rank[~hit] - stats.rankdata(of_misses)) / len(of_hits)
    # one right or one wrong answer has no variance
    spread = sum(
        v.var(ddof=1) / len(v) if len(v) > 1 else np.nan for v in (above, below)
    )
    return Auroc(float(above.mean()), float(np.sqrt(spread)))


def pair_nll(hit: np.ndarray, score: np.ndarray) -> float:
    """NLL of the pairs; infinite where a confidence of 1 was wrong or of 0 right."""
    with np.errstate(divide="ignore"):
        return float(-np.log(np.where(hit, score, 1 - score)).mean())


def basic_interval(
    name: str, value: float, resampled: np.ndarray | list[float]
) -> dict[str, float]:
    """The ends of a 95 % basic interval, by those resamples whose value is known."""
    # a resample without a right or a wrong answer has no AUROC, and is left out
    low, high = 2 * value - np.nanquantile(resampled, [0.975, 0.025])
    return {f"{name}low": float(low), f"{name}high": float(high)}


def measure_pairs(
    hit: np.ndarray, score: np.ndarray, rng: np.random.Generator
) -> dict[str, float]:
    """Return the measures of one row of the tables; areas and ECE with their intervals."""
    ece = calib.bootstrap(
        calib.ece, hit, score, method="basic", n_resamples=N_RESAMPLES, rng=rng
    )
    area = auroc(hit, score)
    curve = calib.risk_coverage(hit, score)
    return {
        "n": len(hit),
        "accuracy": float(hit.mean()),
        "mean_confidence": float(score.mean()),
        "ece": ece.value,
        "ece_low": ece.low,
        "ece_high": ece.high,
        "ece_chance": calib.error_if_calibrated(score),
        "ks": calib.ks_error(hit, score),
        "smooth_ece": calib.smooth_ece(hit, score),
        "brier": calib.top1_brier(hit, score),
        "nll": pair_nll(hit, score),
        "auroc": area.value,
        "auroc_low": area.value - ROUNDED_95 * area.error,
        "auroc_high": area.value + ROUNDED_95 * area.error,
        "aurc": calib.aurc(hit, score),
        "risk_80": curve.risk_at(0.8),
        "risk_50": curve.risk_at(0.5),
    }


class Calibration(NamedTuple):
    """An ECE beside that of a calibrated model with these scores, and the test of the two."""

    ece: float
    chance: float
    p_value: float


def calibration_of(
    pairs: Viewed, n_draws: int, rng: np.random.Generator
) -> Calibration:
    """The ECE of pairs, its level by chance and the p-value of the consistency test."""
    score, hit = pairs
    test = calib.consistency_test(calib.ece, hit, score, n_resamples=n_draws, rng=rng)
    return Calibration(test.statistic, calib.error_if_calibrated(score), test.p_value)
