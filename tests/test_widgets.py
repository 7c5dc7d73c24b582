"""The interactive figures compute in the browser what `calib` computes."""

import json
import re

import numpy as np
import pytest
from helpers import ROOT, chromium

import calib
from book import widgets
from calib import ModelOutputs

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


WORLDS = {"overconfident": (2.0, [0.15 + 0.07 * i for i in range(11)]), "calibrated": (1.0, [0, 1])}
CROWD = [(0.9, 0.65), (1.0, 0.77)]
MAPS = {
    "temperature scaling": {"T": 1.7},
    "matrix": {"W": [[0.5, 0.1, -0.2], [0, 0.7, 0.3], [0.1, -0.4, 1.2]], "b": [0.1, -0.3, 0.2]},
}
PNG = b"not really a picture"


def overconfident(rng, n, n_classes):
    """Labels and logits of a network that is sure of twice as much as it knows."""
    logits = rng.normal(scale=3, size=(n, n_classes))
    return np.array([rng.choice(n_classes, p=p) for p in calib.softmax(logits / 2)]), logits


@pytest.fixture(scope="module")
def figures():
    """One figure of each kind."""
    rng = np.random.default_rng(20)
    y, logits = overconfident(rng, 300, 5)
    score, hit = calib.top_label(y, calib.softmax(logits))
    score[:20] = np.arange(1, 21) / 20
    names = list("abcde")
    p3 = rng.dirichlet([1, 1, 1], size=30)
    figures = [
        widgets.temperature_slider(logits, y, 2.03),
        widgets.bins_slider(score, hit),
        widgets.steps_slider(
            "a line", "Step", STEPS, x=("x", 0, 1), y=("y", 0, 1), columns=["Step", "Square"]
        ),
        widgets.bet_quiz(STATEMENTS, CROWD),
        widgets.draw_curve(),
        widgets.one_vector(
            PNG, [4, 0, 7], ModelOutputs(y, "test", logits=logits), names, [0.5, 1, 1.5, 2, 3]
        ),
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
    return {re.match(r"<([\w-]+)", figure.data)[1]: figure for figure in figures}


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(figures, tmp_path_factory):
    """A page with all figures, opened as a file."""
    file = tmp_path_factory.mktemp("widgets") / "page.html"
    folder = ROOT / "book" / "assets" / "widgets"
    scripts = "".join(
        f'<script src="{(folder / name).as_uri()}.js"></script>'
        for name in ["base", "definitions", *figures]
    )
    style = f'<link rel="stylesheet" href="{(folder.parent / "widgets.css").as_uri()}">'
    body = "".join(figure.data for figure in figures.values())
    file.write_text(f'<meta charset="utf-8">{style}{body}{scripts}', "utf-8")
    return file.as_uri()


def opened(browser, address):
    """Open a page; whatever goes wrong on it is collected."""
    page, wrong = browser.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    page.goto(address)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # or they begin when they come near
    return page, wrong


@pytest.fixture(scope="module")
def page(browser, address):
    page, wrong = opened(browser, address)
    yield page
    assert wrong == []


def data(figure):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', figure.data)[1])


def move(element, value, number=0):
    """Set a slider as a pointer would: a value, and the events that tell of it."""
    element.locator("input").nth(number).evaluate(
        "(input, value) => { input.value = value; "
        "input.dispatchEvent(new Event('input')); input.dispatchEvent(new Event('change')); }",
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
    binning = calib.equal_width(10)
    assert shown(element, "brier") == pytest.approx(calib.top1_brier(truth, p), abs=TOLERANCE)
    hit = ((p > 0.5) == truth).astype(int)
    confidence = np.maximum(p, 1 - p)
    ece = calib.ece(hit, confidence, n_bins=10)
    assert shown(element, "ece") == pytest.approx(ece, abs=TOLERANCE)
    chance = calib.error_if_calibrated(confidence, bins=binning)
    assert shown(element, "expected") == pytest.approx(chance, abs=TOLERANCE)
    rng = np.random.default_rng(1)
    drawn = (rng.random((4000, len(said))) < confidence).astype(int)
    large = [calib.ece(h, confidence, n_bins=10) >= ece - 1e-9 for h in drawn]
    assert shown(element, "share") == pytest.approx(np.mean(large), abs=0.04)
    assert element.locator("svg .w-second-dot").count() == len(CROWD)
    status = element.locator(".w-status").inner_text()
    assert f"were right on {100 * hit.mean():.0f} % of them" in status
    assert [row[2] for row in rows(element)] == [f"{value} %" for value in said]


def test_a_statement_at_one_half_takes_no_side(page):
    element = page.locator("bet-quiz")
    move(element.locator("fieldset").nth(0), 50)
    assert "took a side on 7 of 8" in element.locator(".w-status").inner_text()
    said = np.array([20, 80, 60, 10, 65, 100, 75]) / 100
    hit = ((said > 0.5) == [truth for _, truth in STATEMENTS][1:]).astype(int)
    ece = calib.ece(hit, np.maximum(said, 1 - said), n_bins=10)
    assert shown(element, "ece") == pytest.approx(ece, abs=TOLERANCE)


# What the scripts compute, against the library on a grid of settings.


def test_bins_of_equal_mass_are_those_of_the_library(page):
    rng = np.random.default_rng(3)
    for n, n_bins in ((1, 4), (7, 3), (50, 15), (200, 10)):
        score, hit = rng.integers(0, 12, size=n) / 11, rng.integers(2, size=n)
        found = page.evaluate(
            "([s, h, m]) => equalMass(s, h, m).filter(g => g.n).map(g => [g.n, g.hit, g.score])",
            [score.tolist(), hit.tolist(), n_bins],
        )
        bins = calib.equal_mass(n_bins)(score, hit)
        held = bins.count > 0
        count = bins.count[held]
        expected = [count, count * bins.mean_hit[held], count * bins.mean_score[held]]
        np.testing.assert_allclose(found, np.transpose(expected), atol=1e-12)


def test_the_ks_error_and_its_curve_are_those_of_the_library(page, figures):
    rounded = data(figures["bins-slider"])
    score, hit = np.array(rounded["scores"]), np.array(rounded["hits"])
    ks = calib.ks_error(hit, score)
    assert shown(page.locator("bins-slider"), "ks") == pytest.approx(ks, abs=1e-12)


def test_true_errors_are_integrals(page):
    for a in (1, 1.5, 3):
        for curve in ([0, 1], [0.3, 0.2, 0.9], np.linspace(0.15, 0.85, 11).tolist()):
            found = page.evaluate("([c, a]) => trueError(c, a)", [curve, a])
            fine = (np.arange(200_000) + 0.5) / 200_000
            score = fine ** (1 / a)
            gap = np.interp(score, np.linspace(0, 1, len(curve)), curve) - score
            assert found == pytest.approx(np.abs(gap).mean(), abs=1e-6)


def test_the_drawn_curve_is_sampled_as_it_says(page):
    """A sample of the page, measured by the library; the handles move by key and by pointer."""
    for n, a, n_bins in ((50, 1, 5), (400, 2, 15), (1000, 3, 30)):
        curve = WORLDS["overconfident"][1]
        scores, hits, width, mass = page.evaluate(
            "([n, a, m, c]) => { const r = generator(5), s = drawScores(n, a, r), "
            "h = drawHits(s, (v) => curveAt(c, v), r); return [[...s], h, "
            "ece(equalWidth(s, h, m), n), ece(equalMass(s, h, m), n)]; }",
            [n, a, n_bins, curve],
        )
        assert width == pytest.approx(calib.ece(hits, scores, n_bins=n_bins), abs=1e-9)
        by_mass = calib.calibration_error(hits, scores, bins=calib.equal_mass(n_bins))
        assert mass == pytest.approx(by_mass, abs=1e-9)
        assert np.mean(scores) == pytest.approx(a / (a + 1), abs=4 / np.sqrt(n) / 4)
        right = np.interp(scores, np.linspace(0, 1, 11), curve)
        assert np.mean(hits - right) == pytest.approx(0, abs=2 / np.sqrt(n))


def settled(page):
    page.wait_for_function("document.querySelector('draw-curve').dataset.samples === '400'")


def test_the_drawn_curve_moves_by_key_and_by_pointer(page):
    element = page.locator("draw-curve")
    settled(page)
    before = shown(element, "truth")
    assert shown(element, "width") > 0.5 * before
    element.get_by_role("button", name="calibrated", exact=True).click()
    settled(page)
    assert shown(element, "truth") == pytest.approx(0, abs=1e-12)
    assert shown(element, "mass") > 0.02  # chance
    handle = element.get_by_role("slider", name="at score 0.5")
    handle.focus()
    handle.press("PageDown")
    settled(page)
    assert handle.get_attribute("aria-valuenow") == "40"
    once = shown(element, "truth")
    assert once > 0
    element.locator("svg").first.scroll_into_view_if_needed()
    box = element.locator("svg").first.bounding_box()
    scale = box["width"] / 360
    left, bottom = box["x"] + 72 * scale, box["y"] + 220 * scale
    page.mouse.move(left + 0.2 * 276 * scale, bottom - 0.9 * 208 * scale)
    page.mouse.down()
    page.mouse.move(left + 0.4 * 276 * scale, bottom - 0.9 * 208 * scale, steps=8)
    page.mouse.up()
    values = [
        int(v) for v in page.evaluate("location.href").split("curve=")[1].split(";")[0].split("-")
    ]
    assert values[2:5] == [90, 90, 90] and values[5] == 40 and values[6] == 60
    settled(page)
    assert shown(element, "truth") > once


def test_one_vector_is_tempered_as_the_library_does(page, figures):
    element, known = page.locator("one-vector"), data(figures["one-vector"])
    for image in range(3):
        element.locator("select").select_option(str(image))
        for position, (t, nll) in enumerate(known["curve"]):
            move(element, position)
            p = calib.softmax(np.array([known["images"][image]["logits"]]) / t)[0]
            assert shown(element, "largest") == pytest.approx(p.max(), abs=1e-12)
            assert shown(element, "entropy") == pytest.approx(-(p * np.log(p)).sum(), abs=1e-9)
            assert shown(element, "nll") == nll
    element.get_by_role("button").click()
    assert shown(element, "temperature") == 2


def test_decisions_cost_what_they_cost(page, figures):
    element, known = page.locator("decision-costs"), data(figures["decision-costs"])
    event, frequency = np.array(known["event"]), np.mean(known["event"])
    for power, prior in ((0, 20), (1, 20), (1.5, 3), (2, 60)):
        move(element, power, 0)
        move(element, prior, 1)
        miss, prior = 10**power, prior / 100
        t = 1 / (1 + miss)
        assert shown(element, "threshold") == pytest.approx(t)
        weight = np.where(event, prior / frequency, (1 - prior) / (1 - frequency))
        for number, p in enumerate(known["scores"].values()):
            odds = np.array(p) / (1 - np.array(p))
            odds *= prior / (1 - prior) * (1 - frequency) / frequency

            def cost(flag):
                return np.mean(weight * np.where(event, miss * (1 - flag), flag))  # noqa: B023

            found = shown(element, f"cost{number}")
            assert found == pytest.approx(cost(odds / (1 + odds) >= t), rel=1e-9)
            everywhere = [cost(odds >= at) for at in [*np.unique(odds), np.inf]]
            assert shown(element, f"least{number}") == pytest.approx(min(everywhere), rel=1e-9)


def test_maps_of_the_triangle_are_those_of_the_library(page, figures):
    known = data(figures["map-simplex"])
    p = np.array([point["p"] for point in known["points"]])
    for found in MAPS.values():
        moved = page.evaluate(
            "([map, p]) => p.map(row => linearMap(map, row.map(Math.log)))", [found, p.tolist()]
        )
        w = np.array(found.get("W", np.eye(3) / found.get("T", 1)))
        expected = calib.softmax(np.log(p) @ w.T + found.get("b", 0))
        np.testing.assert_allclose(moved, expected, atol=1e-12)
    element = page.locator("map-simplex")
    assert element.locator("svg").first.locator("circle").count() == 36
    element.get_by_label("Show").select_option("points")
    assert element.locator("svg").first.locator("circle").count() == 30
    element.get_by_label("Map on the right").select_option("temperature scaling")
    assert shown(element, "left") == shown(element, "right")


def test_splines_are_those_of_the_library(page, figures):
    element, known = page.locator("spline-knots"), data(figures["spline-knots"])
    score = np.repeat(known["score"], known["total"])
    hit = np.concatenate(
        [np.arange(n) < h for n, h in zip(known["total"], known["hits"], strict=True)]
    ).astype(int)
    test_score, test_hit = (np.array(known["test"][name]) for name in ("scores", "hits"))
    for target in ("gap", "hits"):
        element.get_by_label("Fitted to", exact=True).select_option(target)
        for n_knots in (3, 6, 11, 20):
            move(element, n_knots)
            fit = calib.SplineCalibration(n_knots=n_knots, target=target).fit(score, hit)
            ks = calib.ks_error(test_hit, fit.predict(test_score))
            assert shown(element, "ks") == pytest.approx(ks, abs=1e-6), (target, n_knots)


def test_intervals_are_basic_bootstrap_intervals(page):
    rng = np.random.default_rng(8)
    for n in (2, 39, 200):
        resampled, value = rng.random(n), 0.4
        low, high = page.evaluate("([v, r]) => basicInterval(v, r)", [value, resampled.tolist()])
        q = np.quantile(resampled, [0.025, 0.975])
        assert (low, high) == pytest.approx((2 * value - q[1], 2 * value - q[0]))


def test_intervals_are_drawn_at_every_click_and_counted(page):
    element = page.locator("interval-coverage")
    assert shown(element, "draws") == 20
    element.get_by_role("button", name="Draw a new data set").click()
    assert shown(element, "draws") == 21
    for _ in range(4):
        element.get_by_role("button", name="Draw 20").click()
    assert shown(element, "draws") == 101
    curve = page.evaluate("([c, a]) => trueError(c, a)", WORLDS["overconfident"][::-1])
    assert shown(element, "truth") == pytest.approx(curve)
    rng = np.random.default_rng(4)
    a, points = WORLDS["overconfident"]
    held = []
    for _ in range(100):
        score = rng.random(500) ** (1 / a)
        hit = (rng.random(500) < np.interp(score, np.linspace(0, 1, 11), points)).astype(int)
        estimate = calib.bootstrap(calib.ece, hit, score, n_resamples=200, rng=rng)
        held.append(estimate.low <= curve <= estimate.high)
    assert shown(element, "coverage") == pytest.approx(np.mean(held), abs=0.12)
    element.get_by_label("The network is").select_option("calibrated")
    assert shown(element, "truth") == pytest.approx(0, abs=1e-12)


def test_wrong_photographs_are_marked_on_a_click(page):
    element = page.locator("sure-photographs")
    assert element.locator(".w-wrong").count() == 0
    sure = "99.9\N{NO-BREAK SPACE}%"
    assert element.locator("figcaption").first.inner_text() == f"a, {sure}"
    element.get_by_role("button").click()
    assert element.locator(".w-wrong figcaption").all_inner_texts() == [f"✗ b, {sure}; it is: c"]
    assert "1 of these 3 are wrong. Ah." in element.locator(".w-status").inner_text()


# Settings in the address.


def test_a_link_gives_the_settings_and_says_them(browser, address):
    page, wrong = opened(browser, address + "#bins-slider:M=42")
    element = page.locator("bins-slider")
    assert element.locator("input").input_value() == "42"
    assert element.locator(".w-status").inner_text().startswith("M = 42:")
    move(element, 7)
    assert page.evaluate("location.href") == address + "#bins-slider:M=7"
    assert element.get_by_role("link").get_attribute("href") == "#bins-slider:M=7"
    page.goto(address + "#spline-knots:knots=9;target=hits")
    page.wait_for_function("document.querySelector('spline-knots input').value === '9'")
    assert page.locator("spline-knots select").input_value() == "hits"
    assert wrong == []
    page.close()


@pytest.mark.parametrize("settings", ["M=many", "M=", "N=3", "", "M=3=4;;=", "constructor=1"])
def test_a_wrong_setting_is_left_out(browser, address, settings):
    page, wrong = opened(browser, f"{address}#bins-slider:{settings}")
    assert page.locator("bins-slider input").input_value() in {"15", "3"}
    page.goto(f"{address}#spline-knots:target=else;knots=99")
    page.wait_for_function("document.querySelector('spline-knots input').value === '20'")
    assert page.locator("spline-knots select").input_value() == "gap"
    assert wrong == []
    page.close()


def test_the_answers_of_a_quiz_can_be_sent(browser, address):
    page, wrong = opened(browser, address + "#bet-quiz:1=90;2=10;scored=yes")
    assert "took a side on 2 of 8" in page.locator("bet-quiz .w-status").inner_text()
    assert wrong == []
    page.close()


def test_a_reload_gives_no_answer_of_the_quiz_away(browser, address):
    page, _ = opened(browser, address)
    element = page.locator("bet-quiz")
    move(element.locator("fieldset").first, 90)
    page.reload()
    assert element.locator("input").first.input_value() == "90"
    assert element.locator(".w-status").inner_text().startswith("7 of 8 stand at 50 %")
    assert rows(element) == []
    element.get_by_role("button").click()
    page.reload()
    assert "took a side on 1 of 8" in element.locator(".w-status").inner_text()
    assert len(rows(element)) == 8
    page.close()


def swipe(page, box, right=0, down=0):
    """A finger put down three quarters along a slider, and drawn over the screen."""
    x, y = box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for step in range(11):
        point = {"x": x + right * step / 10, "y": y + down * step / 10}
        kind = "touchMove" if step else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_swipe_that_scrolls_the_page_moves_no_slider(browser, address):
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    page = context.new_page()
    page.goto(address)
    slider = page.locator("bet-quiz input").nth(3)
    slider.evaluate("node => node.scrollIntoView({block: 'center'})")
    before = page.evaluate("scrollY")
    swipe(page, slider.bounding_box(), down=-150)
    page.wait_for_function("before => scrollY > before + 50", arg=before)
    assert slider.input_value() == "50"
    assert page.locator("bet-quiz output").nth(3).inner_text() == "50 %"
    swipe(page, slider.bounding_box(), right=30)
    assert int(slider.input_value()) > 60
    check_touch_draws_by_handles(page)
    context.close()


def check_touch_draws_by_handles(page):
    """A finger on the plot scrolls, one on a handle draws; a far error is drawn where it is."""
    element = page.locator("draw-curve")
    plot, histogram = element.locator("svg").first, element.locator("svg").nth(1)
    handle = element.get_by_role("slider", name="at score 0.7")
    for node, draws in ((plot, False), (handle, True)):
        node.evaluate("node => node.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(100)
        place, curve = page.evaluate("scrollY"), element.evaluate("node => node.curve.join()")
        swipe(page, node.bounding_box(), down=-60)
        page.wait_for_timeout(100)
        assert (element.evaluate("node => node.curve.join()") != curve) == draws
        assert (page.evaluate("scrollY") == place) == draws
    element.evaluate("node => { node.bend(() => 0); node.update(); }")
    settled(page)
    line, box = histogram.locator(".w-second").bounding_box(), histogram.bounding_box()
    at = ((line["x"] + line["width"] / 2 - box["x"]) * 360 / box["width"] - 72) / 276
    assert 0.8 * at == pytest.approx(shown(element, "truth"), abs=0.01)


def test_a_figure_says_what_it_shows_where_scripts_do_not_run(browser, figures):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for name, figure in figures.items():
        page.set_content(figure.data)
        assert page.locator(f"{name} .w-fallback").inner_text().startswith("An interactive")
    context.close()
