"""Reliability diagrams: their bins, their dots, what chance does to them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import calib
from book.show import stills
from book.show.explorables.element import (
    Contents,
    explorable,
    pairs_in_base64,
    rounded,
)


@explorable
def bins_slider(
    score: np.ndarray, hit: np.ndarray, axis: str = "confidence"
) -> Contents:
    """The reliability diagram and the ECE at 1 to 100 bins; `axis` says what a score is."""
    chance = [
        calib.error_if_calibrated(score, bins=calib.equal_width(n_bins))
        for n_bins in range(1, 101)
    ]
    data = {
        "scores": rounded(score, 6),
        "hits": rounded(hit, 0),
        "chance": rounded(chance, 6),
    }
    return data | {"axis": axis}, stills.reliability_diagrams(
        15, axis, all=(score, hit)
    )


@explorable
def dots_to_bars(
    score: np.ndarray,
    hit: np.ndarray,
    *,
    axis: str = "confidence",
    names: tuple[str, str] = ("right", "wrong"),
    task: str = "surest",
) -> Contents:
    """Predictions as dots on the axis of their scores, which become the bars of a diagram.

    `names` are what a hit is, and what is none; `task` is what is asked, "surest" of the largest
    scores or "edgesAlone" of what the edges of the groups can do to the error.
    """
    data = {
        "scores": rounded(score, 4),
        "hits": rounded(hit, 0),
        "axis": axis,
        "task": task,
    }
    chance = calib.error_if_calibrated(score, bins=calib.equal_width(5))
    data |= {"hit": names[0], "miss": names[1], "chance": round(float(chance), 5)}
    return data, stills.reliability_diagrams(5, axis, all=(score, hit))


@explorable
def draw_curve() -> Contents:
    """Draw how often each score is right, choose the sample and the bins, and see the true error,
    what estimates of it say, and what chance alone would show.
    """
    curves = {"a curve": [(0, 0.15), (1, 0.85)], "calibrated": [(0, 0), (1, 1)]}
    return {}, stills.line_plot("score", "how often it is right", **curves)


@explorable
def line_up(
    sources: Mapping[str, Any],
    worlds: Any,
    *,
    rounds: Sequence[int],
    game: int = 1,
    asks: bool = False,
) -> Contents:
    """Eight reliability diagrams; one is of a real network, seven are of a calibrated one.

    `rounds` are the sizes of the samples, and `game` seeds the first game. With `asks` it is asked
    from which size on the real one stands out.
    """
    pairs = {
        name: pairs_in_base64(score, hit) for name, (score, hit) in sources.items()
    }
    worlds = {name: {"a": a, "curve": curve} for name, (a, curve) in worlds.items()}
    score, hit = (
        np.asarray(source)[: rounds[0]] for source in next(iter(sources.values()))
    )
    # the picture of the first round: seven worlds in which each score is right
    hits = [
        hit,
        *(np.random.default_rng(0).random((7, len(score))) < score).astype(int),
    ]
    still = stills.reliability_diagrams(
        10, **{str(number): (score, hit) for number, hit in enumerate(hits, 1)}
    )
    data = {
        "sources": pairs,
        "worlds": worlds,
        "rounds": list(rounds),
        "game": game,
        "asks": asks,
    }
    return data, still
