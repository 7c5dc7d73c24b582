"""Figures and numbers of the chapter *When may I look?*."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from book.show.display import expect, glue_values
from calib.plots import COLOURS, GREY


def draw_wealth_and_alarms(
    tests: Mapping[str, np.ndarray], wealth: Mapping[str, np.ndarray], weeks: np.ndarray
) -> Figure:
    """Draw a bettor's wealth by week, below it the weeks whose own test alarms: a line a stream."""
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


def table_of_simulated_worlds(looks: pd.DataFrame) -> pd.DataFrame:
    """Return what the bet and the weekly tests do in each simulated world, side by side."""
    world = ["world", "labels", "tolerance", "before", "after"]
    numbers = pd.DataFrame(
        {
            "false alarms": 100 * looks.false_alarms,
            "seen": 100 * looks.seen,
            "weeks": looks.median_weeks,
        }
    )
    numbers = numbers.set_index(pd.MultiIndex.from_frame(looks[["gate", *world]]))
    numbers = numbers.unstack("gate").rename(
        columns={"memory": "bet", "a test each week": "tests"}
    )
    numbers = numbers.map("{:.3g}".format).replace("nan", "–")
    numbers.columns = [f"{number}, {gate}" for number, gate in numbers]
    return numbers.reset_index()


def glue_alarms_of_gates(
    looks: pd.DataFrame,
    tests: Mapping[str, np.ndarray],
    wealth: Mapping[str, np.ndarray],
    score: np.ndarray,
    hit: np.ndarray,
) -> None:
    """Glue false alarms, weeks to the alarm and their shares; the offset is that of all answers."""
    first = 1 + int(np.argmax(wealth["shirts come late"] >= 20))  # weeks count from 1
    alarms = looks.set_index(["gate", "tolerance"]).false_alarms
    unmoved = (looks.before == looks.after).to_numpy()
    by_gate = alarms[unmoved].groupby(level=[0, 1])
    most, fewest = by_gate.max()["memory"].max(), by_gate.min()["a test each week"]
    exact = 100 * alarms[~unmoved]["a test each week", 0.02]
    moved = looks[(looks.tolerance == 0.02) & (looks.after == 0.05)]
    by_labels = moved.groupby(["gate", "labels"])
    weeks, seen = by_labels.median_weeks.max(), by_labels.seen.min()
    expect(
        seen["a test each week"].min() == 1,
        "the text says that all weekly tests see the offset within a year",
    )
    glue_values(
        "look",
        off=f"{100 * np.mean(score - hit):.1f}",
        year=f"{100 * (1 - 0.95**52):.0f}",
        first=first,
        tests=int(tests["calm"].sum()),
        most=f"{100 * most:.1f}",
        fewest=f"{100 * fewest[0]:.0f}",
        fewest_edge=f"{100 * fewest[0.02]:.0f}",
        exact=f"{exact.min():.0f} to {exact.max():.0f} %",
        median=f"{weeks['memory', 1000]:.0f}",
        median_tests=f"{weeks['a test each week', 1000]:.0f}",
        seen=f"{100 * seen['memory', 100]:.0f}",
    )


def glue_week_of_few_labels(is_late: np.ndarray) -> None:
    """Glue from which week on most labels come late."""
    few = is_late.reshape(-1, 100).mean(axis=1) <= 0.5
    glue_values("look", half=int(np.flatnonzero(few)[-1]) + 2)
