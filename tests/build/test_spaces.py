"""Percentages and long numbers are set alike, and never broken at the end of a line."""

import re

import pytest

from book.build.site import run_sphinx
from book.build.spaces import fixed_spaces

PAGE = """# About 5 % of 10 000

A share of 12.3%, of 4 % and of **7.1** % in 50 000 images, `5 % of 10 000`, $5 \\%$, 100%-wool,
20 Newsgroups.

| share |
|---|
| 8% |
"""


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("5 % and 5%", "5~% and 5~%"),
        (" % of", "~% of"),
        ("10 000 and 1 234 567", "10~000 and 1~234~567"),
        ("in 2017 100 networks", "in 2017~100 networks"),
        ("100%s, a % sign, 20 Newsgroups", "100%s, a % sign, 20 Newsgroups"),
        ("3 1234", "3 1234"),
    ],
)
def test_which_spaces_are_fixed(written, shown):
    assert fixed_spaces(written) == shown.replace("~", "\N{NO-BREAK SPACE}")


def test_a_page_keeps_its_code_and_formulas(tmp_path):
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "_toc.yml").write_text("{format: jb-book, root: page}")
    (tmp_path / "_config.yml").write_text(
        "{title: T, execute: {execute_notebooks: 'off'}, parse: {myst_enable_extensions: "
        "[dollarmath]}, sphinx: {extra_extensions: [book.build.spaces]}}"
    )
    run_sphinx(tmp_path, tmp_path / "work", "html", strict=True)
    page = (tmp_path / "work" / "html" / "page.html").read_text()
    article = re.search(r"<article.*?</article>", page, re.DOTALL)[0]
    text = re.sub(r"<[^>]+>", "", article).replace("\N{NO-BREAK SPACE}", "~")
    for shown in ("About 5~% of 10~000", "12.3~%, of 4~% and of 7.1~% in 50~000", "8~%"):
        assert shown in text
    for shown in ("5 % of 10 000, ", r"\(5 \%\)", "100%-wool", "20 Newsgroups"):
        assert shown in text
