"""One interactive figure of each kind, and how a page with them is opened."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

import calib
from book.show import widgets
from calib_report import ModelOutputs

STATEMENTS = [(f"Statement {i}", truth) for i, truth in enumerate((1, 0, 1, 1, 0, 0, 1, 0))]
STEPS = [
    {
        "name": str(i),
        "says": f"Position {i}.",
        "line": [[0, 0], [1, i / 2]],
        "dot": [1, i / 2],
        "cells": [i**2],
        "values": {"square": i**2},
    }
    for i in range(3)
]
EDGE = "A = B; 100 %"  # a name with the signs that part settings in an address
WORLDS = {"overconfident": (2.0, [0.15 + 0.07 * i for i in range(11)]), "calibrated": (1.0, [0, 1])}
CROWD = [(0.9, 0.65), (1.0, 0.77)]
SMALL_WORLDS = {
    "A": ([[0.8, 0.2, 0.0], [0.2, 0.8, 0.0]], [[0.9, 0.1, 0.0], [0.3, 0.7, 0.0]]),
    "B": (
        [[0.4, 0.3, 0.3], [0.4, 0.5, 0.1], [0.2, 0.3, 0.5], [0.2, 0.5, 0.3]],
        [[0.5, 0.2, 0.3], [0.3, 0.6, 0.1], [0.1, 0.4, 0.5], [0.3, 0.4, 0.3]],
    ),
}
MAPS = {
    "temperature scaling": {"T": 1.7},
    EDGE: {
        "W": [[0.5, 0.1, -0.2], [0, 0.7, 0.3], [0.1, -0.4, 1.2]],
        "b": [0.1, -0.3, 0.2],
    },
}
PNG = b"not really a picture"
COSTS = {"miss": 100, "alarm": 20}
COVERAGES = [0.5, 0.9, 0.95]
TEMPERATURES = [0.5, 1, 2]


def opened(browser, address, printed=True):
    """Open a page; whatever goes wrong on it is collected."""
    page, wrong = browser.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    page.goto(address)
    if printed:  # or they begin when they come near
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    return page, wrong


def overconfident(rng, n, n_classes):
    """Labels and logits of a network that is sure of twice as much as it knows."""
    logits = rng.normal(scale=3, size=(n, n_classes))
    return np.array([rng.choice(n_classes, p=p) for p in calib.softmax(logits / 2)]), logits


def one_of_each():
    """Return the figures."""
    rng = np.random.default_rng(20)
    y, logits = overconfident(rng, 300, 5)
    score, hit = calib.top_label(y, calib.softmax(logits))
    score[:20] = np.arange(1, 21) / 20
    names = list("abcde")
    split = ModelOutputs(y, "test", logits=logits)
    network = SimpleNamespace(calibration=split, test=split)
    wrong, sure = 1 - hit, {"raw": 1 - score, "half": (1 - score) / 2}
    cards = pd.DataFrame(rng.random((9, 3)), columns=["accuracy", "mean_confidence", "ece"])
    p3 = rng.dirichlet([1, 1, 1], size=30)
    figures = [
        widgets.temperature_slider(logits, y, 2.03),
        widgets.bins_slider(score, hit),
        widgets.steps_slider(
            "a line", "Step", STEPS, x=("x", 0, 1), y=("y", 0, 1), columns=["Step", "Square"]
        ),
        widgets.bet_quiz(STATEMENTS, CROWD),
        widgets.draw_curve(),
        widgets.one_vector(PNG, [4, 0, 7], split, names, [0.5, 1, 1.5, 2, 3]),
        widgets.label_sets(PNG, [4, 0, 7], network, names, TEMPERATURES, COVERAGES, rng=rng),
        widgets.people_threshold(wrong, sure, ["right", "wrong"], **COSTS),
        widgets.line_up({"real": (score, hit)}, {"world": WORLDS["overconfident"]}),
        widgets.dots_to_bars(score[:200], hit[:200]),
        widgets.world_builder(names[:3], SMALL_WORLDS),
        widgets.deal_cards({"verbal": cards.assign(model=list("abcdefghi"))}),
        widgets.decision_costs(
            y == 1,
            {
                "raw": calib.softmax(logits)[:, 1],
                "scaled": calib.softmax(logits / 2)[:, 1],
            },
        ),
        widgets.map_simplex(
            names[:3], MAPS, (rng.integers(3, size=30), p3), dict.fromkeys(MAPS, 0.5)
        ),
        widgets.spline_knots((score, hit), (score[::2], hit[::2])),
        widgets.interval_coverage(WORLDS),
        widgets.sure_photographs(PNG, ["a", "b", "a"], ["a", "c", "a"], [0.999, 0.9999, 1], "Ah."),
    ]
    return {figure.data[1:].partition(" ")[0]: figure for figure in figures}
