"""One interactive figure of each kind, and how a page with them is opened."""

import json
import re
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import calib
from book.show.explorables.arena import arena_board
from book.show.explorables.bets import bet_quiz, stake_curve, ticket_trader
from book.show.explorables.classes_and_groups import class_matrix, shuffled_groups
from book.show.explorables.costs import decision_costs, people_threshold
from book.show.explorables.drift import drift_gate
from book.show.explorables.label_sets import label_sets
from book.show.explorables.language import (
    deal_cards,
    language_explorer,
    model_or_constant,
)
from book.show.explorables.maps import map_regret, map_simplex, spline_knots
from book.show.explorables.photographs import fifty_people, one_vector, sure_photographs
from book.show.explorables.reliability import (
    bins_slider,
    dots_to_bars,
    draw_curve,
    line_up,
)
from book.show.explorables.temperature import temperature_slider
from book.show.explorables.worlds import interval_coverage, world_builder
from evidence import Outputs, load_results
from evidence.arena import DOMAINS, load_cases, load_peer_cases
from evidence.language.originals import Answers

TOLERANCE = 1e-4
STATEMENTS = [
    (f"Statement {i}", truth) for i, truth in enumerate((1, 0, 1, 1, 0, 0, 1, 0))
]
EDGE = "A = B; 100 %"  # a name with the signs that part settings in an address
WORLDS = {
    "overconfident": (2.0, [0.15 + 0.07 * i for i in range(11)]),
    "calibrated": (1.0, [0, 1]),
}
SMALL_WORLDS = {
    "A": ([[0.8, 0.2, 0.0], [0.2, 0.8, 0.0]], [[0.9, 0.1, 0.0], [0.3, 0.7, 0.0]]),
    "B": (
        [[0.4, 0.3, 0.3], [0.4, 0.5, 0.1], [0.2, 0.3, 0.5], [0.2, 0.5, 0.3]],
        [[0.5, 0.2, 0.3], [0.3, 0.6, 0.1], [0.1, 0.4, 0.5], [0.3, 0.4, 0.3]],
    ),
}
LINEAR = {
    "W": [[0.5, 0.1, -0.2], [0, 0.7, 0.3], [0.1, -0.4, 1.2]],
    "b": [0.1, -0.3, 0.2],
}
MAPS = {"temperature scaling": {"T": 1.7}, EDGE: LINEAR}
TEMPERATURES = [0.5, 1, 2]
TRIED = ["temperature", "vector", "structured matrix"]


PRINT = """() => {
    dispatchEvent(new Event("beforeprint"))
    document.querySelectorAll(".w-ask").forEach((box) => box.parentElement.uncover?.())
    dispatchEvent(new Event("afterprint"))
}"""


@contextmanager
def opened(browser, address, printed=True):
    """A page on which nothing goes wrong."""
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: message.type == "error" and errors.append(message.text),
    )
    page.goto(address)
    if printed:  # or they begin when they come near
        page.evaluate(PRINT)
    yield page
    page.close()
    assert errors == []


def made_up():
    """Three models: the second states round numbers and leaves questions open; one lacks a kind."""
    rng, n = np.random.default_rng(2), 900
    group = np.repeat(["law", "math", "physics"], n // 3)
    score = np.stack(
        [rng.beta(5, 2, n), rng.choice([0, 0.55, 0.9, 1.0], n), rng.random(n)]
    )
    outcome = (rng.random((3, n)) < 0.2 + 0.6 * score).astype(np.uint8)
    outcome[1, :90] = 2
    token = score**2
    token[2] = np.nan
    kinds = {"token": token, "verbal": score}
    return Answers("made up", "questions", ["a", "b", "c"], outcome, kinds, group)


def repaired_models():
    """Two models before and after a map: the first is too sure, the second states what it knows."""
    columns = ["model", "map", "n", "accuracy", "mean_confidence", "ece", "brier"]
    rows = [
        ("a", "none", 1000, 0.5, 0.9, 0.4, 0.4),
        ("a", "isotonic", 1000, 0.5, 0.5, 0.01, 0.249),
        ("b", "none", 1000, 0.6, 0.6, 0.02, 0.15),
        ("b", "isotonic", 1000, 0.6, 0.6, 0.01, 0.145),
    ]
    table = pd.DataFrame(rows, columns=columns)
    uncertainty = table["accuracy"] * (1 - table["accuracy"])
    return table.assign(skill=1 - table["brier"] / uncertainty)


def one_of_each():
    """Return the figures, of a network that is sure of twice as much as it knows."""
    rng = np.random.default_rng(20)
    logits = rng.normal(scale=3, size=(300, 5))
    y = np.array([rng.choice(5, p=p) for p in calib.softmax(logits / 2)])
    score, hit = calib.top_label(y, calib.softmax(logits))
    score[:20] = np.arange(1, 21) / 20
    names, png, rows = list("abcde"), b"not really a picture", [4, 0, 7]
    split = Outputs(y, "test", logits=logits)
    network = SimpleNamespace(calibration=split, test=split)
    cards = pd.DataFrame(
        rng.random((9, 3)), columns=["accuracy", "mean_confidence", "ece"]
    )
    # the second is worse, within chance
    losses = (np.tile([0.1, 0.9], 25), np.tile([0.9, 0.2], 25))
    points = rng.integers(3, size=30), rng.dirichlet([1, 1, 1], size=30)
    event = {
        "raw": calib.softmax(logits)[:, 1],
        "scaled": calib.softmax(logits / 2)[:, 1],
    }
    miss, sure = 1 - hit, {"raw": 1 - score, "half": (1 - score) / 2}
    threshold = {"miss": 100, "alarm": 20, "axis": "risk"}
    figures = [
        temperature_slider(logits, y, 2.03),
        bins_slider(score, hit),
        bet_quiz(STATEMENTS, [(0.9, 0.65), (1.0, 0.77)]),
        draw_curve(),
        one_vector(png, rows, split, names, [0.5, 1, 1.5, 2, 3]),
        label_sets(png, rows, network, names, TEMPERATURES, [0.5, 0.9, 0.95], rng=rng),
        people_threshold(miss, sure, ("right", "wrong"), **threshold),
        line_up(
            {"real": (score, hit)},
            {"world": WORLDS["overconfident"]},
            rounds=[10, 20, 50, 100, 200, 300, 10_000],
            asks=True,
        ),
        dots_to_bars(score[:200], hit[:200]),
        world_builder(names[:3], SMALL_WORLDS),
        deal_cards({"verbal": cards.assign(model=list("abcdefghi"))}),
        decision_costs(y == 1, event),
        map_simplex(names[:3], MAPS, points, dict(zip(MAPS, losses, strict=True))),
        spline_knots((score, hit), (score[::2], hit[::2])),
        interval_coverage(WORLDS),
        sure_photographs(
            png, ["a", "b", "a"], ["a", "c", "a"], [0.999, 0.9999, 1], "Ah."
        ),
        stake_curve(score, hit),
        drift_gate(score),
        class_matrix(network, names),
        map_regret(load_results("arena"), TRIED, [100, 500, 2500]),
        ticket_trader(score, hit, [0, 0.5, 0.8, 1]),
        model_or_constant(repaired_models(), "b"),
        fifty_people(
            (png, 0, 3),
            ("cat", "dog"),
            {"raw": 0.99, "half": 0.85},
            file="dog",
            votes=40,
        ),
        shuffled_groups(score, hit, logits.argmax(axis=1), names, n=200, n_shown=300),
        language_explorer(made_up(), first="b"),
        arena_board(
            load_results("arena_ranking"), load_cases(), DOMAINS, load_peer_cases()
        ),
    ]
    return {figure.data[1:].partition(" ")[0]: figure for figure in figures}


def data(figure):
    return json.loads(
        re.search(r'<script type="application/json">(.*?)</script>', figure.data)[1]
    )


def move(element, value, number=0):
    """Set a slider as a pointer would: a value, and the events that tell of it."""
    element.locator("input").nth(number).evaluate(
        "(input, value) => { input.value = value; "
        "input.dispatchEvent(new Event('input')); input.dispatchEvent(new Event('change')); }",
        str(value),
    )


def shown(element, name):
    return float(element.get_attribute(f"data-{name}"))


def agree(element, atol=TOLERANCE, **expected):
    """What an element says of itself is what is expected."""
    displayed = {name: shown(element, name) for name in expected}
    assert displayed == pytest.approx(expected, rel=1e-9, abs=atol)


def rows(element):
    return element.evaluate("""async (node) => {
        node.querySelector("details").open = true
        await new Promise(done => setTimeout(done, 20))
        const rows = [...node.querySelectorAll("tbody tr")]
        return rows.map(row => [...row.cells].map(cell => cell.textContent))
    }""")
