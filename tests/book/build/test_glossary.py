"""Links to the glossary, in a book of three pages."""

import re

import pytest
from three_pages import article

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
