"""Lectures: what they hold, and that all of it comes from the chapters."""

import re

import pytest
from helpers import ROOT, chromium, skip_unless

from book.build import room, slides
from book.build.project import BookError, Project

PROJECT = Project(ROOT)
DECKS = sorted(slides.LECTURES.glob("*.md"))
SLIDE = re.compile(r"^##? .*?(?=^##? |\Z)", re.MULTILINE | re.DOTALL)


def test_there_are_eight_lectures():
    assert [deck.stem for deck in DECKS] == [name for name, *_ in slides.lectures()]
    assert len(DECKS) == 8


def test_a_lecture_has_25_to_40_slides_each_with_one_idea_and_notes():
    for deck in DECKS:
        slides_of = SLIDE.findall(deck.read_text("utf-8"))
        assert 25 <= len(slides_of) <= 40
        for one in slides_of:
            heading, *rest = one.strip().splitlines()
            assert sum(line.startswith("% ") for line in rest) == 1, heading
            assert one.count("{shown}") <= 1, heading
            shown = [line for line in rest if not line.startswith(("%", ":", "|"))]
            things = len(" ".join(shown).split()) + one.count("{shown}") + one.count("|")
            assert 1 <= things <= 60, heading


def test_figures_and_numbers_are_those_of_the_chapters():
    executed = [PROJECT.executed(c) for c in PROJECT.listed() if c.is_notebook]
    skip_unless(all(path.is_file() for path in executed), "the chapters are not executed")
    texts, numbers = slides.texts_and_numbers(PROJECT)
    assert set(slides.shown()) <= set(texts) and all(text.strip() for text in texts.values())
    for deck in DECKS:
        assert slides.with_numbers_in_notes(deck.read_text("utf-8"), numbers)
    counted = sum(deck.read_text("utf-8").count("{shown}") for deck in DECKS)
    assert len(slides.shown()) == counted
    assert slides.shown()["fig-reliability-classwise"] == [3, 5, 8]


def test_a_figure_for_the_room_is_wide_and_its_letters_large():
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    figure = Figure(figsize=(3, 9), layout="constrained")
    for i, ax in enumerate(figure.subplots(3, 1, sharey=True)):
        ax.plot([0, 1], [0, 1], label="truth")
        ax.set(ylabel="accuracy", aspect="equal", title=f"panel {i}")
        ax.legend(fontsize=6)
    room.enlarge(figure, [0, 2])
    assert tuple(figure.get_size_inches()) == room.INCHES
    assert [ax.get_title() for ax in figure.axes] == ["panel 0", "panel 2"]
    left, right = (ax.get_subplotspec().colspan.start for ax in figure.axes)
    assert (left, right) == (0, 1)
    assert [ax.get_legend() for ax in figure.axes] == [None, None]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["truth"]
    assert {text.get_fontsize() for text in figure.findobj(Text)} == {room.LETTERS}


def test_a_slide_that_the_last_row_cannot_read_is_named():
    slide = '<div class="pdf-page" style="height: 720px"><h2>A</h2><p style="{}">text</p></div>'
    style = "body, h2 {font: 40px serif; margin: 0} p {color: black}"
    clear, faint = "font-size: 36px", "font-size: 20px; color: #999; margin-left: -9px"
    with chromium() as browser:
        page = browser.new_page(viewport=slides.SIZE)
        page.set_content(f"<style>{style}</style>{slide.format(clear)}{slide.format(faint)}")
        found = page.evaluate(slides.UNREADABLE, 50)
    assert [one.partition(": ")[0] for one in found] == ["slide 2, A"] * 3
    for said, problem in zip(
        found, ("letters of 20 px", "a contrast of 2.8", "9 px over"), strict=True
    ):
        assert problem in said


def test_numbers_in_notes_are_filled_in():
    text = "## A {{ n }}\n\n% Note {{ n }}\n"
    assert slides.with_numbers_in_notes(text, {"n": "5"}) == "## A {{ n }}\n\n% Note 5\n"
    with pytest.raises(BookError, match="no number m"):
        slides.with_numbers_in_notes("% {{ m }}\n", {"n": "5"})
