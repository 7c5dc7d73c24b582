"""Links to the glossary, in a book of three pages."""

import re
from types import SimpleNamespace

import pytest
from three_pages import article

from book.build.glossary import after_glossary, pattern_of

LINK = re.compile(
    r'<a class="reference[^"]*" href="[^"]*#term-([^"]*)"[^>]*>(.*?)</a>', re.DOTALL
)

FIRST = [
    ("Scores", "score"),
    ("bins", "bin"),
    ("expected calibration error", "expected-calibration-error"),
    ("ECE", "ECE"),
    ("calibration error", "calibration-error"),
    ("confidence", "confidence"),
]

SECOND = [("score", "score"), ("bin", "bin")]  # the author's own


@pytest.mark.parametrize(
    ("page", "expected"),
    [("html/page", FIRST), ("html/set", SECOND)],
)
def test_the_first_use_of_a_term_in_prose_links_to_the_glossary(built, page, expected):
    links = LINK.findall(article(built / f"{page}.html"))
    shown = [
        (" ".join(re.sub("<[^>]*>", "", words).split()), term) for term, words in links
    ]
    assert shown == expected


def test_a_link_to_a_term_holds_the_first_sentence_of_its_definition(built):
    page = article(built / "html/page.html")
    said = dict(re.findall(r'#term-([^"]*)" data-term="([^"]*)"', page))
    assert said == {
        "score": "A number in [0, 1].",
        "bin": "A set of samples.",
        "expected-calibration-error": "Another number.",
        "ECE": "Another number.",
        "calibration-error": "A number.",
        "confidence": "The largest probability.",
    }


def test_the_longest_words_are_found_first_also_in_plural_or_with_a_capital():
    pattern = pattern_of(["bin", "bin width", "ECE"])
    text = "Bins, a bin width, the bin-wise, a cabin, ECE and ece"
    assert pattern.findall(text) == ["Bin", "bin width", "ECE"]


@pytest.mark.parametrize(
    ("page", "noted"), [("part/one", ["use/glossary.md"]), ("use/glossary", [])]
)
def test_a_page_is_read_again_when_the_glossary_changes(page, noted):
    depends = []
    env = SimpleNamespace(
        found_docs=["use/glossary", "part/two"],
        docname=page,
        doc2path=lambda name: f"{name}.md",
        note_dependency=depends.append,
    )
    after_glossary(SimpleNamespace(env=env), None)
    assert depends == noted
