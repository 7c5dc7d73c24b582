"""Figures and numbers of the chapter *Proper scores*."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import expit

import calib
from book.show.display import expect, glue_values
from book.show.looks import FAULTS, label_lines
from calib.decompositions import Decomposition
from calib.plots import COLOURS
from evidence.derived.known_truth import scaled_network

Parts: TypeAlias = dict[str, float]


def known_parts() -> dict[str, Parts]:
    """Return the parts of the squared loss of a network that sees one of two causes.

    Both causes are standard normal, and the network is too sure. `after` is at the temperature
    with the least log loss.
    """
    z = np.linspace(-6, 6, 601)
    w = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()
    seen = 2 + 1.5 * z
    q = expit(seen[:, None] + 1.5 * z)  # chance of a hit, given both causes
    c = q @ w  # given what the network sees
    by_temperature = expit(2 * seen / np.linspace(1, 6, 501)[:, None])
    nll = -(c * np.log(by_temperature) + (1 - c) * np.log(1 - by_temperature)) @ w
    known = {
        "noise": w @ (q * (1 - q)) @ w,
        "thrown away": w @ (q - c[:, None]) ** 2 @ w,
    }
    worlds = {}
    for name, s in (
        ("before", expit(2 * seen)),
        ("after", by_temperature[nll.argmin()]),
    ):
        worlds[name] = known | {"miscalibrated": w @ (s - c) ** 2}
        loss = w @ (q * (1 - s[:, None]) ** 2 + (1 - q) * s[:, None] ** 2) @ w
        expect(
            np.isclose(sum(worlds[name].values()), loss),
            "the parts do not add up to the squared loss",
        )
    return worlds


def draw_parts_of_squared_loss(
    worlds: dict[str, Parts], real: Sequence[Decomposition], chance: list[float]
) -> Figure:
    """Draw parts of the squared loss, before and after: simulated above, of a network below."""
    fig, (top, bottom) = plt.subplots(2, 1, figsize=(5.4, 4.2), layout="constrained")
    for height, known in enumerate(worlds.values()):
        left = 0.0
        for fault, size in known.items():
            top.barh(height, size, left=left, **FAULTS[fault])
            left += size
    middle: dict[str, Any] = {"va": "center", "ha": "center"}
    top.text(known["noise"] / 2, 0, "noise", **middle)
    thrown = known["noise"] + known["thrown away"] / 2
    top.text(thrown, 0, "thrown\naway", color="white", **middle)
    for height, part in enumerate(real):
        left = part.uncertainty - part.resolution
        bottom.barh(height, left, **FAULTS["unknown"])
        bottom.barh(height, part.reliability, left=left, **FAULTS["miscalibrated"])
        ends = height - 0.4, height + 0.4
        bottom.vlines(left + chance[height], *ends, color="black", lw=2)
    bottom.text(left / 2, 1, "noise or thrown away", bbox={"color": "white"}, **middle)
    bottom.text(real[1].score, 1, "  line: chance", va="center")
    for ax, name in (
        (top, "a simulated network"),
        (bottom, "the network of the story"),
    ):
        ax.set_yticks([0, 1], ["before", "after"])
        ax.set_title(name, loc="left")
        ax.invert_yaxis()
        ax.text(ax.dataLim.xmax, 0, "  miscalibrated", va="center")
        ax.set_xlim(0, 1.25 * ax.dataLim.xmax)
    bottom.set_xlabel("squared loss")
    return fig


def draw_losses_by_forecast() -> Figure:
    """Draw expected loss against forecast at one belief: a curve a score, a dot at its least."""
    belief = 0.7
    forecast = np.linspace(0.005, 0.995, 199)
    losses = {
        "logarithmic": (-np.log(forecast), -np.log(1 - forecast)),
        "squared (Brier)": ((1 - forecast) ** 2, forecast**2),
        "absolute": (1 - forecast, forecast),
        "zero-one": (1.0 * (forecast < 0.5), 1.0 * (forecast >= 0.5)),
    }
    fig, ax = plt.subplots(figsize=(5.4, 4.2), layout="constrained")
    looks = ("blue", "-"), ("vermillion", "--"), ("green", "-."), ("purple", ":")
    for (name, loss), (colour, style) in zip(losses.items(), looks, strict=True):
        cost = np.average(loss, axis=0, weights=(belief, 1 - belief))
        ax.plot(forecast, cost, style, color=COLOURS[colour], label=name)
        # the zero-one loss is least on a whole side, not at one forecast
        if name != "zero-one":
            best = np.argmin(cost)
            ax.plot(forecast[best], cost[best], "o", color=COLOURS[colour])
    ax.axvline(belief, color="0.6", lw=1)
    ax.set(xlabel="forecast", ylabel="expected loss", ylim=(0, 1.6))
    ax.text(belief, 1.55, " the belief", va="top")
    above = {"logarithmic": 0.22, "zero-one": 0.1}
    label_lines(ax, above, below={"absolute": 0.42, "squared (Brier)": 0.4})
    return fig


def glue_parts_of_brier_score(
    corp: pd.DataFrame, decomposed: pd.DataFrame, p: np.ndarray
) -> None:
    """Glue score, reliability and resolution before and after one temperature, and bins' share."""
    binned, isotonic = decomposed.loc[("before", "15 bins")], corp.loc["before"]
    glue_values(
        "proper",
        before=f"{corp.loc['before', 'score']:.4f}",
        after=f"{corp.loc['after', 'score']:.4f}",
        rel_before=f"{corp.loc['before', 'reliability']:.4f}",
        rel_after=f"{corp.loc['after', 'reliability']:.4f}",
        res_before=f"{corp.loc['before', 'resolution']:.4f}",
        res_after=f"{corp.loc['after', 'resolution']:.4f}",
        rel_seen=f"{binned['reliability'] / isotonic['reliability']:.0%}",
        res_seen=f"{binned['resolution'] / isotonic['resolution']:.0%}",
        last=f"{(p.max(axis=1) > 14 / 15).mean():.0%}",
    )


def check_parts_of_networks(names: list[str]) -> None:
    """Assert what the text says of the Brier scores of networks after a temperature."""
    rows = {}
    for name in names:
        test, p = scaled_network(name)
        classes = range(p.shape[1])
        parts = [calib.corp_decomposition(test.y == k, p[:, k]) for k in classes]
        rows[name] = pd.DataFrame(map(vars, parts)).sum()
        rows[name]["accuracy"] = calib.accuracy(test.y, p)
    networks = pd.DataFrame(rows).T
    differ = networks.max() - networks.min()
    expect(
        10 * differ["reliability"] < differ["resolution"],
        "the text says that networks differ in resolution and hardly in reliability",
    )
    by_accuracy = networks.sort_values("accuracy")
    expect(
        by_accuracy["resolution"].is_monotonic_increasing,
        "the text says that resolution rises with accuracy",
    )
