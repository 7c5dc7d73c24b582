"""Does the ECE grow with size? Figure 2: recipes, families of a table, a temperature."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show.display import glue_values
from book.show.looks import SMALL
from book.show.minderer2021.shared_looks import ERROR_LIMITS, FAMILY_LOOKS, TITLES
from calib.plots import COLOURS

RISING_COLOURS = {True: "vermillion", False: "blue"}  # whether something rises


def draw_errors_of_recipes(
    recipes: pd.DataFrame, named: Mapping[str, pd.DataFrame]
) -> Figure:
    """Draw each recipe's line from its smallest to its largest networks: error and ECE.

    The ends are those of least-squares lines against the logarithm of the parameters; the dot is
    the end of the largest. Above as trained, below after one temperature each.
    """
    figure, axes = plt.subplots(
        2, 1, figsize=(5.6, 8), layout="constrained", sharex=True
    )
    for ax, ece, title in zip(axes, ("ece", "ece_after"), TITLES.values(), strict=True):
        for _, row in recipes.iterrows():
            _draw_recipe(ax, row, ece, {"color": "0.8", "lw": 0.8, "zorder": 1})
        for name, rows in named.items():
            for i, (_, row) in enumerate(rows.iterrows()):
                # one entry of the legend for all lines of a family: "_" has none
                look = {"color": COLOURS[FAMILY_LOOKS[name][0]], "lw": 2, "zorder": 2}
                _draw_recipe(ax, row, ece, look | {"label": name if i == 0 else "_"})
        ax.set(ylabel="ECE (%)", title=title, ylim=(0, 12), xlim=ERROR_LIMITS)
    axes[1].set_xlabel("classification error (%)")
    axes[0].legend(frameon=False, loc="center right")
    return figure


def _draw_recipe(ax: Axes, row: Any, ece: str, look: dict[str, Any]) -> None:
    error = [100 - row["accuracy_smallest"], 100 - row["accuracy_largest"]]
    line = [row[f"{ece}_smallest"], row[f"{ece}_largest"]]
    ax.plot(error, line, **look)
    ax.plot(error[1], line[1], "o", ms=3.5, color=look["color"], zorder=look["zorder"])


def draw_errors_by_size(siblings: pd.DataFrame, scaled: pd.DataFrame) -> Figure:
    """Draw the table's error against size within families, and ECEs before and after scaling."""
    figure, axes = plt.subplots(2, 1, figsize=(5.4, 7), layout="constrained")
    for _, rows in siblings.groupby("siblings"):
        # of two sizes the rank correlation is 1 or -1, whatever they are
        if rows["parameters"].nunique() >= 3:
            rising = rows[["parameters", "value"]].corr("spearman").iloc[0, 1] > 0
            colour = COLOURS[RISING_COLOURS[rising]]
            axes[0].plot(
                rows["parameters"], rows["value"], color=colour, lw=1, alpha=0.7
            )
    axes[0].set(xscale="log", yscale="log", ylabel="calibration error")
    axes[0].set_xlabel("parameters (millions)")
    for key, colour in (("before", "vermillion"), ("after", "blue")):
        part, style = scaled[key], {"color": COLOURS[colour]}
        axes[1].hlines(scaled.index, part["low"], part["high"], **style)
        axes[1].plot(part["ece"], scaled.index, "o", label=key, **style)
    axes[1].set(xlabel="ECE (%)", xlim=(0, None))
    axes[1].tick_params(axis="y", labelsize=SMALL)
    axes[1].legend(fontsize=SMALL, frameon=False)
    return figure


def glue_trends_of_recipes(rises: pd.DataFrame, groups: pd.DataFrame) -> None:
    """Glue what the text on Figure 2 says in numbers, of how often what rises with size."""

    def counted(side: str, name: str) -> str:
        return f"{rises[name][side]} of {rises['recipes'][side]}"

    glue_values(
        "minderer-recipes",
        n=rises["recipes"]["all recipes"],
        accuracy=counted("all recipes", "the accuracy"),
        over=counted("all recipes", "confidence less accuracy"),
        ece_over=counted("all over", "the ECE as trained"),
        ece_under=counted("all under", "the ECE as trained"),
        scaled=counted("all recipes", "the ECE scaled"),
    )
    pretrained = groups.query("level == 'family' and training == 'pretrained'")
    pretrained = pretrained.set_index("family")
    for name in ("ViT", "BiT"):
        row = pretrained.loc[name]
        ends = {"ece": f"{row['ece']:.1f}", "ece_after": f"{row['ece_after']:.1f}"}
        glue_values(f"minderer-{name.lower()}", **ends)
