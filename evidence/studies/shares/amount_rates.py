"""Compute amount_rates.csv: how often the ledger's word errs of means and of correlations.

`python -m evidence.studies amount_rates` from the root. `share_model` says it of counts. Here the
truth of a mean is 0, half or one standard deviation of a network, and networks of one data set have
the intraclass correlation `icc`; the layouts are those of the ledger, or near. Two rankings have a
correlation of 0, and networks of one model are alike in both. "Shown" is that the mean, or the
correlation, is positive: of a truth of 0 it is an error, as "refuted" always is.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.stats import rankdata

from evidence.claims.amounts import amounts
from evidence.claims.estimates import CERTAIN
from evidence.claims.network_intervals import correlation_interval, drawn_singly
from evidence.claims.stored import load_scales
from evidence.rows import Row

N_DRAWS, SEED = 2000, 51
LIKENESS = (0.0, 0.1, 0.3, 0.5, 0.7)
TRUTHS = (0.0, 0.5, 1.0)
# how many networks each data set has
OF_MEANS = [(9, 4), (5, 2, 1), (9, 5, 3), (8,) * 8, (23, 11, 5, 2, 1, 1, 1)]
# networks, and models, which have as many of them as can be
OF_CORRELATIONS = [(6, 6), (11, 7), (14, 7), (76, 13)]
# the ends of a 95 % interval, as probabilities
ENDS = (0.025, 0.975)


def alike(
    groups: np.ndarray, icc: float, rng: np.random.Generator, n_draws: int
) -> np.ndarray:
    """Return normal values of networks, shape (draws, n), with this correlation in each group."""
    of_group = rng.standard_normal((n_draws, groups.max() + 1))[:, groups]
    alone = rng.standard_normal((n_draws, len(groups)))
    return np.sqrt(icc) * of_group + np.sqrt(1 - icc) * alone


def rates_of_words(above: np.ndarray) -> Row:
    """Return how often the probability of the positive side is sure, and that of the other."""
    return {
        "shown": float(np.mean(above > CERTAIN)),
        "refuted": float(np.mean(above < 1 - CERTAIN)),
    }


def rates_of_means(
    sets: np.ndarray,
    icc: float,
    truth: float,
    scales: dict[str, float],
    rng: np.random.Generator,
    n_draws: int,
) -> Row:
    """Return how often a mean is shown and refuted, and how often its interval holds the truth."""
    values = truth + alike(sets, icc, rng, n_draws)
    found = [amounts(of_draw, {"dataset": sets}, scales) for of_draw in values]
    above = np.array([mean.mean_between(0, np.inf) for mean in found])
    # the truth lies in the interval where its place in the distribution is between the ends
    place = np.array([mean.mean_between(-np.inf, truth) for mean in found])
    covered = (place > ENDS[0]) & (place < ENDS[1])
    return rates_of_words(above) | {"covered": float(covered.mean())}


def rates_of_correlations(
    models: np.ndarray, icc: float, rng: np.random.Generator, n_draws: int
) -> Row:
    """Return how often a rank correlation is shown and refuted, and its interval holds zero."""
    n, singly = len(models), drawn_singly(len(models), {"kin": models}).n
    x, y = (rankdata(alike(models, icc, rng, n_draws), axis=1) for _ in range(2))
    # Spearman's, of ranks without ties
    rho = 1 - 6 * ((x - y) ** 2).sum(axis=1) / (n * (n**2 - 1))
    fisher = [correlation_interval(float(of_draw), n, singly) for of_draw in rho]
    half = np.array([of_draw.p(0.0) / 2 for of_draw in fisher])
    ends = np.array([(of_draw.low, of_draw.high) for of_draw in fisher])
    covered = (ends[:, 0] < 0) & (ends[:, 1] > 0)
    above = np.where(rho > 0, 1 - half, half)
    return rates_of_words(above) | {"covered": float(covered.mean())}


def rows() -> Iterator[Row]:
    """Yield the rates of each layout, likeness and truth."""
    scales = load_scales()
    for sizes in OF_MEANS:
        rng = np.random.default_rng([SEED, *sizes])
        sets = np.repeat(np.arange(len(sizes)), sizes)
        head = {"of": "means", "n": len(sets), "groups": len(sizes)}
        head["sizes"] = " ".join(map(str, sizes))
        for icc, truth in product(LIKENESS, TRUTHS):
            rates = rates_of_means(sets, icc, truth, scales, rng, N_DRAWS)
            yield head | {"icc": icc, "truth": truth, "draws": N_DRAWS} | rates
    for n, n_models in OF_CORRELATIONS:
        rng = np.random.default_rng([SEED, n, n_models])
        models = np.sort(np.arange(n) % n_models)
        head = {"of": "correlations", "n": n, "groups": n_models}
        head["sizes"] = " ".join(map(str, np.bincount(models)))
        for icc in LIKENESS:
            rates = rates_of_correlations(models, icc, rng, N_DRAWS)
            yield head | {"icc": icc, "truth": 0.0, "draws": N_DRAWS} | rates
