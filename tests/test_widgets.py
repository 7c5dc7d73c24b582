"""The interactive figures compute in the browser what `calib` computes."""

import json
import re

import numpy as np
import pytest
from helpers import ROOT, chromium

import calib
from book.widgets import bet_quiz, bins_slider, steps_slider, temperature_slider

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
TOLERANCE = 1e-4


@pytest.fixture(scope="module")
def figures():
    """One figure of each kind, of random predictions that are overconfident."""
    rng = np.random.default_rng(20)
    logits = rng.normal(scale=3, size=(300, 5))
    y = np.array([rng.choice(5, p=p) for p in calib.softmax(logits / 2)])
    score, hit = calib.top_label(y, calib.softmax(logits))
    score[:20] = np.arange(1, 21) / 20
    return {
        "temperature-slider": temperature_slider(logits, y, 2.03),
        "bins-slider": bins_slider(score, hit),
        "steps-slider": steps_slider(
            "a line", "Step", STEPS, x=("x", 0, 1), y=("y", 0, 1), columns=["Step", "Square"]
        ),
        "bet-quiz": bet_quiz(STATEMENTS),
    }


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def page(browser, figures, tmp_path_factory):
    """A page with all figures; whatever went wrong on it fails the last test that used it."""
    file = tmp_path_factory.mktemp("widgets") / "page.html"
    script = (ROOT / "book" / "assets" / "widgets.js").as_uri()
    body = "".join(figure.data for figure in figures.values())
    file.write_text(f'<meta charset="utf-8">{body}<script src="{script}"></script>', "utf-8")
    page, wrong = browser.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    page.goto(file.as_uri())
    yield page
    assert wrong == []


def data(figure):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', figure.data)[1])


def move(element, value):
    """Set the slider as a pointer would: a value, and the event that tells of it."""
    element.locator("input").evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }",
        str(value),
    )


def shown(element, name):
    return float(element.get_attribute(f"data-{name}"))


def rows(element):
    return element.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )


def check_bins(element, score, hit, n_bins):
    """The table holds the occupied bins, and the diagram a bar for each and one for its gap."""
    bins = calib.equal_width(n_bins)(score, hit)
    held = bins.count > 0
    table = rows(element)
    assert [int(row[1]) for row in table] == bins.count[held].tolist()
    for column, mean in ((2, bins.mean_score), (3, bins.mean_hit)):
        percent = [float(row[column].removesuffix(" %")) for row in table]
        np.testing.assert_allclose(percent, 100 * mean[held], atol=0.0501)
    assert element.locator("svg").first.locator("rect").count() == 2 * held.sum()


def check_temperature(element, rounded):
    temperature = float(element.locator("input").input_value())
    y, p = rounded["labels"], calib.softmax(np.array(rounded["logits"]) / temperature)
    for name in ("ece", "nll", "accuracy"):
        value = getattr(calib, name)(y, p)
        assert shown(element, name) == pytest.approx(value, abs=TOLERANCE)
    status = element.locator(".w-status").inner_text()
    assert status.startswith(f"T = {temperature:.2f}: ECE {100 * calib.ece(y, p):.2f} %")
    check_bins(element, *calib.top_label(y, p), 15)
    return temperature


def test_the_temperature_slider_measures_as_the_library_does(page, figures):
    element, rounded = page.locator("temperature-slider"), data(figures["temperature-slider"])
    assert check_temperature(element, rounded) == 1
    for value in (0.5, 1.37, 2.5, 4):
        move(element, value)
        assert check_temperature(element, rounded) == value
    element.get_by_role("button").click()
    assert check_temperature(element, rounded) == 2.03
    element.locator("input").press("ArrowRight")
    assert check_temperature(element, rounded) == 2.04


def check_count(element, rounded):
    m = int(element.locator("input").input_value())
    score, hit = np.array(rounded["scores"]), np.array(rounded["hits"])
    value = calib.ece(hit, score, n_bins=m)
    assert shown(element, "ece") == pytest.approx(value, abs=TOLERANCE)
    assert f"M = {m}: ECE {100 * value:.2f} %" in element.locator(".w-status").inner_text()
    check_bins(element, score, hit, m)
    return m


def test_the_bins_slider_measures_as_the_library_does(page, figures):
    """At 10, 20 and 100 bins twenty of the scores lie on edges."""
    element, rounded = page.locator("bins-slider"), data(figures["bins-slider"])
    assert check_count(element, rounded) == 15
    for value in (1, 2, 10, 20, 37, 100):
        move(element, value)
        assert check_count(element, rounded) == value
    element.locator("input").press("Home")
    element.locator("input").press("ArrowRight")
    assert check_count(element, rounded) == 2


def test_the_steps_slider_shows_the_step_it_is_at(page):
    element = page.locator("steps-slider")
    for i in range(3):
        assert shown(element, "square") == i**2
        assert element.locator(".w-status").inner_text() == f"Position {i}."
        assert element.locator("output").inner_text() == str(i)
        assert element.locator("input").get_attribute("aria-valuetext") == str(i)
        element.locator("input").press("ArrowRight")
    assert rows(element) == [["0", "0"], ["1", "1"], ["2", "4"]]


def test_the_quiz_scores_as_the_library_does(page):
    element = page.locator("bet-quiz")
    said = np.array([95, 20, 80, 60, 10, 65, 100, 75])
    truth = np.array([truth for _, truth in STATEMENTS])
    for i, value in enumerate(said):
        move(element.locator("fieldset").nth(i), value)
    element.get_by_role("button").click()
    p = said / 100
    assert shown(element, "brier") == pytest.approx(calib.top1_brier(truth, p), abs=TOLERANCE)
    hit = ((p > 0.5) == truth).astype(int)
    ece = calib.ece(hit, np.maximum(p, 1 - p), n_bins=10)
    assert shown(element, "ece") == pytest.approx(ece, abs=TOLERANCE)
    assert f"Right {100 * hit.mean():.0f} %" in element.locator(".w-status").inner_text()
    assert [row[2] for row in rows(element)] == [f"{value} %" for value in said]


def test_a_figure_says_what_it_shows_where_scripts_do_not_run(browser, figures):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for name, figure in figures.items():
        page.set_content(figure.data)
        assert page.locator(f"{name} .w-fallback").inner_text().startswith("An interactive")
    context.close()
