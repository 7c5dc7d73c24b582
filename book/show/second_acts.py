"""Interactive figures of single chapters, apart from those that several pages show."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats

import calib
from book.show import stills
from book.show.widgets import (
    DEEPEST,
    Shown,
    data_uri,
    explorable,
    in_bytes,
    listed,
    packed,
)


@explorable
def stake_curve(score: np.ndarray, hit: np.ndarray) -> Shown:
    """Stakes that you draw against the score, and what they win on these answers and on others."""
    # two bytes a sample: 15 bits of its score, and one that says whether it is right
    pairs = packed(2 * np.round(32767 * np.asarray(score)) + hit, "<u2")
    gap = np.append(0, np.cumsum((np.asarray(hit) - score)[np.argsort(score)])) / len(
        score
    )
    walk = np.column_stack([np.linspace(0, 1, len(gap)), gap])[
        :: max(len(gap) // 500, 1)
    ]
    still = stills.lines(
        "share of answers, by score", "won by buying all so far", walk=walk
    )
    return {"pairs": pairs}, still


@explorable
def drift_gate(score: np.ndarray) -> Shown:
    """Weeks of a calm network, a drift if one is asked for, and a gate that looks at each week."""
    weeks = np.arange(1, 31)
    # a test at 5 % each week, on samples of its own
    alarmed = 1 - 0.95**weeks
    still = stills.lines("week", "half years with an alarm", calm=np.c_[weeks, alarmed])
    return {"scores": listed(score, 4)}, still


@explorable
def class_matrix(network: Any, classes: list[str], n_shown: int = 4000) -> Shown:
    """A matrix of what the network says too much or too little of each class, to be repaired class
    by class.

    The temperature, and the factor and shift of each class, are fitted on the calibration images.
    """
    calibration, test = network.calibration, network.test
    scaling = calib.TemperatureScaling().fit(calibration.logits, calibration.y)
    tops = [
        split.logits - split.logits.max(axis=1, keepdims=True)
        for split in (calibration, test)
    ]
    vector = calib.VectorScaling().fit(tops[0], calibration.y)
    logits, y = tops[1][:n_shown], np.asarray(test.y)[:n_shown]
    data = {"classes": classes, "y": y.tolist(), "deepest": DEEPEST}
    data |= {"logits": packed(in_bytes(-logits, []), "u1")}
    data |= {"temperature": round(float(scaling.temperature_), 5)}
    data |= {"factors": listed(vector.coef_), "shifts": listed(vector.intercept_)}
    p = calib.softmax(logits / scaling.temperature_)
    gaps = 100 * (p.mean(axis=0) - np.bincount(y, minlength=len(classes)) / len(y))
    return data, stills.ranks(classes, gaps, "points said too much, over all images")


@explorable
def map_regret(results: pd.DataFrame, maps: list[str], sizes: list[int]) -> Shown:
    """How far each recalibration map stays behind the best, on networks with as many classes and
    samples as yours.

    `results` is ``data/results/arena/arena.csv``; its two halves, its orders and a network's seeds
    are averaged: seeds of one network are more alike than networks.
    """
    chosen = results[results["map"].isin(maps) & results["n"].isin(sizes)]
    nll = chosen.assign(nll=chosen[["nll_1", "nll_2"]].mean(axis=1))
    sets = nll.pivot_table(index=["set", "classes", "n"], columns="map", values="nll")
    # a set counts where all maps have a loss: else the best of it would be unknown
    sets = sets.loc[np.isfinite(sets[maps]).all(axis=1), maps].reset_index()
    # the name of a set ends with its seed
    sets["network"] = sets["set"].str.replace(r"-s\d+$", "", regex=True)
    table = sets.groupby(["network", "classes", "n"])[maps].mean()
    loss = table.sub(table.min(axis=1), axis=0)
    cases = [
        {"classes": int(classes), "n": int(n), "loss": listed(row)}
        for (_, classes, n), row in zip(loss.index, loss.to_numpy(), strict=True)
    ]
    middle = loss.xs(sizes[len(sizes) // 2], level="n").mean()
    still = stills.ranks(maps, middle, "nats behind the best")
    # of 2, 3, ... networks
    quantiles = scipy.stats.t.ppf(0.975, np.arange(1, len(cases)))
    data = {"maps": maps, "sizes": sizes, "cases": cases}
    return data | {"quantiles": listed(quantiles)}, still


@explorable
def fifty_people(
    photograph: tuple[bytes, int, int],
    names: tuple[str, str],
    scores: dict[str, float],
    *,
    file: str,
    votes: int,
    people: int = 50,
) -> Shown:
    """A photograph that people name in two ways, and by whose word a network is too sure of one.

    `photograph` is a strip of pictures, the place of this one in it, and how many it holds;
    `scores` are probabilities of the first name, and the question is about the second of them.
    """
    sprite, place, count = photograph
    data = {"sprite": data_uri(sprite), "place": place, "count": count, "names": names}
    data |= {"scores": {kind: round(float(p), 4) for kind, p in scores.items()}}
    data |= {"file": file, "votes": votes, "people": people}
    truths = {"by the file": file == names[0], "by a random person": votes / people}
    truths |= {"by the majority": 2 * votes > people}
    rows = {**scores, **truths}
    shares = [100 * float(share) for share in rows.values()]
    return data, stills.ranks([*rows], shares, f"how sure that it is a {names[0]}, %")


@explorable
def shuffled_groups(
    score: np.ndarray,
    hit: np.ndarray,
    group: np.ndarray,
    names: list[str],
    *,
    n: int,
    n_shown: int = 4000,
) -> Shown:
    """Gaps of groups, whose names you shuffle, and how wide the widest gap is by chance.

    `n` is how many samples are counted at first, `n_shown` how many there are at most.
    """
    score, hit, group = (np.asarray(part)[:n_shown] for part in (score, hit, group))
    pairs = packed(2 * np.round(32767 * score) + hit, "<u2")
    data = {"pairs": pairs, "groups": packed(group, "u1"), "names": names, "n": n}
    gaps = [100 * np.mean((score - hit)[:n][group[:n] == k]) for k in range(len(names))]
    return data, stills.ranks(names, gaps, "points too sure")


@explorable
def model_or_constant(pairs: pd.DataFrame, first: str) -> Shown:
    """What a model states, a map of that and always saying its accuracy, beside one another.

    `pairs` has a row a model and a map, "none" and "isotonic", with skill and Brier score on
    answers that had no part in the fit. The variance of a squared error is at most B (1 - B).
    """
    worst = np.sqrt(pairs["brier"] * (1 - pairs["brier"]) / pairs["n"])
    half = 196 * worst / (pairs["accuracy"] * (1 - pairs["accuracy"]))
    table = pairs.assign(skill=100 * pairs["skill"], half=half, ece=100 * pairs["ece"])
    table = table.pivot(index="model", columns="map").sort_index()
    maps, models = ["none", "isotonic"], []
    for name, row in table.iterrows():
        facts: dict[str, Any] = {"name": str(name)}
        facts |= {key: listed(row[key][maps], 2) for key in ("skill", "half", "ece")}
        facts |= {"accuracy": round(row["accuracy", "none"], 4)}
        facts |= {"confidence": round(row["mean_confidence", "none"], 4)}
        models.append(facts)
    shown = table.loc[first, "skill"][maps]
    still = stills.ranks(["as it comes", "after a map"], shown, f"skill of {first}, %")
    return {"models": models, "first": first}, still


@explorable
def ticket_trader(score: np.ndarray, hit: np.ndarray, edges: list[float]) -> Shown:
    """Tickets at the price that a network says: buy or sell those of each group of prices."""
    score, hit = np.asarray(score), np.asarray(hit)
    place = np.clip(np.searchsorted(edges, score, "left") - 1, 0, len(edges) - 2)
    groups = []
    for m, (low, high) in enumerate(pairwise(edges)):
        inside = place == m
        facts = {"low": low, "high": high, "n": int(inside.sum())}
        facts |= {"score": round(float(score[inside].mean()), 6)}
        facts |= {"hit": round(float(hit[inside].mean()), 6)}
        groups.append(facts)
    names = [
        f"{100 * group['low']:.0f} to {100 * group['high']:.0f}" for group in groups
    ]
    gaps = [100 * (group["score"] - group["hit"]) for group in groups]
    return {"groups": groups}, stills.ranks(
        names, gaps, "a seller wins, cents a ticket"
    )
