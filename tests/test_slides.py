"""Lectures: what they hold, and that all of it comes from the chapters."""

import re

import pytest
from helpers import ROOT, skip_unless

from book import slides
from book.executor import executed_path
from book.project import BookError, Project

PROJECT = Project(ROOT)
DECKS = sorted((ROOT / "slides").glob("*.md"))
SLIDE = re.compile(r"^##? .*?(?=^##? |\Z)", re.MULTILINE | re.DOTALL)


def test_there_are_eight_lectures():
    assert [deck.stem for deck in DECKS] == [name for name, *_ in slides.lectures()]
    assert len(DECKS) == 8


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.stem)
def test_a_lecture_has_25_to_40_slides_each_with_one_idea_and_notes(deck):
    shown = SLIDE.findall(deck.read_text("utf-8"))
    assert 25 <= len(shown) <= 40
    for one in shown:
        heading, *rest = one.strip().splitlines()
        assert sum(line.startswith("% ") for line in rest) == 1, heading
        assert one.count("{shown}") <= 1, heading
        words = [w for line in rest if not line.startswith(("%", ":::", "|")) for w in line.split()]
        assert 1 <= len(words) + one.count("{shown}") + one.count("|") <= 60, heading


def test_figures_and_numbers_are_those_of_the_chapters():
    executed = [executed_path(PROJECT, c) for c in PROJECT.listed() if c.is_notebook]
    skip_unless(all(path.is_file() for path in executed), "the chapters are not executed")
    figures, numbers = slides.figures_and_numbers(PROJECT)
    for deck in DECKS:
        text = deck.read_text("utf-8")
        assert set(re.findall(r"\{shown\} (\S+)", text)) <= set(figures)
        assert set(slides.NUMBER.findall(text)) <= set(numbers)
    assert all(alt.strip() for _, alt in figures.values())


def test_numbers_in_notes_are_filled_in():
    text = "## A {{ n }}\n\n% Note {{ n }}\n"
    assert slides.with_numbers_in_notes(text, {"n": "5"}) == "## A {{ n }}\n\n% Note 5\n"
    with pytest.raises(BookError, match="no number m"):
        slides.with_numbers_in_notes("% {{ m }}\n", {"n": "5"})


def test_what_was_built_asks_for_nothing_from_elsewhere():
    folder = slides.folder(PROJECT)
    if not folder.is_dir():
        pytest.skip("the lectures are not built: make slides")
    for deck in DECKS:
        page = (folder / f"{deck.stem}.html").read_text("utf-8")
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
        assert page.count('<aside class="notes">') == len(SLIDE.findall(deck.read_text("utf-8")))
