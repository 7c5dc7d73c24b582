"""How far each map stays behind the best one of a network: several chapters and a paper show it."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from calib.plots import COLOURS
from evidence import claims

MAPS = ["Uncalibrated", "Temperature scaling", "Vector scaling", "Isotonic regression"]
MAPS += ["Histogram binning", "BBQ"]


def errors_by_map(maps: Sequence[str], metric: str = "ECE") -> pd.DataFrame:
    """Return a metric after each map, a row a network; seeds of a setting are averaged."""
    public, zoo = claims.public_metrics(), claims.zoo_metrics()
    public = public[public.known.isin(["logits", "probabilities"])]
    public = public[~public.case.str.startswith("calarena")]  # not all of the maps
    rows = pd.concat([public, zoo[zoo.label_noise == 0]]).query("metric == @metric")
    return rows.groupby(["case", "method"]).value.mean().unstack()[list(maps)].dropna()


def regrets_by_map(errors: pd.DataFrame) -> pd.DataFrame:
    """Return the errors above those of the best map, chosen with hindsight on the test set."""
    return errors.sub(errors.drop(columns="Uncalibrated").min(axis=1), axis=0)


def draw_regret(regret: pd.DataFrame, names: Mapping[str, str] | None = None) -> Figure:
    """Draw the regret of each map, a dot for each network, and its median."""
    rng = np.random.default_rng(0)
    figure, ax = plt.subplots(
        figsize=(5.4, 0.45 * len(regret.columns)), layout="constrained"
    )
    for position, (_, values) in enumerate(regret.items()):
        jitter = position + rng.uniform(-0.25, 0.25, len(values))
        ax.scatter(values, jitter, s=10, color=COLOURS["blue"], alpha=0.5, linewidths=0)
        ax.plot(
            [values.median()] * 2, [position - 0.35, position + 0.35], color="black"
        )
    ax.set_yticks(
        range(len(regret.columns)), regret.rename(columns=names or {}).columns
    )
    ax.invert_yaxis()
    ax.set_xscale("symlog", linthresh=0.2)
    marks = (0, 0.2, 1, 5, 20)
    ax.set_xticks(marks, list(map(str, marks)))
    ax.minorticks_off()
    ax.set(xlabel="ECE above the best method (points)", xlim=(-0.01, None))
    return figure
