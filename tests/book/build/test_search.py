"""What the search page looks through."""

import json
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from book.build.search import keep_sections, sections_of, write_search_index


def test_a_section_is_searched_by_its_words_and_formulas_and_not_by_its_code():
    text = """
Title
=====

Words of *it*.

Half
----

    Quoted.

::

  code()

term
  What it is.
"""
    page = publish_doctree(text, settings_overrides={"doctitle_xform": False})
    formula = nodes.paragraph("", "", nodes.math("", "n"), nodes.math("", r"\sum"))
    page.append(formula)
    for unread in ("exercise-line", "sd-summary-title"):
        page.append(nodes.paragraph("", "Not searched.", classes=[unread]))
    term = next(page.findall(nodes.term))
    term["ids"] = ["term-it"]
    assert sections_of(page) == [
        ["title", "Title", "Words of it."],
        ["half", "Half", "Quoted."],
        ["term-it", "term", "What it is. n…"],
    ]


@pytest.mark.parametrize("builder", ["html", "singlehtml"])
def test_sections_are_kept_beside_the_pages_for_builds_that_do_not_write_them(
    tmp_path, builder
):
    app = SimpleNamespace(
        outdir=tmp_path / "raw",
        builder=SimpleNamespace(name=builder),
        env=SimpleNamespace(found_docs={"part/one"}),
    )
    page = publish_doctree(
        "Title\n=====\n\nWords.\n", settings_overrides={"doctitle_xform": False}
    )
    keep_sections(app, page, "part/one")
    assert (tmp_path / "sections").exists() == (builder == "html")
    if builder == "html":
        write_search_index(app, tmp_path)
        content = (
            (tmp_path / "sections.js").read_text().removeprefix("const SECTIONS = ")
        )
        sections = {"part/one.html": [["title", "Title", "Words."]]}
        assert json.loads(content.removesuffix(";")) == sections
