"""Figures and numbers of the chapter *When may I look?*."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from book.show.display import keep
from calib.plots import COLOURS, GREY


def look(tests: Any, wealth: Any, weeks: Any) -> Figure:
    """A bet may be looked at every week."""
    fig, ax = plt.subplots(figsize=(5.6, 3.4), layout="constrained")
    ax.axhline(20, color="0.5", lw=1, ls="--")
    ax.text(2, 25, "20: broken", color=GREY)
    ax.text(2, 0.018, "weeks whose own test alarms", color=GREY)
    colours = {"shirts come late": "vermillion", "random order": "blue"}
    for low, (name, colour) in enumerate(colours.items()):
        ax.plot(weeks, np.clip(wealth[name], 0.05, 1e4), color=COLOURS[colour])
        ax.text(
            101,
            np.clip(wealth[name][-1], 0.05, 1e4),
            name,
            color=COLOURS[colour],
            va="center",
        )
        alarms = weeks[tests[name]]
        ax.plot(
            alarms, np.full(len(alarms), 0.008 / 2**low), "|", color=COLOURS[colour]
        )
    ax.set(yscale="log", xlabel="week", ylabel="euros", xlim=(0, 138), ylim=(2e-3, 2e4))
    ax.set_xticks(range(0, 101, 20))
    return fig


def tell_looks(looks: Any, tests: Any, wealth: Any, weeks: Any) -> None:
    """Keep the looks of a year, for the text."""
    kept_promise = looks[looks.before == looks.after].groupby("gate").false_alarms
    moved = looks[
        (looks.gate == "memory")
        & (looks.world == "confidences")
        & (looks.tolerance == 0.02)
    ]
    moved = moved[moved.after == 0.05].set_index("labels")
    keep(
        "look",
        year=f"{100 * (1 - 0.95**52):.0f}",
        first=int(weeks[wealth["shirts come late"] >= 20][0]),
        tests=int(tests["random order"].sum()),
        most=f"{100 * kept_promise.max()['memory']:.1f}",
        fewest=f"{100 * kept_promise.min()['a test each week']:.0f}",
        median=f"{moved.loc[1000, 'median_weeks']:.0f}",
        nine=f"{moved.loc[1000, 'weeks_of_nine_in_ten']:.0f}",
        seen=f"{100 * moved.loc[100, 'seen']:.0f}",
    )
