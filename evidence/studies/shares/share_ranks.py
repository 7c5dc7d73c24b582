"""Compute share_ranks.csv: do the model of the ledger and its computation agree?

Simulation-based calibration (Talts et al. 2018): mu and the spreads are drawn from the model's own
prior; where the true share lies in its posterior, its rank, is uniform if they do.
"""

from collections.abc import Iterator

import numpy as np

from evidence.claims import shares
from evidence.claims.stored import load_scales
from evidence.rows import Row
from evidence.studies.parts.simulated_shares import (
    agreeing,
    all_designs,
    mean_share,
    posteriors,
)

N_RANKS, N_BINS = 1000, 10


def ranks(
    codes: dict[str, np.ndarray],
    scales: dict[str, float],
    rng: np.random.Generator,
    n_draws: int,
) -> np.ndarray:
    """Return where true shares, drawn from the prior, lie in their posteriors: from 0 to 1."""
    mu = rng.normal(0, shares.MU_SPREAD, n_draws)
    spreads = np.abs(
        rng.normal(0, [scales[effect] for effect in codes], (n_draws, len(codes)))
    )
    agree = np.stack(
        [agreeing(m, s, codes, rng) for m, s in zip(mu, spreads, strict=True)]
    )
    true = [mean_share(m, s) for m, s in zip(mu, spreads, strict=True)]
    posterior = posteriors(agree, codes, scales)
    return np.array(
        [1 - post.above(share) for post, share in zip(posterior, true, strict=True)]
    )


def rows() -> Iterator[Row]:
    """Yield how many ranks fall into each tenth, for each design."""
    scales = load_scales()
    for head, codes, rng, fewer in all_designs():
        ranked = ranks(codes, scales, rng, N_RANKS // fewer)
        counts = np.histogram(ranked, bins=N_BINS, range=(0, 1))[0]
        for place, count in enumerate(counts.tolist()):
            yield {**head, "bin": place, "count": count}
