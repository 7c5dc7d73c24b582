"""Links to the glossary, in a book of three pages; what else Sphinx makes of its texts."""

import re

import pytest
from small_book import small_book

GLOSSARY = """# Glossary

```{glossary}
bin
  A set of samples.

calibration error
  A number.

ECE
expected calibration error
  Another number.

score
  A number in [0, 1].

confidence
  The largest probability.
```
"""
PAGE = """# A bin in a heading

```{admonition} In this chapter
The score of a box.
```

A cabin, a bin-wise sum, `bin`, $bin$, [a bin](https://example.org), an ece and a scorecard.
A 95 % confidence interval of 12.3%, of **7.1** % in 50 000 images, `5 % of 10 000`, $5 \\%$,
100%-wool, in 2017 100 networks, 3 1234.

| bin | score |
|---|---|
| bin | 8% |

Scores fall in *bins*; the bin of a score.
The expected calibration error, or ECE, is a calibration error. Its confidence is a confidence.
"""
SET = "# Page\n\nWritten {term}`score`, score and a bin. Then {term}`bin`.\n"
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


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    source = tmp_path_factory.mktemp("glossary")
    for name, text in {"page": PAGE, "set": SET, "glossary": GLOSSARY}.items():
        (source / f"{name}.md").write_text(text)
    return small_book(source, ["page", "set", "glossary"])


def article(path):
    return re.search(r"<article.*</article>", path.read_text(), re.DOTALL)[0]


def test_an_address_that_is_not_there_leads_to_the_search(built):
    page = (built / "html/404.html").read_text()
    assert 'action="./search.html"' in page and 'href="./index.html"' in page


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
