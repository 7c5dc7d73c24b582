"""The explorer of language models measures in the browser what `calib` measures."""

import numpy as np
import pytest
from explorables import opened
from helpers import ROOT, chromium
from test_widgets import rows, shown

import calib
from book.evidence.language import load_answers
from book.evidence.sources.answers import Answers
from book.show.widgets import language_explorer
from data.results.language import auroc

TOLERANCE = 2e-4  # means within a bin are kept to a 10 200th


@pytest.fixture(scope="module")
def answers():
    """Three models: the second states round numbers and leaves questions open; one lacks a kind."""
    rng = np.random.default_rng(2)
    n = 900
    group = np.repeat(["law", "math", "physics"], n // 3)
    score = np.stack([rng.beta(5, 2, n), rng.choice([0, 0.55, 0.9, 1.0], n), rng.random(n)])
    outcome = (rng.random((3, n)) < 0.2 + 0.6 * score).astype(np.uint8)
    outcome[1, :90] = 2
    token = score**2
    token[2] = np.nan
    kinds = {"token": token, "verbal": score}
    return Answers("made up", "questions", ["a", "b", "c"], outcome, kinds, group)


@pytest.fixture(scope="module")
def address(answers, tmp_path_factory):
    file = tmp_path_factory.mktemp("explorer") / "page.html"
    folder = ROOT / "book" / "assets" / "widgets"
    scripts = "".join(
        f'<script src="{(folder / name).as_uri()}.js"></script>'
        for name in ("base", "definitions", "diagram", "language-explorer")
    )
    body = language_explorer(answers, first="b").data
    file.write_text(f'<meta charset="utf-8">{body}{scripts}', "utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def page(browser, address):
    page, wrong = opened(browser, address)
    yield page
    assert wrong == []


def check(element, score, hit, asked=900):
    assert shown(element, "n") == len(hit)
    assert shown(element, "accuracy") == pytest.approx(hit.mean())
    assert shown(element, "confidence") == pytest.approx(score.mean(), abs=TOLERANCE)
    estimate = calib.bootstrap(
        calib.ece,
        hit,
        score,
        method="basic",
        n_bins=20,
        rng=np.random.default_rng(0),
        n_resamples=400,
    )
    assert shown(element, "ece") == pytest.approx(estimate.value, abs=TOLERANCE)
    width = estimate.high - estimate.low
    for end in ("low", "high"):
        assert shown(element, end) == pytest.approx(getattr(estimate, end), abs=0.3 * width)
    chance = calib.error_if_calibrated(score, bins=calib.equal_width(20))
    assert shown(element, "chance") == pytest.approx(chance, rel=0.05, abs=TOLERANCE)
    assert shown(element, "auroc") == pytest.approx(auroc(hit, score)[0], abs=1e-5)
    half = calib.risk_coverage(hit, score).risk_at(0.5)
    assert shown(element, "half") == pytest.approx(half, abs=1e-5)
    bins = calib.equal_width(20)(score, hit)
    assert [int(row[1]) for row in rows(element)] == bins.count[bins.count > 0].tolist()
    said = element.locator(".w-status").inner_text()
    assert f"{len(hit)} answers" in said
    assert (
        f"{100 * (1 - len(hit) / asked):.1f}\N{NO-BREAK SPACE}% of {asked} questions are without"
        in said
    )


def test_it_measures_every_choice_as_the_library_does(page, answers):
    element = page.locator("language-explorer")
    model, kind, subject = (element.locator("select").nth(i) for i in range(3))
    check(element, *answers.pairs("b", "verbal"))
    for name, how, where in (
        ("a", "token", None),
        ("b", "verbal", "math"),
        ("b", "token", "law"),
        ("c", "verbal", "physics"),
    ):
        model.select_option(label=name)
        kind.select_option(label=how)
        subject.select_option(label=where or "all subjects")
        check(element, *answers.pairs(name, how, group=where), 900 if where is None else 300)


def test_what_is_not_given_is_said(page):
    element = page.locator("language-explorer")
    for i, label in enumerate(("c", "token", "all subjects")):
        element.locator("select").nth(i).select_option(label=label)
    assert "not given for these questions" in element.locator(".w-status").inner_text()
    assert rows(element) == []


def test_keys_choose_and_the_address_keeps_the_setting(browser, address, answers):
    page, wrong = opened(browser, address)
    element = page.locator("language-explorer")
    element.locator("select").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    element.locator("select").nth(1).select_option(label="verbal")
    element.locator("select").nth(2).select_option(label="physics")
    assert page.url.endswith("#language-explorer:model=2;confidence=1;subject=2")
    again, wrong_again = opened(browser, page.url)
    check(again.locator("language-explorer"), *answers.pairs("c", "verbal", group="physics"), 300)
    again.goto(f"{address}#language-explorer:model=99;confidence=verbal")
    assert wrong == wrong_again == []


def test_all_that_is_kept_fits_a_page():
    html = language_explorer(load_answers("tao-mmlu-pro"), first="gpt-4o-2024-08-06").data
    assert len(html) < 600_000
