"""What the arena's leaderboard says of ranked cases: regret, chance of being best."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from evidence.arena.ranked_cases import (
    CASE,
    by_dataset,
    common_ranks,
    of_map,
    student_interval,
)

SEED = 2026
N_RESAMPLES = 10_000
FEWEST_DATASETS = 3


def ranking(ranked: pd.DataFrame) -> pd.DataFrame:
    """Return one row a map, largest mean gain first; ranks are over data sets that all ran on."""
    gain = by_dataset(ranked, "gain")
    table = student_interval(gain).rename(columns={"mean": "gain"})
    table["datasets"] = gain.count()
    table["rank"] = common_ranks(ranked).mean()
    table["best"] = probability_of_best(gain)
    ranked = ranked.assign(regret=regret(ranked))
    spread = student_interval(by_dataset(ranked, "regret"))
    table[["regret", "regret_low", "regret_high"]] = spread[["mean", "low", "high"]]
    for name in ("ece", "ece_chance", "classwise_ece", "accuracy_change", "failed"):
        table[name] = by_dataset(ranked, name).mean()
    seconds = ranked.groupby("map")[["fit_seconds", "predict_seconds"]].median()
    return table.join(seconds).sort_values("gain", ascending=False)


def probability_of_best(gain: pd.DataFrame) -> pd.Series:
    """Return the share of resamples of the data sets in which a map that ran on all gains most."""
    # a map that did not run on all data sets has no chance to be compared
    whole = gain.dropna(axis=1)
    rng = np.random.default_rng(SEED)
    # how often each data set is drawn: a resample is a row of counts
    times = rng.multinomial(
        len(whole), np.full(len(whole), 1 / len(whole)), N_RESAMPLES
    )
    winner = (times @ whole.to_numpy()).argmax(axis=1)
    share = np.bincount(winner, minlength=whole.shape[1]) / N_RESAMPLES
    return pd.Series(share, whole.columns).reindex(gain.columns)


def regret(ranked: pd.DataFrame) -> pd.Series:
    """Return the regret of each row: its NLL on a half less that of the best on the other half."""
    return _mean_advantage(ranked, ranked, (1, 2), (2, 1))


def chosen_elsewhere(ranked: pd.DataFrame) -> pd.DataFrame:
    """Return, for each data set, the map with the largest mean gain on all others, and its own."""
    ranked = ranked.assign(regret=regret(ranked))
    gain, lost = (
        by_dataset(ranked, name).dropna(axis=1) for name in ("gain", "regret")
    )
    chosen = {dataset: gain.drop(dataset).mean().idxmax() for dataset in gain.index}
    rows = [(name, gain.loc[d, name], lost.loc[d, name]) for d, name in chosen.items()]
    return pd.DataFrame(rows, index=gain.index, columns=["map", "gain", "regret"])


def best_on_a_half(ranked: pd.DataFrame) -> dict[str, pd.Series]:
    """Compare the map that is best on one half of the test set with the other half.

    Each with its interval over data sets: `same`, the share of cases in which one map is best on
    both, and `chance`, that of a map drawn at random; `apparent` and `honest`, the mean gain on
    the half that chose the map, and on the other.
    """
    temperature = of_map(ranked, "temperature", ["nll_1", "nll_2"])
    first = ranked.groupby(CASE)["nll_1"].transform("idxmin")
    second = ranked.groupby(CASE)["nll_2"].transform("idxmin")
    rows = ranked.assign(
        same=(first == second).astype(float),
        chance=1 / ranked.groupby(CASE)["map"].transform("size"),
        apparent=_mean_advantage(ranked, temperature, (1, 1), (2, 2)),
        honest=_mean_advantage(ranked, temperature, (1, 2), (2, 1)),
    )
    # what is said of a case stands in the row of each map: one is taken
    rows = rows[rows["map"] == "none"]
    columns = ("same", "chance", "apparent", "honest")
    return {name: student_interval(by_dataset(rows, name)["none"]) for name in columns}


def _mean_advantage(
    ranked: pd.DataFrame, reference: pd.DataFrame, *pairs: tuple[int, int]
) -> Any:
    """Return how far below the reference lies the map that is chosen, in thousandths of a nat.

    Of each pair of halves the first chooses a map, the second judges it.
    """
    # the half that chooses flatters its choice; another half judges it
    best = [
        ranked.groupby(CASE)[f"nll_{chooser}"].transform("idxmin")
        for chooser, _ in pairs
    ]
    losses = [f"nll_{judge}" for _, judge in pairs]
    gains = [
        reference[loss] - ranked.loc[chosen, loss].to_numpy()
        for loss, chosen in zip(losses, best, strict=True)
    ]
    return 1000 * sum(gains) / len(gains)


class MeanRanks(NamedTuple):
    """Mean ranks of maps, best first, and what is too large for chance (Demšar, 2006, 3.2.2)."""

    ranks: pd.Series
    p_value: float  # of Friedman's test
    critical_difference: float  # Nemenyi's, at 5 %
    n_datasets: int


def friedman(ranked: pd.DataFrame) -> MeanRanks:
    """Compare mean ranks over the data sets that all maps ran on."""
    ranks = common_ranks(ranked)
    n, k = ranks.shape
    p_value = stats.friedmanchisquare(*(ranks[name] for name in ranks)).pvalue
    # the range of k means, where Nemenyi compares a difference of two: hence the root of two
    q = stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2)
    critical_difference = q * np.sqrt(k * (k + 1) / (6 * n))
    return MeanRanks(ranks.mean().sort_values(), float(p_value), critical_difference, n)
