"""Compute ece_details.csv: how the ECE of each uncalibrated network comes about.

`python -m evidence.studies ece_details` from the root. One row a network: the public predictions
and the zoo.
"""

from collections.abc import Iterator

import numpy as np
from scipy.stats import chi2

import calib
from evidence import load_source, load_zoo, source_names
from evidence.data import Predictions, generator
from evidence.derived.metrics_by_chance import ks_error_by_chance
from evidence.network_outputs import Outputs
from evidence.rows import Row
from evidence.studies.parts.networks_of_zoo import networks_with_all_seeds

BINS = range(5, 55, 5)
N_RESAMPLES = 200
N_CALIBRATED = 50
SEED = 2021


def network_row(name: str, kind: str, net: Predictions) -> Row:
    """The range of the ECE over the number of bins, and where its predictions and gaps lie."""
    score, hit = net.test.pairs
    over_bins = [calib.ece(hit, score, n_bins=n_bins) for n_bins in BINS]
    bins = calib.equal_width(15)(score, hit)
    # each in its own order: the fullest bins need not be the heaviest
    count, gap = np.sort(bins.count), np.sort(np.abs(bins.hit_sum - bins.score_sum))
    calibrated = over_bins_by_chance(score, generator(name, "chance", seed=SEED))
    rng = generator(name, seed=SEED)
    ece = calib.bootstrap(
        calib.ece, hit, score, method="basic", n_resamples=N_RESAMPLES, rng=rng
    )
    return {
        "name": name,
        "evidence": kind,
        "n": len(score),
        "accuracy": float(hit.mean()),
        "confidence": float(score.mean()),
        "ece": ece.value,
        "ece_low": ece.low,
        "ece_high": ece.high,
        "ece_lowest": min(over_bins),
        "ece_highest": max(over_bins),
        "two_fullest_bins": float(count[-2:].sum() / len(score)),
        "two_heaviest_bins": float(gap[-2:].sum() / gap.sum()),
        "class_gap_p": class_gap_p(net.test),
        "ece_range_chance": float(np.ptp(calibrated, axis=1).mean()),
        "ks_top_3_chance": third_by_chance(net.test),
    }


def over_bins_by_chance(
    score: np.ndarray, rng: np.random.Generator
) -> list[list[float]]:
    """The ECE over the numbers of bins of a calibrated network of these scores, in 50 samples."""
    errors = []
    for _ in range(N_CALIBRATED):
        hit = rng.random(len(score)) < score
        errors.append([calib.ece(hit, score, n_bins=n_bins) for n_bins in BINS])
    return errors


def third_by_chance(split: Outputs) -> str | float:
    """The mean KS error of the third choice by chance, "" where its score is unknown."""
    if split.given.shape[1] < 3:
        return ""
    score = split.top_r_pairs(3)[0]
    return float(ks_error_by_chance((score * (1 - score)).mean(), len(score)))


def class_gap_p(split: Outputs) -> float:
    """The p-value of Cochran's Q: do the gaps of the predicted classes differ by chance alone?"""
    score, hit = split.pairs
    predicted = split.ranked[1][:, 0]
    gaps, variances = [], []
    for label in np.unique(predicted):
        chosen = predicted == label
        n = chosen.sum()
        # of so few the normal law behind Q says little
        if n < 20:
            continue
        gaps.append((score[chosen] - hit[chosen]).mean())
        # one hit and one miss more, so that no variance is zero
        share = (hit[chosen].sum() + 1) / (n + 2)
        variances.append(share * (1 - share) / n)
    gap, weight = np.array(gaps), 1 / np.array(variances)
    q = (weight * (gap - np.average(gap, weights=weight)) ** 2).sum()
    return float(chi2.sf(q, len(gap) - 1))


def rows() -> Iterator[Row]:
    yield from (
        network_row(name, "public", load_source(name)) for name in source_names()
    )
    yield from (
        network_row(name, "zoo", load_zoo(name)) for name in networks_with_all_seeds()
    )
