"""Worlds whose truth is known: views that they fool, intervals drawn from them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from book.show import stills
from book.show.explorables.element import Contents, explorable, rounded


@explorable
def world_builder(classes: Sequence[str], worlds: Mapping[str, Any]) -> Contents:
    """Forecasts and truths of three classes, and which views of calibration they fool."""
    numbers = {
        name: [rounded(curve, 2) for curve in world] for name, world in worlds.items()
    }
    return {"classes": classes, "worlds": numbers}, stills.triangle(
        classes, *next(iter(worlds.values()))
    )


@explorable
def interval_coverage(worlds: Any) -> Contents:
    """Data sets drawn from a world whose error is known, and the share of their bootstrap intervals
    that hold it.

    By name, a world is a and the points of a curve: scores have the density a s^(a - 1), and hits
    occur with a probability that is linear between equally spaced points.
    """
    data = {
        "worlds": {
            name: {"a": a, "curve": curve} for name, (a, curve) in worlds.items()
        }
    }
    _, curve = next(iter(worlds.values()))
    points = np.column_stack([np.linspace(0, 1, len(curve)), curve])
    return data, stills.line_plot("score", "how often it is right", world=points)
