"""What the search page looks through."""

from docutils import nodes
from docutils.core import publish_doctree

from book.build.search import sections_of


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
    term = next(page.findall(nodes.term))
    term["ids"] = ["term-it"]
    assert sections_of(page) == [
        ["title", "Title", "Words of it."],
        ["half", "Half", "Quoted."],
        ["term-it", "term", "What it is. n…"],
    ]
