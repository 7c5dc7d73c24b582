"""Of each page the same in Markdown: words, formulas, tables, code; addresses that lead there."""

import re

import nbformat
import pytest
from helpers import SITE, site_pages
from small_book import small_book

from book.build.twins import table_of

CELL = nbformat.v4.new_code_cell(
    "print('twice', 2 * 21)\ntable", metadata={"tags": []}, execution_count=1
)
TABLE = (
    "<table><thead><tr><th></th><th>n</th></tr><tr><th>bin</th><th></th></tr></thead>"
    "<tbody><tr><th>1</th><td>a|b</td></tr></tbody></table>"
)
CELL.outputs = [
    nbformat.v4.new_output("stream", text="twice 42\n"),
    nbformat.v4.new_output("execute_result", {"text/html": TABLE, "text/plain": "…"}),
]
TEXT = "# First\n\nThe score $p$ of [another page](second.md), 5 %.\n\n$$ p = 1 $$\n"


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    source = tmp_path_factory.mktemp("twins")
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(TEXT), CELL])
    page.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    page.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    nbformat.write(page, source / "first.ipynb")
    (source / "second.md").write_text("# Second\n\nIts words.\n")
    return small_book(source, ["first", "second"]) / "html"


def test_a_twin_has_the_words_the_formulas_the_code_and_what_it_printed(twin):
    text = (twin / "first.md").read_text("utf-8")
    assert text.startswith("# First\n\nThe score $p$ of [another page](second.html), 5")
    assert "$$\np = 1\n$$" in text
    assert "print('twice', 2 * 21)\ntable\n```" in text and "```\ntwice 42\n```" in text
    assert "| bin | n |\n| --- | --- |\n| 1 | a\\|b |" in text


def test_the_whole_book_is_one_text_in_its_order(twin):
    text = (twin / "llms-full.txt").read_text("utf-8")
    assert text.index("<!-- first.html -->\n\n# First") < text.index(
        "<!-- second.html -->"
    )
    assert 'type="text/markdown" href="first.md"' in (twin / "first.html").read_text(
        "utf-8"
    )


def test_a_cell_over_two_columns_keeps_the_others_in_their_place():
    from bs4 import BeautifulSoup

    rows = '<tr><th colspan="2">both</th><th>c</th></tr><tr><td>1</td><td>2</td><td>3</td></tr>'
    table = BeautifulSoup(f"<table>{rows}</table>", "html.parser").table
    lines = ["| both |  | c |", "| --- | --- | --- |", "| 1 | 2 | 3 |"]
    assert table_of(table).splitlines() == lines


def test_a_cell_beside_several_rows_is_repeated_in_each():
    from bs4 import BeautifulSoup

    rows = (
        '<tr><th rowspan="2">1</th><th>hard</th><td>.64</td></tr>'
        "<tr><th>clear</th><td>.94</td></tr><tr><th>2</th><th>hard</th><td>.7</td></tr>"
    )
    table = BeautifulSoup(f"<table>{rows}</table>", "html.parser").table
    shown = table_of(table).splitlines()
    assert shown[2:] == ["| 1 | clear | .94 |", "| 2 | hard | .7 |"]


def test_each_page_has_its_twin_and_their_pictures_are_there():
    lost = []
    for name in set(site_pages()) - {"genindex.html", "search.html"}:
        twin = (SITE / name).with_suffix(".md")
        text = twin.read_text("utf-8")
        assert text.startswith("# "), name
        for address in re.findall(r"!\[[^\]]*\]\(([^)]*)\)", text):
            if "://" not in address and not (twin.parent / address).is_file():
                lost.append((name, address))
        assert "{glue" not in text and "@@cell" not in text, name
    assert not lost
