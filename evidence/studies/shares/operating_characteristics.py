"""Compute operating_characteristics.csv: how often two rules before the model of shares erred.

`python -m evidence.studies operating_characteristics` from the root. Networks in data sets, by
authors, of models: whether a network agrees with a sentence is a threshold on a sum of normal
effects of its data set, its author, its model and its own, so that two networks of one data set
have the intraclass correlation `icc`, two of one author or model `others`; half of the networks are
of one author, a quarter of another. `asked` is the share that a word asks for; where the truth is
none as many agree. Settings in data sets have effects with three seeds each.

`FIRST` is the rule up to 23 November 2026, which asked for one half. `OF_FORECASTS` is the one with
which the first forecasts were registered (`evidence.forecasts.former_rule`). Its intervals of means
and of correlations are those that the ledger has still; shares and amounts of networks are judged
by the model, whose rates are in ``share_model.csv`` and ``amount_rates.csv``.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.stats import norm, rankdata, t

import calib
from evidence.claims.network_intervals import (
    FEWEST,
    Bound,
    correlation_interval,
    drawn_singly,
    mean_interval,
)
from evidence.claims.quantifiers import ASKED
from evidence.forecasts.former_rule import exact_interval, share_interval
from evidence.rows import Row
from evidence.studies.parts.simulated_shares import in_sets

FIRST, OF_FORECASTS = "first rule", "rule of the first forecasts"
N_DRAWS, SEED = 4000, 2026
NETWORKS, DATA_SETS = (5, 8, 13, 17, 44, 80), (1, 2, 3, 4, 5, 8)
CORRELATIONS = (0.0, 0.1, 0.2, 0.3, 0.5)
NEITHER = {"holds": 0.0, "fails": 0.0}  # too few cases
# Of each share that is asked for ("mostly", "in many", clear examples): how many agree in truth.
TRUTHS = {
    0.5: {"none": 0.5, "modest": 0.65, "clear": 0.9},
    ASKED["in many"]: {"none": ASKED["in many"], "clear": 0.8},
    ASKED["exists"]: {"none": ASKED["exists"], "clear": 0.5},
}
SETTINGS, SPREADS = (1, 2, 3, 5, 8), (0.0, 1.0, 3.0)
# in standard deviations between seeds
EFFECTS = {"none": 0.0, "modest": 1.0, "clear": 3.0}


def latent(
    rng: np.random.Generator,
    clusters: tuple[np.ndarray, np.ndarray, np.ndarray],
    variances: Sequence[float],
) -> np.ndarray:
    """Return normal effects of networks, shape (N_DRAWS, n); clusters with their parts of it."""
    # what is a network's own is what the shared effects leave of the variance
    effect = rng.normal(size=(N_DRAWS, len(clusters[0]))) * np.sqrt(
        1 - np.sum(variances)
    )
    for codes, share in zip(clusters, variances, strict=True):
        effect += np.sqrt(share) * rng.normal(size=(N_DRAWS, codes.max() + 1))[:, codes]
    return effect


def cut_at_zero(
    rng: np.random.Generator,
    truth: float,
    clusters: tuple[np.ndarray, np.ndarray, np.ndarray],
    correlations: tuple[float, float, float],
) -> np.ndarray:
    """Return whether networks agree, shape (N_DRAWS, n); clusters with their correlations."""
    # of two normal effects, cut at zero
    variances = np.sin(np.pi * np.asarray(correlations) / 2)
    return (
        latent(rng, clusters, variances / max(1, variances.sum())) < norm.ppf(truth)
    ).astype(float)


def first_interval(
    agree: np.ndarray, data: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first rule's interval: of as many networks as data sets' differences say."""
    n, share = agree.shape[1], agree.mean(1)
    sums = np.stack(
        [(agree[:, data == d] - share[:, None]).sum(1) for d in np.unique(data)]
    )
    # the variance of the mean share, by the differences of the data sets
    between = len(sums) / max(1, len(sums) - 1) * (sums**2).sum(0) / n**2
    alone = share * (1 - share) / n
    # how many networks count as one, since those of a data set are alike
    ratio = np.divide(between, alone, out=np.ones_like(alone), where=alone > 0)
    n = n / np.maximum(1, ratio)
    return calib.wilson_interval(share * n, n)


def verdicts(low: Bound, high: Bound, bound: float) -> dict[str, float]:
    """Return the shares of intervals that lie above a bound, and below it."""
    return {"holds": float(np.mean(low > bound)), "fails": float(np.mean(high < bound))}


class NetworksOfDesign(NamedTuple):
    """Networks as the table names them, what hangs together, how much, and what the rule knows."""

    columns: Row
    clusters: tuple[np.ndarray, np.ndarray, np.ndarray]  # data sets, authors, models
    correlations: tuple[float, float, float]
    codes: dict[str, np.ndarray]

    def drawn_singly(self) -> float:
        """Return how many networks drawn singly would tell as much as these."""
        return drawn_singly(self.columns["n"], self.codes).n

    def are_too_few(self) -> bool:
        """Whether the rule has no answer: one data set, or too few that count as single ones."""
        return self.columns["data_sets"] < 2 or self.drawn_singly() < FEWEST


def designs(rng: np.random.Generator) -> Iterator[NetworksOfDesign]:
    """Yield each design of networks."""
    grid = product(NETWORKS, DATA_SETS, ("even", "halving"), CORRELATIONS, (0.0, 0.1))
    for n, n_sets, layout, icc, crossed in grid:
        if n_sets > n or (n_sets == 1 and layout == "halving"):
            continue
        data = in_sets(n, n_sets, layout)
        authors = rng.permutation(in_sets(n, min(4, n), "halving"))
        models = rng.integers(max(3, n // 4), size=n)
        codes = {"dataset": data} | (
            {"author": authors, "kin": models} if crossed else {}
        )
        columns = {
            "n": n,
            "data_sets": n_sets,
            "layout": layout,
            "icc": icc,
            "others": crossed,
        }
        clusters, correlations = (data, authors, models), (icc, crossed, crossed)
        yield NetworksOfDesign(columns, clusters, correlations, codes)


def shares(rng: np.random.Generator) -> Iterator[Row]:
    """Yield what both rules say of shares of networks, one row a design, a rule and a truth."""
    truths = [
        (asked, name, truth)
        for asked, by_name in TRUTHS.items()
        for name, truth in by_name.items()
    ]
    for design in designs(rng):
        for asked, name, truth in truths:
            agree = cut_at_zero(rng, truth, design.clusters, design.correlations)
            head = {"of": "networks", **design.columns, "asked": asked, "truth": name}
            for rule, verdict in by_rules(agree, design, asked).items():
                yield {**head, "rule": rule, **verdict}


def by_rules(
    agree: np.ndarray, design: NetworksOfDesign, asked: float
) -> dict[str, dict[str, float]]:
    """Return by rule how often it says of networks that agree that as many do as are asked for."""
    if asked != 0.5:
        ends = exact_interval(agree, design.codes)
        none = design.are_too_few() and asked != ASKED["exists"]
        return {OF_FORECASTS: NEITHER if none else verdicts(ends.low, ends.high, asked)}
    first = verdicts(*first_interval(agree, design.clusters[0]), asked)
    ends = share_interval(agree, design.codes)
    later = NEITHER if design.are_too_few() else verdicts(ends.low, ends.high, asked)
    return {FIRST: first, OF_FORECASTS: later}


def effects(rng: np.random.Generator) -> Iterator[Row]:
    """Yield what the rule says of means and rank correlations over networks that are nil."""
    for design in designs(rng):
        columns, clusters, correlations, codes = design
        if sum(correlations) > 0.5 or design.are_too_few():
            continue
        n = columns["n"]
        x, y = (latent(rng, clusters, correlations) for _ in range(2))
        ranks = [rankdata(values, axis=1) - (n + 1) / 2 for values in (x, y)]
        # Spearman's: both are the ranks 1 to n, so that one norm does
        rho = np.prod(ranks, axis=0).sum(axis=1) / (ranks[0] ** 2).sum(axis=1)
        intervals = {"means": mean_interval(x, codes)}
        intervals["correlations"] = correlation_interval(rho, n, design.drawn_singly())
        for of, interval in intervals.items():
            head = {"of": of, **columns, "asked": 0.0, "truth": "none"}
            found = verdicts(interval.low, interval.high, 0.0)
            yield {**head, "rule": OF_FORECASTS, **found}


def on_settings(rng: np.random.Generator) -> Iterator[Row]:
    """Yield what both rules say of an effect over settings, each in a data set of its own."""
    for k, spread in product(SETTINGS, SPREADS):
        for name, effect in EFFECTS.items():
            seed_effects = effect + spread * rng.normal(size=(N_DRAWS, k, 1))
            seeds = seed_effects + rng.normal(size=(N_DRAWS, k, 3))
            means = seeds.mean(-1)
            half = t.ppf(0.975, 2) * seeds.std(-1, ddof=1) / np.sqrt(3)
            sides = {"holds": means, "fails": -means}
            first = {
                side: float(np.mean((x > half).all(1))) for side, x in sides.items()
            }
            design = {
                "of": "settings",
                "n": k,
                "data_sets": k,
                "layout": "even",
                "icc": spread,
            }
            design |= {"others": 0.0, "asked": 0.0, "truth": name}
            yield {**design, "rule": FIRST, **first}
            interval = (
                mean_interval(means, {"dataset": np.arange(k)}) if k > 1 else None
            )
            later = verdicts(interval.low, interval.high, 0.0) if interval else NEITHER
            yield {**design, "rule": OF_FORECASTS, **later}


def rows() -> Iterable[Row]:
    rng = np.random.default_rng(SEED)
    return [*shares(rng), *effects(rng), *on_settings(rng)]
