"""The first use of a term on a page links to the glossary, and nothing else does."""

import re
from html.parser import HTMLParser

import pytest

from book.build.site import run_sphinx

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
A 95 % confidence interval.

| bin | score |
|---|---|
| bin | score |

Scores fall in *bins*; the bin of a score. The expected
calibration error, or ECE, is a calibration error. Its confidence is a confidence.
"""
SET = "# Page\n\nWritten {term}`score`, score and a bin. Then {term}`bin`.\n"


class Links(HTMLParser):
    """The words that link to the glossary, with where they lead."""

    def __init__(self, text):
        super().__init__()
        self.found, self.target = [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            attributes = dict(attributes)
            linked = "reference" in attributes.get("class", "")
            target = attributes.get("href", "")
            self.target = target if linked and "#term-" in target else None

    def handle_data(self, text):
        if self.target:
            words = " ".join(text.split())
            self.found.append((words, re.sub(".*#term-", "", self.target)))

    def handle_endtag(self, tag):
        self.target = None if tag == "a" else self.target


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    source = tmp_path_factory.mktemp("glossary")
    for name, text in {"page": PAGE, "set": SET, "glossary": GLOSSARY}.items():
        (source / f"{name}.md").write_text(text)
    (source / "_toc.yml").write_text(
        "{format: jb-book, root: page, chapters: [{file: set}, {file: glossary}]}"
    )
    (source / "_config.yml").write_text(
        "{title: T, execute: {execute_notebooks: 'off'}, parse: {myst_enable_extensions: "
        "[dollarmath]}, sphinx: {extra_extensions: [book.build.glossary]}}"
    )
    for builder in ("html", "singlehtml"):
        run_sphinx(source, source / "work", builder, strict=True)
    return source / "work"


FIRST = [
    ("Scores", "score"),
    ("bins", "bin"),
    ("expected calibration error", "expected-calibration-error"),
    ("calibration error", "calibration-error"),
    ("confidence", "confidence"),
]
SECOND = [("score", "score"), ("bin", "bin"), ("bin", "bin")]


def test_first_uses_in_prose_are_linked(built):
    assert Links((built / "html" / "page.html").read_text()).found == FIRST


def test_a_link_that_is_set_counts_as_a_use(built):
    """The second link to "bin" is the author's own."""
    assert Links((built / "html" / "set.html").read_text()).found == SECOND


def test_each_chapter_of_the_single_page_has_its_first_uses(built):
    assert Links((built / "singlehtml" / "page.html").read_text()).found == FIRST + SECOND
