"""Simulated sentences whose truth is known: networks in data sets, by authors, of models."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from evidence.claims import shares
from evidence.claims.distributions import Distribution
from evidence.rows import Row

SEED = 50
DESIGNS = ((17, 3), (44, 8), (60, 7))  # networks and data sets
FEWER = 5  # times as few draws where authors and models are drawn too, which take so much longer


def in_sets(n: int, n_sets: int, layout: str) -> np.ndarray:
    """Return the data set of each network: as many in each, or half as many in each next one."""
    share = np.ones(n_sets) if layout == "even" else 0.5 ** np.arange(n_sets)
    sizes = np.maximum(1, np.floor(n * share / share.sum())).astype(int)
    # what rounding left over goes to the largest
    sizes[np.argmax(sizes)] += n - sizes.sum()
    return np.repeat(np.arange(n_sets), sizes)


def design(
    n: int, n_sets: int, rng: np.random.Generator, effects: tuple[str, ...]
) -> dict[str, np.ndarray]:
    """Return the levels of the effects of each network: half of them are of one author."""
    levels = {"dataset": in_sets(n, n_sets, "halving")}
    levels["author"] = rng.permutation(in_sets(n, 4, "halving"))
    levels["kin"] = np.unique(
        rng.integers(max(3, n // 4), size=n), return_inverse=True
    )[1]
    return {effect: levels[effect] for effect in effects}


def agreeing(
    mu: float,
    spreads: np.ndarray | list[float],
    codes: dict[str, np.ndarray],
    rng: np.random.Generator,
) -> np.ndarray:
    """Return whether each network agrees, given the spreads of the effects."""
    logit = mu
    for spread, levels in zip(spreads, codes.values(), strict=True):
        logit = logit + spread * rng.standard_normal(max(levels) + 1)[levels]
    return (rng.random(len(levels)) < expit(logit)).astype(float)


def mean_share(mu: float, spreads: np.ndarray | list[float]) -> float:
    """Return the share of new networks that agree."""
    # of a sum of independent normal effects
    spread = np.sqrt(np.sum(np.square(spreads)))
    return float(expit(mu + spread * shares.STANDARD) @ shares.WEIGHTS)


def in_cells(
    agree: np.ndarray, codes: dict[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Return the counts of networks with the same effects, as `shares.log_likelihood` takes them.

    Networks of one data set alone are one cell; otherwise each network is.
    """
    if len(codes) > 1:
        # with several effects each network is a cell of its own
        return np.ones(agree.shape[1]), agree, codes
    levels = codes["dataset"]
    # how many agree in each data set: a product with indicators, for all draws at once
    sums = agree @ np.eye(max(levels) + 1)[levels]
    return (
        np.bincount(levels).astype(float),
        sums,
        {"dataset": np.arange(sums.shape[1])},
    )


def posteriors(
    agree: np.ndarray, codes: dict[str, np.ndarray], scales: dict[str, float]
) -> list[Distribution]:
    """Return the posterior of the share for each draw of one design, shape (draws, n)."""
    n, agree, codes = in_cells(agree, codes)
    drawn, logs = tuple(codes), shares.log_likelihood(n, agree, codes)
    return [shares.share(shares.Likelihood(drawn, log), scales) for log in logs]


class SimulatedDesign(NamedTuple):
    """Networks as the tables name them, the levels of their effects, and how to draw."""

    columns: Row
    codes: dict[str, np.ndarray]
    rng: np.random.Generator
    fewer: int  # what the usual number of draws is divided by


def all_designs() -> Iterator[SimulatedDesign]:
    """Yield each design, the slow ones with fewer draws."""
    for effects, fewer in ((("dataset",), 1), (shares.EFFECTS, FEWER)):
        for n, n_sets in DESIGNS if fewer == 1 else DESIGNS[1:2]:
            # a design's own numbers: one effect or three, and so many networks
            rng = np.random.default_rng([SEED, n, len(effects)])
            codes = design(n, n_sets, rng, effects)
            head = {"n": n, "data_sets": n_sets, "effects": " ".join(effects)}
            yield SimulatedDesign(head, codes, rng, fewer)
