"""Figures and numbers of the chapter *When may I look?*."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from book.show.display import glue_values
from calib.plots import COLOURS, GREY


def draw_looks(
    tests: Mapping[str, np.ndarray], wealth: Mapping[str, np.ndarray], weeks: np.ndarray
) -> Figure:
    """A bet may be looked at every week."""
    fig, ax = plt.subplots(figsize=(5.6, 3.4), layout="constrained")
    ax.axhline(20, color="0.5", lw=1, ls="--")
    ax.text(2, 30, "20: broken", color=GREY)
    ax.text(2, 0.03, "weeks whose own test alarms", color=GREY)
    colours = {"shirts come late": "vermillion", "calm": "blue"}
    for low, (name, colour) in enumerate(colours.items()):
        ax.plot(weeks, wealth[name], color=COLOURS[colour])
        ax.text(101, wealth[name][-1], name, color=COLOURS[colour], va="center")
        alarms = weeks[tests[name]]
        ax.plot(
            alarms, np.full(len(alarms), 0.008 / 3**low), "|", color=COLOURS[colour]
        )
    ax.set(yscale="log", xlabel="week", ylabel="euros", xlim=(0, 138), ylim=(1e-3, 2e9))
    ax.set_xticks(range(0, 101, 20))
    return fig


def glue_looks(
    looks: pd.DataFrame,
    tests: Mapping[str, np.ndarray],
    wealth: Mapping[str, np.ndarray],
    score: np.ndarray,
    hit: np.ndarray,
) -> None:
    """Glue the looks of a year, for the text; the offset is that of all answers."""
    first = 1 + int(np.argmax(wealth["shirts come late"] >= 20))  # weeks count from 1
    kept_promise = looks[looks.before == looks.after].groupby("gate").false_alarms
    moved = looks[
        (looks.gate == "memory")
        & (looks.world == "confidences")
        & (looks.tolerance == 0.02)
    ]
    moved = moved[moved.after == 0.05].set_index("labels")
    glue_values(
        "look",
        off=f"{100 * np.mean(score - hit):.1f}",
        year=f"{100 * (1 - 0.95**52):.0f}",
        first=first,
        tests=int(tests["calm"].sum()),
        most=f"{100 * kept_promise.max()['memory']:.1f}",
        fewest=f"{100 * kept_promise.min()['a test each week']:.0f}",
        median=f"{moved.loc[1000, 'median_weeks']:.0f}",
        seen=f"{100 * moved.loc[100, 'seen']:.0f}",
    )


def glue_late(
    is_late: np.ndarray,
    tests: Mapping[str, np.ndarray],
    wealth: Mapping[str, np.ndarray],
) -> None:
    """Glue from which week on most come late, and how often tests alarmed before the bet."""
    name = "shirts come late"
    before = int(np.argmax(wealth[name] >= 20))
    few = is_late.reshape(-1, 100).mean(axis=1) <= 0.5
    glue_values(
        "look",
        half=int(np.flatnonzero(few)[-1]) + 2,
        before=int(tests[name][:before].sum()),
        before_chance=f"{0.05 * before:.0f}",
    )
