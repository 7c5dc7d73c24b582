"""Lectures: what they hold, and that all of it comes from the chapters."""

import re

import pytest
from helpers import ROOT, skip_unless

from book.build import plans, slides
from book.build.project import BookError, Project

PROJECT = Project(ROOT)


DECKS = sorted(slides.LECTURES.glob("*.md"))


SLIDE = re.compile(r"^##? .*?(?=^##? |\Z)", re.MULTILINE | re.DOTALL)


def test_a_lecture_fills_90_minutes_and_a_slide_has_one_idea_and_notes():
    """Half of its slides show something, one of the first three does, and a pause is marked."""
    assert len(DECKS) == 8
    for deck in DECKS:
        slides_of = SLIDE.findall(deck.read_text("utf-8"))
        shows = ["{shown}" in slide for slide in slides_of]
        assert sum(shows) >= len(slides_of) / 2 and any(shows[:3]), deck.stem
        assert len(slides_of) * plans.SLIDE <= 90 and 15 <= len(slides_of) <= 30
        assert sum(slide.startswith("## Pause") for slide in slides_of) == 1
        for slide in slides_of:
            heading, *lines = slide.strip().splitlines()
            assert sum(line.startswith("% ") for line in lines) == 1, heading
            assert slide.count("{shown}") <= 1, heading
            shown = [line for line in lines if not line.startswith(("%", ":", "|"))]
            size = (
                len(" ".join(shown).split()) + slide.count("{shown}") + slide.count("|")
            )
            assert 1 <= size <= 60, heading


def test_figures_and_numbers_are_those_of_the_chapters():
    executed = [PROJECT.executed(c) for c in PROJECT.listed() if c.is_notebook]
    skip_unless(
        all(path.is_file() for path in executed), "the chapters are not executed"
    )
    outputs = slides.of_chapters(PROJECT)
    texts = outputs.texts
    explorables = {
        name for name, text in texts.items() if slides.EXPLORABLE.match(text)
    }
    assert set(texts) == {*outputs.pictures, *explorables}
    assert all(text.strip() for text in texts.values())
    scripts = {
        path.stem for path in (ROOT / "book" / "assets" / "widgets").glob("*.js")
    }
    # each can stand on a slide
    assert len(explorables) >= 15 and explorables <= scripts
    for deck in DECKS:
        text = deck.read_text("utf-8")
        shown = re.findall(r"\{shown\} (\S+)", text)
        filled = slides.with_numbers(text, outputs.numbers)
        assert slides.NUMBER.search(filled) is None
        assert set(shown) <= set(texts)
        with pytest.raises(BookError, match="no number"):
            slides.with_numbers(text + "{{ absent }}", outputs.numbers)
