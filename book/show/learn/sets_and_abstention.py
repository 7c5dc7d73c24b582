"""Figures and numbers of the chapter *What may be promised: sets and abstention*."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values
from book.show.looks import MEANING
from calib.plots import GREY
from evidence import load_results
from evidence.constants import ROUNDED_95
from evidence.network_outputs import Outputs


def draw_coverage_of_classes(
    calibration: Outputs,
    test: Outputs,
    clothes: Sequence[str],
    covered: Mapping[str, np.ndarray],
) -> Figure:
    """Draw each class's coverage with one threshold and with one each, upon what chance makes."""
    fig, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
    sizes = 1 / np.bincount(test.y).mean() + 1 / np.bincount(calibration.y).mean()
    # calibration and test images are drawn apart: their variances add
    half = 100 * ROUNDED_95 * np.sqrt(0.95 * 0.05 * sizes)
    ax.axvspan(95 - half, 95 + half, color="0.9", lw=0)
    for within, kind, name in (
        ("all", "before", "one threshold"),
        ("classes", "after", "one each"),
    ):
        ax.plot(covered[within], clothes, "o", color=MEANING[kind])
        beside = covered[within][6] + 0.6, 6
        ax.text(*beside, name, color=MEANING[kind], va="center")
    ax.set(xlabel="coverage (%)", xlim=(80, 101), xticks=range(80, 101, 5))
    return fig


def glue_growth_of_sets(shown: pd.DataFrame, tail: pd.DataFrame) -> None:
    """Glue how much a temperature grows sets, and on how many networks clearly."""
    calibrated = (
        shown[shown.calibrator == "temperature"].set_index("source").sort_index()
    )
    aps, lac = (calibrated[calibrated.score == score] for score in ("aps", "lac"))
    expect(
        (aps.grew == 1).all() and (lac.growth < 0).all(),
        "the text says that sets of APS grow and those of LAC shrink",
    )
    every = tail[(tail.calibrator == "temperature") & (tail.score == "aps")]
    others = every[~every.source.isin(shown.source)]
    hot, cold = others[others.temperature > 1], others[others.temperature < 1]
    expect(
        len(cold) == 1 and (cold.growth < 0).all(),
        "the text says of the one network that was not sure enough that its sets shrink",
    )
    expect((hot.growth > 0).all(), "the text says that the sets of all others grew")
    glue_values("sets", lac_most=f"{lac.growth.abs().max():.2f}")
    glue_values("sets", hot=len(hot), hot_clear=int((hot.growth_low > 0).sum()))


def draw_risk_by_coverage(
    hit: np.ndarray, raw: np.ndarray, scaled: np.ndarray
) -> Figure:
    """Draw risk against coverage: a curve for each order in which answers are declined."""
    curves = {
        "own confidence": (raw.max(axis=1), MEANING["before"], "-", (30, 4.2)),
        "after temperature": (scaled.max(axis=1), MEANING["after"], "--", (18, 3)),
        "best order": (hit.astype(float), "black", ":", (60, -1.4)),
        "random order": (np.full(len(hit), 0.5), GREY, "-", (5, 13.3)),
    }
    fig, ax = plt.subplots(figsize=(5.2, 3.8), layout="constrained")
    # where all scores are one, the order is a matter of chance
    for name, (score, colour, line, corner) in curves.items():
        at = np.linspace(0.02, 0.999, 200)
        curve = calib.risk_coverage(hit, score)
        risk = [100 * curve.risk_at(c) for c in at]
        ax.plot(100 * at, risk, line, color=colour)
        ax.text(*corner, f"{name}: {1000 * calib.aurc(hit, score):.1f}", color=colour)
    ax.set(
        xlabel="coverage: answers kept (%)",
        ylabel="risk: errors among them (%)",
        ylim=(-2, 14.5),
    )
    return fig


def glue_risk_after_maps(wide: pd.DataFrame, abstention: pd.DataFrame) -> None:
    """Glue on how many networks maps change the risk of the answers that are kept."""
    expect(
        np.allclose(wide["none"], wide["top-platt"], atol=1e-6),
        "the text says that Platt's map changes no order",
    )
    plain = abstention[abstention.calibrator == "none"].set_index("source").accuracy
    for name in ("temperature", "vector"):
        part = abstention[abstention.calibrator == name].set_index("source")
        lower, higher = part.high < 0, part.low > 0
        glue_values(f"sets-{name}", lower=int(lower.sum()), higher=int(higher.sum()))
        more = lower & (part.accuracy - plain > 0.01)
        glue_values(f"sets-{name}", answers=int(more.sum()))
    ece = abstention.pivot(index="source", columns="calibrator", values="ece")
    zoo = load_results("abstention_zoo").pivot(index="name", columns="calibrator")
    change = (zoo["aurc"]["temperature"] / zoo["aurc"]["none"] - 1).abs().median()
    glue_values(
        "sets", abstain_n=len(wide), zoo_n=len(zoo), zoo_change=f"{100 * change:.1f}"
    )
    glue_values("sets", ece_lower=int((ece["temperature"] < ece["none"]).sum()))
