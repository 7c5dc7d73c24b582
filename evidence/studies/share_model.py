"""Compute data/results/share_ranks.csv and share_model.csv: does the ledger's model keep its word?

`python -m evidence.studies studies.share_model` from the root, some ten minutes. Sentences are
simulated whose truth is known: networks in data sets, by authors, of models, as in `operating`.

`share_ranks` is simulation-based calibration (Talts et al. 2018): mu and the spreads are drawn from
the model's own prior; where the true share lies in its posterior, its rank, is uniform if model and
computation agree. `share_model` fixes the truth instead: the likeness of networks of a data set is
an intraclass correlation from 0 to 0.7, on the scale of the logits, and the share that agrees one
half (where "shown" and "refuted" are errors), 0.8, 0.9 or 0.95 (where "shown" is power).
"""

from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from evidence.claims import shares
from evidence.claims.estimates import CERTAIN
from evidence.claims.ledger import load_scales
from evidence.studies.operating import in_sets

SEED, N_RANKS, N_DRAWS, N_BINS = 50, 1000, 1000, 10
DESIGNS = ((17, 3), (44, 8), (60, 7))  # networks and data sets
CORRELATIONS = (0.0, 0.1, 0.3, 0.5, 0.7)
TRUTHS = (0.5, 0.8, 0.9, 0.95)
FEWER = 5  # times as few draws where authors and models are drawn too, which take so much longer


def design(n, n_sets, rng, effects):
    """Return the levels of the effects of each network: half of them are of one author."""
    levels = {"dataset": in_sets(n, n_sets, "halving")}
    levels["author"] = rng.permutation(in_sets(n, 4, "halving"))
    levels["kin"] = np.unique(rng.integers(max(3, n // 4), size=n), return_inverse=True)[1]
    return {effect: levels[effect] for effect in effects}


def agreeing(mu, spreads, codes, rng):
    """Return whether each network agrees, given the spreads of the effects."""
    logit = mu
    for spread, levels in zip(spreads, codes.values(), strict=True):
        logit = logit + spread * rng.standard_normal(max(levels) + 1)[levels]
    return (rng.random(len(levels)) < expit(logit)).astype(float)


def mean_share(mu, spreads):
    """Return the share of new networks that agree."""
    spread = np.sqrt(np.sum(np.square(spreads)))
    return float(expit(mu + spread * shares.STANDARD) @ shares.WEIGHTS)


def in_cells(agree, codes):
    """Return the counts of networks with the same effects, as `shares.log_likelihood` takes them.

    Networks of one data set alone are one cell; otherwise each network is.
    """
    if len(codes) > 1:
        return np.ones(agree.shape[1]), agree, codes
    levels = codes["dataset"]
    sums = agree @ np.eye(max(levels) + 1)[levels]
    return np.bincount(levels).astype(float), sums, {"dataset": np.arange(sums.shape[1])}


def posteriors(agree, codes, scales):
    """Return the posterior of the share for each draw of one design, shape (draws, n)."""
    n, agree, codes = in_cells(agree, codes)
    likelihood = shares.log_likelihood(n, agree, codes)
    return [shares.share(each, tuple(codes), scales) for each in likelihood]


def ranks(codes, scales, rng, n_draws):
    """Return where true shares, drawn from the prior, lie in their posteriors: from 0 to 1."""
    mu = rng.normal(0, shares.MU_SPREAD, n_draws)
    spreads = np.abs(rng.normal(0, [scales[effect] for effect in codes], (n_draws, len(codes))))
    agree = np.stack([agreeing(m, s, codes, rng) for m, s in zip(mu, spreads, strict=True)])
    true = [mean_share(m, s) for m, s in zip(mu, spreads, strict=True)]
    posterior = posteriors(agree, codes, scales)
    return np.array([1 - post.above(share) for post, share in zip(posterior, true, strict=True)])


def operating(codes, correlation, truth, scales, rng, n_draws):
    """Return how often the model says "shown" and "refuted", and how often its interval is right.

    All of the likeness is of data sets; where authors and models are drawn, each has a fifth of it.
    """
    total = np.sqrt(correlation / (1 - correlation) * shares.RESIDUAL)
    variances = [total] if len(codes) == 1 else total * np.sqrt([0.6, 0.2, 0.2])
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


def all_designs():
    """Yield each design: its columns, the levels of its effects, and the number of draws."""
    for effects, fewer in ((("dataset",), 1), (shares.EFFECTS, FEWER)):
        for n, n_sets in DESIGNS if fewer == 1 else DESIGNS[1:2]:
            rng = np.random.default_rng([SEED, n, len(effects)])
            codes = design(n, n_sets, rng, effects)
            head = {"n": n, "data_sets": n_sets, "effects": " ".join(effects)}
            yield head, codes, rng, fewer


def rank_rows():
    """Yield how many ranks fall into each tenth, for each design."""
    scales = load_scales()
    for head, codes, rng, fewer in all_designs():
        shares = ranks(codes, scales, rng, N_RANKS // fewer)
        counts = np.histogram(shares, bins=N_BINS, range=(0, 1))[0]
        for place, count in enumerate(counts.tolist()):
            yield {**head, "bin": place, "count": count}


def operating_rows():
    """Yield what the model says of simulated sentences of known truth."""
    scales = load_scales()
    for head, codes, rng, fewer in all_designs():
        for correlation, truth in product(CORRELATIONS, TRUTHS):
            draws = N_DRAWS // fewer
            rates = operating(codes, correlation, truth, scales, rng, draws)
            yield {**head, "icc": correlation, "truth": truth, "draws": draws, **rates}


TABLES = {"share_ranks": rank_rows, "share_model": operating_rows}
