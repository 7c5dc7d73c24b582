"""What is changed in the tree of every page."""

import re

import pytest
from docutils import nodes
from docutils.utils import new_document
from three_pages import article

from book.build import page_trees
from book.build.page_trees import FIXED, FixedSpaces, TextAlternatives, UniqueIds


def test_percentages_and_long_numbers_stay_on_one_line_but_not_in_code(built):
    text = re.sub("<[^>]+>", "", article(built / "html/page.html"))
    text = text.replace("\N{NO-BREAK SPACE}", "~")
    for shown in (
        "A 95~% confidence",
        "12.3~%, of 7.1~% in 50~000 images",
        "8~%",
        "3 1234",
    ):
        assert shown in text
    for shown in ("5 % of 10 000, ", r"\(5 \%\)", "100%-wool", "in 2017~100 networks"):
        assert shown in text


def page(*content):
    document = new_document("page")
    document += list(content)
    return document


def test_ids_that_every_exercise_has_go_and_others_stay():
    document = page(nodes.section("", ids=["exercise-content", "own", "proof-content"]))
    UniqueIds(document).run()
    assert document[0]["ids"] == ["own"]


@pytest.mark.parametrize(
    ("alt", "line", "n_said"), [("A line.", 3, 0), ("", 3, 1), ("", None, 1)]
)
def test_an_image_without_words_is_complained_of_where_it_stands(
    monkeypatch, alt, line, n_said
):
    said = []
    monkeypatch.setattr(
        page_trees.LOGGER,
        "warning",
        lambda text, *, location, type: said.append(location),
    )
    image = nodes.image(alt=alt)
    image.line = line
    paragraph = nodes.paragraph("", "", image)
    TextAlternatives(page(paragraph)).run()
    assert said == [image if line else paragraph] * n_said


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("12 % of 50 000 and 7% x", "12~% of 50~000 and 7~% x"),
        (" % behind a number in bold", "~% behind a number in bold"),
        ("1 234 567", "1~234~567"),
        ("3 1234, a %, 5 %-wool", "3 1234, a %, 5 %-wool"),
    ],
)
def test_numbers_keep_their_groups_and_signs_on_one_line(text, fixed):
    code = nodes.literal("", text)
    document = page(nodes.paragraph("", "", nodes.Text(text), code))
    FixedSpaces(document).run()
    shown, as_written = document[0].children
    assert shown.astext() == fixed.replace("~", FIXED) and as_written.astext() == text
