"""What claims rest on, as a figure: an effect a line, a panel for each unit."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show.verdicts.judgement import Judgement
from book.show.verdicts.wording import count_share
from calib.plots import COLOURS

# what is drawn of a judgement: verdict, estimate, low, high, setting
Mark = dict[str, Any]
# a name, and where an effect is drawn the judgement and what is drawn of it
Line = tuple[str, Judgement | None, Mark | None]
ToUnit = Callable[[Sequence[float]], np.ndarray]  # of estimates, to what an axis shows
MARKS = {"published": "o", "public": "s", "zoo": "^", "unsealed": "D"}
VERDICT_COLOURS = {
    "holds": "blue",
    "shown": "blue",
    "mixed": "purple",
    "open": "purple",
}
VERDICT_COLOURS |= {"fails": "vermillion", "refuted": "vermillion", "proved": "blue"}
SOURCES = {"published": "in print", "public": "public networks", "zoo": "our networks"}
SOURCES |= {"simulation": "simulated", "unsealed": "unsealed"}
MEASURES = {
    "share": "networks that agree (%)",
    "points": "points",
    "log ratio": "ratio",
}
MEASURES |= {"tau": "Kendall's tau", "rho": "Spearman's rho", "": "error"}
MEASURES |= {f"of the {what}": f"share of the {what}" for what in ("splits", "mean")}
MEASURES |= {"of the clean accuracy": "share of the clean accuracy"}
MEASURES |= {"share of variance": "share of the variance"}
# inches and points: legible where a phone shrinks the figure by a quarter
WIDTH, LABEL = 4.8, 9.5
ENDS = ("low", "high", "estimate")
# of a line with an effect one: of a heading, and of the axis with its name below all
HEADING, AXIS = 0.8, 1.4
# As what units are shown, and where no effect would be:
SHOWN_AS: dict[str, tuple[ToUnit, float | None]] = {
    "share": (partial(np.multiply, 100), None),
    "log ratio": (np.exp, 1),
}


def effects_of(row: Judgement) -> list[Mark]:
    """Return the effects that a judgement rests on: one a setting, or its own."""
    own = {part: getattr(row, part) for part in ("verdict", "estimate", "low", "high")}
    return json.loads(row.settings) if row.settings else [{"setting": "", **own}]


def drawn_effects(row: Judgement) -> list[Mark]:
    """Return the effects that a figure draws: `effects_of`, but of print its count.

    Print is judged by what it counts, and not by what that says of other networks. Of a theorem
    the count is drawn too: its share would tell how many were looked at.
    """
    counted = count_share(row)
    if row.status == "theorem" and row.evidence != "published":
        unknown = {"low": np.nan, "high": np.nan}
        return [{"setting": "", "verdict": "proved", "estimate": counted, **unknown}]
    if row.evidence == "published" and not np.isnan(counted):
        return [part | {"estimate": counted} for part in effects_of(row)]
    return effects_of(row)


def sentences_figure(ledger: pd.DataFrame, names: Mapping[str, str]) -> Figure:
    """Draw what some claims rest on, named in a few words by their ids: a panel for each unit."""
    import matplotlib.pyplot as plt

    rows = ledger[ledger.id.isin(names) & ledger.estimate.notna()]
    position = {name: k for k, name in enumerate(names)}
    rows = rows.sort_values("id", key=lambda ids: ids.map(position), kind="stable")
    panels = {
        unit: panel_lines(of_unit, names)
        for unit, of_unit in rows.groupby("unit", sort=False)
    }
    heights = [line_tops(lines)[-1] + AXIS for lines in panels.values()]
    size: dict[str, Any] = {
        "figsize": (WIDTH, 0.7 + 0.31 * sum(heights)),
        "height_ratios": heights,
    }
    figure, axes = plt.subplots(
        len(panels), 1, layout="constrained", squeeze=False, **size
    )
    verdicts: list[str] = []
    for ax, (unit, lines) in zip(axes[:, 0], panels.items(), strict=True):
        effects_panel(ax, lines, *SHOWN_AS.get(unit, (np.asarray, 0)))
        ax.set_xlabel(MEASURES[unit])
        verdicts += [effect["verdict"] for *_, effect in lines if effect]
    add_legend(figure, pd.Series(verdicts))
    return figure


def line_tops(lines: Sequence[Line]) -> np.ndarray:
    """Return how far below the top of a panel each line begins, and last where all end."""
    heights = [1 if effect else HEADING for *_, effect in lines]
    return np.cumsum([0, *heights])


def panel_lines(rows: pd.DataFrame, names: Mapping[str, str]) -> list[Line]:
    """Return name, judgement and effect of each line of a panel; a heading has no effect."""
    lines: list[Line] = []
    for claim, of_claim in rows.groupby("id", sort=False):
        lines.append((names[claim], None, None))
        for row in of_claim.itertuples():
            lines += [
                (mark["setting"] or SOURCES[row.evidence], row, mark)
                for mark in drawn_effects(row)
            ]
    return lines


def effects_panel(
    ax: Axes, lines: Sequence[Line], unit: ToUnit, no_effect: float | None
) -> None:
    """Draw the effects of one unit, each below its name; headings name the claims."""
    left, right = effect_limits(lines, unit, no_effect)
    # names stand over the line of no effect
    white = {"facecolor": "white", "edgecolor": "none", "pad": 0}
    look: dict[str, Any] = {
        "transform": ax.get_yaxis_transform(),
        "va": "center",
        "bbox": white,
    }
    *tops, bottom = line_tops(lines)
    for top, (name, row, effect) in zip(tops, lines, strict=True):
        if row is None or effect is None:
            claim = name
            ax.text(0.01, top - 0.05, name, weight="bold", fontsize=LABEL, **look)
            continue
        side = np.clip(unit([row.least, row.most]), left, right)
        ax.fill_between(
            side, top - 0.02, top + 0.42, color="0.87", lw=0, label="claim's side"
        )
        ax.text(0.01, top - 0.22, name, fontsize=LABEL - 1, **look)
        draw_effect(ax, top + 0.2, effect, row.evidence, unit, label=f"{claim}, {name}")
    if no_effect is None:
        ax.set_xlim(-3, 103)
    else:
        ax.axvline(no_effect, color="black", lw=0.8, linestyle=":")
        ax.set_xlim(left, right)
    ax.set_ylim(bottom - 0.4, -0.4)
    ax.set_yticks([])


def effect_limits(
    lines: Sequence[Line], unit: ToUnit, no_effect: float | None
) -> tuple[float, float]:
    """Return where an axis of effects begins and ends; a share has no line of no effect."""
    limits = [0, 100] if no_effect is None else [no_effect]
    ends = unit([effect[end] for *_, effect in lines if effect for end in ENDS])
    low, high = np.nanmin([*ends, *limits]), np.nanmax([*ends, *limits])
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def draw_effect(
    ax: Axes, y: float, effect: Mark, kind: str, unit: ToUnit, *, label: str
) -> None:
    """Draw an estimate with its interval in the colour of its verdict, hollow if cases are few."""
    verdict = effect["verdict"]
    colour = COLOURS[VERDICT_COLOURS.get(verdict.partition(" ")[0], "black")]
    # in print the number alone decides
    if kind != "published" and not np.isnan(effect["low"]):
        ends = unit([effect["low"], effect["high"]])
        ax.plot(ends, [y, y], color=colour, lw=1.2, label=f"{label}, interval")
    filled = "white" if verdict in ("too few cases", "open") else colour
    look: dict[str, Any] = {"marker": MARKS.get(kind, "D"), "ms": 6, "mfc": filled}
    ax.plot(unit([effect["estimate"]]), [y], ls="", color=colour, label=label, **look)


def add_legend(figure: Figure, verdicts: pd.Series) -> None:
    """Explain on top of a figure the colours of its verdicts, and the side of a claim."""
    from matplotlib.lines import Line2D

    looks: list[dict[str, Any]] = []
    for verdict, colour in VERDICT_COLOURS.items():
        if verdicts.str.startswith(verdict).any():
            look: dict[str, Any] = {"color": COLOURS[colour], "label": verdict}
            looks.append(look | ({"mfc": "white"} if verdict == "open" else {}))
    looks += [{"marker": "s", "ms": 9, "color": "0.87", "label": "the claim's side"}]
    keys = [Line2D([], [], ls="", **{"marker": "o", "ms": 6, **look}) for look in looks]
    layout: dict[str, Any] = {
        "loc": "outside upper center",
        "ncols": 3,
        "frameon": False,
        "fontsize": LABEL,
    }
    figure.legend(handles=keys, columnspacing=1, handletextpad=0.3, **layout)
