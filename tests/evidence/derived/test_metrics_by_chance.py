"""What chance makes of metrics, beside calibrated networks that are drawn."""

import numpy as np
import pytest

import calib
from evidence.derived.metrics_by_chance import ks_error_by_chance, most_ece_by_chance


@pytest.mark.parametrize("n_bins", [5, 15])
def test_the_formulas_are_near_what_calibrated_networks_have(n_bins):
    """The KS error of hits drawn from the scores, and the ECE, which is below its bound."""
    rng, n = np.random.default_rng(1), 2000
    score = rng.beta(4, 2, n)
    brier = (score * (1 - score)).mean()
    hits = [rng.random(n) < score for _ in range(300)]
    ks = np.mean([calib.ks_error(hit, score) for hit in hits])
    ece = np.mean([calib.ece(hit, score, n_bins=n_bins) for hit in hits])
    assert ks_error_by_chance(brier, n) == pytest.approx(ks, rel=0.05)
    assert ece <= most_ece_by_chance(brier, n, n_bins) < 1.2 * ece
