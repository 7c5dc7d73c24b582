"""How maps are ranked that were fitted to many prediction sets at several sizes.

A case is a prediction set at a size. Networks that differ in their seed alone are averaged, then
the networks of a data set; data sets are what is compared.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from calib.arena.decisions import ALL, CLASSES, SIZE_NAMES, SIZES

SEED = 2026
LOSSES = ["nll_1", "nll_2", "brier_1", "brier_2", "ece", "ece_chance", "classwise_ece", "accuracy"]
CASE = ["set", "n", "order"]
N_RESAMPLES = 10_000
FEWEST_DATASETS = 3


def cases(table: pd.DataFrame) -> pd.DataFrame:
    """Apply the rule of failures and name the size and the group of classes of each row.

    Parameters
    ----------
    table : DataFrame
        One row a set, calibration set and map: `set`, `dataset`, `classes`, `n`, `order` (of the
        samples that were drawn), `map`, the `LOSSES`, `fit_seconds`, `predict_seconds`, and
        `failure`, missing where the map did not fail. There are maps "none" and "temperature".

    Returns
    -------
    DataFrame
        The rows that are ranked, with `failed`, `setting` (the set without its seed), `size`,
        `group` (of classes), `nll`, `brier`, `gain` (over temperature scaling, in thousandths of a
        nat), `rank` (by NLL within set, size and order) and `accuracy_change`. A failed map has the
        losses of "none".
    """
    table = table.copy()
    table["size"] = [_size(n) for n in table["n"]]
    table = table[table["size"] != ""].reset_index(drop=True)
    table["failed"] = table["failure"].notna()
    table["setting"] = table["set"].str.replace(r"-s\d+$", "", regex=True)
    table["group"] = [_group(k) for k in table["classes"]]
    none = _of_map(table, "none", LOSSES)
    failed = table["failed"]
    table.loc[failed, LOSSES] = none[failed]
    table["nll"] = (table["nll_1"] + table["nll_2"]) / 2
    table["brier"] = (table["brier_1"] + table["brier_2"]) / 2
    table["accuracy_change"] = table["accuracy"] - none["accuracy"]
    table["gain"] = 1000 * (_of_map(table, "temperature", ["nll"])["nll"] - table["nll"])
    judged = table["nll"].where(~failed, np.inf)
    table["rank"] = judged.groupby([table[name] for name in CASE]).rank()
    return table


def _size(n: int) -> str:
    return str(n) if n in SIZES else ALL if n > max(SIZES) else ""


def _group(k: int) -> str:
    return next(name for name, (low, high) in CLASSES.items() if low <= k <= high)


def _of_map(table: pd.DataFrame, name: str, columns: list[str]) -> pd.DataFrame:
    """Return columns of one map beside the rows of all maps of the same case."""
    of_map = table[table["map"] == name].set_index(CASE)[columns]
    return of_map.loc[pd.MultiIndex.from_frame(table[CASE])].set_index(table.index)


def by_dataset(ranked: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the mean of a column of cases, a row a data set and a column a map.

    A map that is out for one of a data set's networks is missing there.
    """
    settings = ranked.groupby(["dataset", "setting", "map"])[column].mean().unstack("map")
    return settings.groupby("dataset").agg(lambda values: values.mean(skipna=False))


def interval(means: Any) -> Any:
    """Return mean, low and high of Student's 95 % interval over the means of data sets.

    Parameters
    ----------
    means : Series or DataFrame
        A row a data set; missing values are left out.

    Examples
    --------
    >>> interval(pd.Series([1.0, 2.0, 3.0])).round(2).tolist()
    [2.0, -0.48, 4.48]
    """
    frame = means if isinstance(means, pd.DataFrame) else means.to_frame("x")
    n = frame.count()
    half = stats.t.ppf(0.975, n - 1) * frame.std(ddof=1) / np.sqrt(n)
    found = pd.DataFrame({"mean": frame.mean(), "low": frame.mean() - half})
    found["high"] = frame.mean() + half
    return found if isinstance(means, pd.DataFrame) else found.loc["x"]


def ranking(ranked: pd.DataFrame) -> pd.DataFrame:
    """Return one row a map, largest mean gain first.

    Parameters
    ----------
    ranked : DataFrame
        Cases, or some of them.

    Returns
    -------
    DataFrame
        `gain`, `low` and `high`; `rank` (over the data sets that all maps ran on); `best`, the
        probability of being best; `regret`, `regret_low`, `regret_high`; `datasets`; `failed`, the
        share of fits; `ece`, `ece_chance`, `classwise_ece`, `accuracy_change`; and the medians of
        `fit_seconds` and `predict_seconds`.
    """
    gain = by_dataset(ranked, "gain")
    table = interval(gain).rename(columns={"mean": "gain"})
    table["datasets"] = gain.count()
    table["rank"] = by_dataset(ranked, "rank")[gain.notna().all(axis=1)].mean()
    table["best"] = probability_of_best(gain)
    ranked = ranked.assign(regret=regret(ranked))
    spread = interval(by_dataset(ranked, "regret"))
    table[["regret", "regret_low", "regret_high"]] = spread[["mean", "low", "high"]]
    for name in ("ece", "ece_chance", "classwise_ece", "accuracy_change", "failed"):
        table[name] = by_dataset(ranked, name).mean()
    seconds = ranked.groupby("map")[["fit_seconds", "predict_seconds"]].median()
    return table.join(seconds).sort_values("gain", ascending=False)


def probability_of_best(gain: pd.DataFrame) -> pd.Series:
    """Return the share of resamples of the data sets in which a map has the largest mean gain.

    Maps that are missing on a data set take no part.

    Examples
    --------
    >>> gain = pd.DataFrame({"a": [2.0, 2.0], "b": [1.0, 1.0]})
    >>> probability_of_best(gain).tolist()
    [1.0, 0.0]
    """
    whole = gain.dropna(axis=1)
    rng = np.random.default_rng(SEED)
    times = rng.multinomial(len(whole), np.full(len(whole), 1 / len(whole)), N_RESAMPLES)
    winner = (times @ whole.to_numpy()).argmax(axis=1)
    share = np.bincount(winner, minlength=whole.shape[1]) / N_RESAMPLES
    return pd.Series(share, whole.columns).reindex(gain.columns)


def regret(ranked: pd.DataFrame) -> pd.Series:
    """Return the regret of each row: its NLL on a half less that of the best on the other half."""
    held = [
        ranked[f"nll_{judge}"] - _best_on(ranked, f"nll_{chooser}", f"nll_{judge}")
        for chooser, judge in ((1, 2), (2, 1))
    ]
    return 1000 * (held[0] + held[1]) / 2


def _best_on(ranked: pd.DataFrame, chooser: str, judge: str) -> pd.Series:
    """Return, beside each row, the loss `judge` of the map of its case that is best by another."""
    chosen = ranked.groupby(CASE)[chooser].transform("idxmin")
    return pd.Series(ranked.loc[chosen, judge].to_numpy(), ranked.index)


def chosen_elsewhere(ranked: pd.DataFrame) -> pd.DataFrame:
    """Choose, for each data set, the map with the largest mean gain on all others.

    Parameters
    ----------
    ranked : DataFrame
        Cases. Maps that are missing on a data set take no part.

    Returns
    -------
    DataFrame
        A row a data set: the `map`, and its `gain` and `regret` there.
    """
    ranked = ranked.assign(regret=regret(ranked))
    gain, lost = (by_dataset(ranked, name).dropna(axis=1) for name in ("gain", "regret"))
    chosen = {dataset: gain.drop(dataset).mean().idxmax() for dataset in gain.index}
    rows = [(name, gain.loc[d, name], lost.loc[d, name]) for d, name in chosen.items()]
    return pd.DataFrame(rows, index=gain.index, columns=["map", "gain", "regret"])


def halves(ranked: pd.DataFrame) -> dict[str, pd.Series]:
    """Compare the map that is best on one half of the test set with the other half.

    Returns
    -------
    dict
        `same`: share of cases in which the same map is best on both; `chance`: that share for a
        map drawn at random; `apparent`, `honest`: mean gain of the best map over temperature
        scaling, in thousandths of a nat, on the half that chose it and on the other, each with its
        interval over the data sets.
    """
    temperature = _of_map(ranked, "temperature", ["nll_1", "nll_2"])
    first = ranked.groupby(CASE)["nll_1"].transform("idxmin")
    second = ranked.groupby(CASE)["nll_2"].transform("idxmin")
    one = ranked.assign(
        same=(first == second).astype(float),
        chance=1 / ranked.groupby(CASE)["map"].transform("size"),
        apparent=_mean_of_halves(ranked, temperature, (1, 1), (2, 2)),
        honest=_mean_of_halves(ranked, temperature, (1, 2), (2, 1)),
    )
    one = one[one["map"] == "none"]
    found = {name: by_dataset(one, name)["none"] for name in ("same", "chance")}
    found |= {name: by_dataset(one, name)["none"] for name in ("apparent", "honest")}
    return {name: interval(values) for name, values in found.items()}


def _mean_of_halves(
    ranked: pd.DataFrame, temperature: pd.DataFrame, *pairs: tuple[int, int]
) -> pd.Series:
    gains = [
        temperature[f"nll_{judge}"] - _best_on(ranked, f"nll_{chooser}", f"nll_{judge}")
        for chooser, judge in pairs
    ]
    return 1000 * sum(gains) / len(gains)


def friedman(ranked: pd.DataFrame) -> tuple[pd.Series, float, float, int]:
    """Compare mean ranks over the data sets that all maps ran on.

    Returns
    -------
    ranks : Series
        Mean rank of each map, best first.
    p_value : float
        Friedman's test of no difference.
    difference : float
        Nemenyi's critical difference at 5 %, Demšar (2006), section 3.2.2.
    n : int
        Number of data sets.
    """
    ranks = by_dataset(ranked, "rank").dropna()
    n, k = ranks.shape
    p_value = stats.friedmanchisquare(*(ranks[name] for name in ranks)).pvalue
    q = stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2)
    return ranks.mean().sort_values(), float(p_value), q * np.sqrt(k * (k + 1) / (6 * n)), n


def decision(ranked: pd.DataFrame, order: list[str]) -> dict[str, Any]:
    """Decide one cell of the decision map.

    Parameters
    ----------
    ranked : DataFrame
        The cases of the cell.
    order : list of str
        Maps, simplest first.

    Returns
    -------
    dict
        `best` with its `gain`, `low` and `high`; `use`; `left`, the maps that are not told apart
        from the best, simplest first; `datasets`.
    """
    gain = by_dataset(ranked, "gain")
    best = gain.mean().where(gain.notna().all()).idxmax()
    less = interval(gain.rsub(gain[best], axis=0))
    apart = (less["low"] > 0) if len(gain) >= FEWEST_DATASETS else less["low"].isna() & False
    there = gain.columns[gain.notna().all()]
    left = [name for name in order if name in there and not apart[name]]
    gained = interval(gain)
    return {
        "best": best,
        "use": left[0],
        "left": left,
        "datasets": len(gain),
        **gained.loc[best].rename({"mean": "gain"}).to_dict(),
    }


def decision_map(ranked: pd.DataFrame, order: list[str]) -> pd.DataFrame:
    """Return the decisions, a row a group of classes and size; see `decision`."""
    rows = [
        {"classes": group, "size": size} | decision(part, order)
        for group in CLASSES
        for size in SIZE_NAMES
        if len(part := ranked[(ranked["group"] == group) & (ranked["size"] == size)])
    ]
    return pd.DataFrame(rows)
