"""Compute share_model.csv: does the model of the ledger keep its word? Some ten minutes.

The truth is fixed: the likeness of networks of a data set is an intraclass correlation from 0 to
0.7, on the scale of the logits, and the share that agrees one half (where "shown" and "refuted" are
errors), 0.8, 0.9 or 0.95 (where "shown" is power).
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.optimize import brentq

from evidence.claims.amounts import RESIDUAL
from evidence.claims.estimates import CERTAIN
from evidence.claims.stored import load_scales
from evidence.rows import Row
from evidence.studies.parts.simulated_shares import (
    agreeing,
    all_designs,
    mean_share,
    posteriors,
)

N_DRAWS = 1000
CORRELATIONS = (0.0, 0.1, 0.3, 0.5, 0.7)
TRUTHS = (0.5, 0.8, 0.9, 0.95)


def verdict_rates(
    codes: dict[str, np.ndarray],
    correlation: float,
    truth: float,
    scales: dict[str, float],
    rng: np.random.Generator,
    n_draws: int,
) -> dict[str, float]:
    """Return how often the model says "shown" and "refuted", and how often its interval is right.

    All of the likeness is of data sets; where authors and models are drawn, each has a fifth of it.
    """
    total = np.sqrt(correlation / (1 - correlation) * RESIDUAL)
    variances = [total] if len(codes) == 1 else total * np.sqrt([0.6, 0.2, 0.2])
    # the mean logit for which the share of new networks is the truth
    mu = brentq(lambda m: mean_share(m, variances) - truth, -1, 30)
    agree = np.stack([agreeing(mu, variances, codes, rng) for _ in range(n_draws)])
    posterior = posteriors(agree, codes, scales)
    half = np.array([post.above(0.5) for post in posterior])
    ends = np.array([post.quantiles() for post in posterior])
    covered = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    return {
        "shown": float(np.mean(half > CERTAIN)),
        "refuted": float(np.mean(half < 1 - CERTAIN)),
        "covered": float(covered.mean()),
        "width": float(np.ptp(ends, axis=1).mean()),
    }


def rows() -> Iterator[Row]:
    """Yield what the model says of simulated sentences of known truth."""
    scales = load_scales()
    for head, codes, rng, fewer in all_designs():
        for correlation, truth in product(CORRELATIONS, TRUTHS):
            draws = N_DRAWS // fewer
            rates = verdict_rates(codes, correlation, truth, scales, rng, draws)
            yield {**head, "icc": correlation, "truth": truth, "draws": draws, **rates}
