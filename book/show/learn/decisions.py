"""Figures and numbers of the chapter *What calibration buys in a decision*."""

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from book.show.display import expect, glue_values, typeset
from book.show.looks import MEANING, label_lines
from calib.plots import COLOURS, GREY, PALE

# euros: a look at a right answer, and a wrong one that nobody looks at
LOOK, MISS = 25, 100
ANSWERS = 200  # of the first figure
RESAMPLES = 2000  # of the images, for the interval of a saving


def glue_cost_of_all_and_none(
    wrong: np.ndarray, after: np.ndarray, trained: np.ndarray
) -> None:
    """Glue what it costs to look at all answers of the first figure, or at none."""
    threshold = LOOK / (LOOK + MISS)
    look, miss = LOOK * (1 - wrong), MISS * wrong
    looks, misses = look.mean(), miss.mean()
    repaired, unrepaired = (
        np.mean(np.where(p >= threshold, look, miss)) for p in (after, trained)
    )
    expect(
        repaired < unrepaired and repaired < min(looks, misses),
        "the text says that the repaired rule is the cheapest",
    )
    glue_values(
        "decisions-people",
        all=f"{ANSWERS * looks:.0f}",
        none=f"{ANSWERS * misses:.0f}",
    )


def glue_saving_of_rule(
    rules: pd.DataFrame,
    scores: tuple[np.ndarray, np.ndarray],
    hit: np.ndarray,
    review: float,
) -> None:
    """Glue what the rule saves after a temperature, with the paired interval of the difference."""
    cost, accepted = rules["cost"], rules["accepted"]
    expect(
        cost["as trained"] > cost["review all"] > cost["temperature"],
        "the text says in which order the rules cost",
    )
    saved = 1 - cost["temperature"] / cost["as trained"]
    after, before = (np.where(s >= 1 - review, 1 - hit, review) for s in scores)
    difference, rng = 1000 * (after - before), np.random.default_rng(0)
    n = len(difference)
    means = [difference[rng.integers(n, size=n)].mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, [2.5, 97.5])
    glue_values(
        "decisions",
        accepted=f"{accepted['as trained'] / 10:.0f}",
        saved=f"{100 * saved:.0f}",
        difference=typeset(f"{difference.mean():.1f} ({low:.1f} to {high:.1f})"),
    )


def glue_saving_by_cost_matrix(paid: Mapping[str, np.ndarray]) -> None:
    """Glue what the matrix of costs saves, and what the temperature saves beyond it."""
    price = {name: cost.mean() for name, cost in paid.items()}
    costs = price["most probable class"] - price["as trained"]
    priced = price["as trained"] - price["temperature"]
    expect(
        priced > 0 and costs > 0,
        "the text says that the matrix of costs and the temperature both save",
    )
    glue_values("decisions", priced=f"{priced:.3f}", costs=f"{costs:.3f}")


def draw_cost_by_review_cost(
    hit: np.ndarray,
    score: np.ndarray,
    isotonic: np.ndarray,
    mean_cost: Callable[[np.ndarray, np.ndarray, float], float],
    scaled: np.ndarray,
) -> Figure:
    """Draw mean cost against the cost of a review: a curve a score, dotted the best threshold's."""
    review_costs = np.linspace(0.002, 0.5, 250)

    def best_cost(score: np.ndarray, hit: np.ndarray, review_cost: float) -> float:
        """Smallest mean cost over all thresholds on the score."""
        # the surest are accepted first: one threshold for each number of them
        order = np.argsort(-score)
        errors = np.concatenate([[0], np.cumsum(1 - hit[order])])
        accepted = np.arange(len(hit) + 1)
        return np.min(errors + review_cost * (len(hit) - accepted)) / len(hit)

    fig, ax = plt.subplots(figsize=(5.2, 3.8), layout="constrained")
    least = [best_cost(score, hit, c) for c in review_costs]
    ax.plot(review_costs, least, ":", color="black", lw=2.4, label="best threshold")
    for name, s, colour, dash in [
        ("as trained", score, MEANING["before"], "-"),
        ("temperature", scaled, MEANING["after"], "-"),
        ("isotonic", isotonic, COLOURS["green"], "--"),
    ]:
        costs = [mean_cost(s, hit, c) for c in review_costs]
        ax.plot(review_costs, costs, label=name, color=colour, ls=dash)
    # who accepts all pays for the errors, who reviews all for the reviews
    ax.axhline(1 - hit.mean(), color=GREY, lw=0.8)
    ax.axline((0, 0), slope=1, color=GREY, lw=0.8)
    label_lines(
        ax,
        above={"as trained": 0.28, "temperature": 0.18},
        below={"isotonic": 0.17, "best threshold": 0.35},
    )
    style: dict[str, Any] = {"color": GREY, "fontsize": "small"}
    ax.text(0.02, 1 - hit.mean(), "accept all", va="bottom", **style)
    ax.text(0.153, 0.148, "review all", **style)
    ax.set(
        xlabel="cost of a review ρ (an error costs 1)",
        ylabel="mean cost per image",
        ylim=(0, 0.16),
        xlim=(0, 0.5),
    )
    return fig


def draw_waste_by_threshold(
    thresholds: np.ndarray,
    curves: Mapping[str, np.ndarray],
    always: str,
    removed: float,
) -> Figure:
    """Draw waste against threshold: three `curves`, of which `always` is what the third says."""
    styles: dict[str, Any] = {
        "as trained": {"color": MEANING["before"]},
        "temperature": {"color": MEANING["after"]},
        "always": {"color": GREY, "ls": ":"},
    }
    fig, ax = plt.subplots(figsize=(5.2, 3.8), layout="constrained")
    for name, style in styles.items():
        label = always if name == "always" else name
        ax.plot(thresholds, curves[name], label=label, **style)
    ends = curves["temperature"], curves["as trained"]
    ax.fill_between(thresholds, *ends, color=PALE, lw=0)
    label_lines(
        ax, above={"as trained": 0.97, always: 0.72}, below={"temperature": 0.55}
    )
    ax.annotate(
        f"removed: {removed:.0%}",
        (0.93, 0.11),
        (0.62, 0.05),
        arrowprops={"arrowstyle": "-"},
    )
    ax.set(
        xlabel="threshold t = 1 − ρ",
        ylabel="twice the mean waste",
        xlim=(0, 1),
        ylim=(0, None),
    )
    return fig
