"""Recalibration maps: where they move probabilities, and how far each stays behind the best."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats

import calib
from book.show import stills
from book.show.explorables.element import Contents, explorable, rounded
from evidence.data import setting_of
from evidence.mean_intervals import half_width


def mean_interval(values: np.ndarray) -> list[float]:
    """Return the mean of values and its 95 % interval."""
    mean, half = np.mean(values), half_width(values)
    return rounded([mean, mean - half, mean + half])


@explorable
def map_simplex(
    classes: Any, maps: Mapping[str, Any], points: Any, losses: Mapping[str, np.ndarray]
) -> Contents:
    """Arrows from vectors of three probabilities to where temperature, vector, matrix scaling and
    Dirichlet calibration send them.

    `maps` are by name a temperature ``T``, or ``W`` and ``b`` for log-probabilities; `points` are
    labels and probabilities of images, and `losses` are those of each map on other images, one by
    one.
    """
    fitted = {name: plain_parameters(parameters) for name, parameters in maps.items()}
    labels, vectors = points
    # six significant digits, since none may become zero: the maps take logarithms
    prob = [[float(f"{value:.6g}") for value in vector] for vector in vectors]
    placed = [
        {"y": int(label), "p": row} for label, row in zip(labels, prob, strict=True)
    ]
    data = {"classes": classes, "maps": fitted, "points": placed}
    data["nll"] = {name: float(np.mean(loss)) for name, loss in losses.items()}
    differences: dict[str, dict[str, Any]] = {name: {} for name in losses}
    for first, second in product(losses, repeat=2):
        difference = losses[first] - losses[second]
        differences[first][second] = mean_interval(difference)
    data["differences"] = differences
    last = fitted[list(fitted)[-1]]
    moved = calib.softmax(np.log(prob) @ np.transpose(last["W"]) + last["b"])
    return data, stills.triangle(classes, np.array(prob), moved)


def plain_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a map as numbers and lists."""
    return {key: np.asarray(value).tolist() for key, value in parameters.items()}


@explorable
def spline_knots(calibration: Any, test: Any) -> Contents:
    """A spline through cumulative hits at 3 to 20 knots, its slope, and the KS error it leaves."""
    score, hit = (np.asarray(column, float) for column in calibration)
    # samples of one score come together: of these a spline needs number and hits alone
    known, index = np.unique(np.round(score, 7), return_inverse=True)
    data = {
        "score": known.tolist(),
        "total": np.bincount(index).tolist(),
        "hits": np.bincount(index, hit).astype(int).tolist(),
        "test": {"scores": rounded(test[0], 7), "hits": rounded(test[1], 0)},
    }
    gap = np.append(0, np.cumsum((hit - score)[np.argsort(score)])) / len(score)
    curve = np.column_stack([np.linspace(0, 1, len(gap)), gap])
    return data, stills.line_plot(
        "share of samples, by score", "cumulated", hits_minus_scores=curve
    )


@explorable
def map_regret(results: pd.DataFrame, maps: list[str], sizes: list[int]) -> Contents:
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
    sets["network"] = setting_of(sets["set"])
    table = sets.groupby(["network", "classes", "n"])[maps].mean()
    loss = table.sub(table.min(axis=1), axis=0)
    cases = [
        {"classes": int(classes), "n": int(n), "loss": rounded(row)}
        for (_, classes, n), row in zip(loss.index, loss.to_numpy(), strict=True)
    ]
    middle = loss.xs(sizes[len(sizes) // 2], level="n").mean()
    still = stills.first_ten_bars(maps, middle, "nats behind the best")
    # of 2, 3, ... networks
    quantiles = scipy.stats.t.ppf(0.975, np.arange(1, len(cases)))
    data = {"maps": maps, "sizes": sizes, "cases": cases}
    return data | {"quantiles": rounded(quantiles)}, still
