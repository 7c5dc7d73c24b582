"""Slides hold what the chapters hold, and ask for nothing from elsewhere."""

import base64
import re

import nbformat
from helpers import ROOT

from book.slides import PAGE, Words, _opening, chapter_slides

PIXEL = base64.b64encode(b"not really a picture").decode()
WORDS = Words({"ece": "ECE and MCE"}, {"guo2017": "Guo et al. (2017)"}, {"x-value": "0.105"})


def chapter():
    notebook = nbformat.v4.new_notebook()
    figure = nbformat.v4.new_code_cell(
        "plot()",
        metadata={
            "mystnb": {"figure": {"caption": "ECE of *two* < three."}, "image": {"alt": "A"}}
        },
        outputs=[nbformat.v4.new_output("display_data", {"image/png": PIXEL})],
    )
    notebook.cells = [
        nbformat.v4.new_markdown_cell(
            "# Title\n```{admonition} In this chapter\n**You will be able to** see {ref}`ece`, "
            "{cite:t}`guo2017`, {glue:text}`x-value` and $a < b$.\n\n**You need** nothing.\n```\n"
            "## First\nText is {glue:text}`x-value`. Then:\n\n```{math}\n:label: eq\nE = mc^2\n```"
        ),
        nbformat.v4.new_markdown_cell("## Second"),
        figure,
        nbformat.v4.new_markdown_cell("## Exercises\n```{solution-start} a\n```\nsecret"),
        nbformat.v4.new_markdown_cell("```{solution-end}\n```"),
    ]
    return notebook


def test_a_slide_a_section_with_its_equation_or_figure(tmp_path):
    title, first, second = chapter_slides(chapter(), WORDS, tmp_path, "chapter")
    assert "You will be able to see ECE and MCE, Guo et al. (2017), 0.105 and" in title
    assert r"\(a &lt; b\)" in title
    assert "<p>Text is 0.105. Then</p>" in first
    assert r"\[E = mc^2\]" in first
    image = re.search(r'src="(.+?)" alt="A"', second)[1]
    assert (tmp_path / image).read_bytes() == b"not really a picture"
    assert "ECE of <em>two</em> &lt; three." in second


def test_a_slide_opens_with_whole_sentences_of_prose_or_none():
    short, long = "Short one. ", "A long one" + " on and on" * 30 + ". "
    assert _opening(f"\n{short}{long}{short}\n\nMore.") == "Short one."
    assert _opening(long) == ""
    assert [_opening(text) for text in ("```{note}\na", "- a", "$$a$$", "| a |")] == [""] * 4


def test_solutions_and_exercises_stay_out(tmp_path):
    assert "secret" not in "".join(chapter_slides(chapter(), WORDS, tmp_path, "chapter"))


def test_nothing_is_fetched():
    assert "http" not in PAGE
    for name in ("reveal.css", "white.css"):
        text = (ROOT / "book" / "reveal" / name).read_text(encoding="utf-8")
        assert not re.search(r"@import|url\(\s*['\"]?http", text)
