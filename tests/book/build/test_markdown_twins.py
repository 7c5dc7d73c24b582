"""Of each page the same in Markdown: words, formulas, tables, code; addresses that lead there."""

import re
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup
from helpers import SITE, site_pages
from small_book import small_book

from book.build.markdown_twins import (
    FIRST_ROWS,
    MOST_ROWS,
    in_order,
    overview,
    table_of,
    write_whole_book,
)

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

FOLDED = nbformat.v4.new_code_cell(
    "print(1)", metadata={"tags": ["hide-input"]}, execution_count=2
)

FOLD = "\n```{dropdown} Answer\nSo.\n```\n"

RAISES = """
```{eval-rst}
.. py:function:: f()

   :raises ValueError, TypeError: Where it is wrong.
```
"""

TEXT = "# First\n\nChecked:\\\nWhy: so.\n\n"
TEXT += "The score $p$ of [another page](second.md), 5 %.\n\n$$ p = 1 $$\n"
TEXT += "\nAt least 10<sup>−38</sup>.\n"
TEXT += "\n| it says | then |\n|---|---|\n| leave it | look *again*<br>soon |\n| 9.10 | 10 |\n"
TEXT += FOLD + RAISES


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    source = tmp_path_factory.mktemp("twins")
    page = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell(TEXT), CELL, FOLDED]
    )
    page.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    page.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    nbformat.write(page, source / "first.ipynb")
    (source / "second.md").write_text("# Second\n\nIts words.\n")
    return small_book(source, ["first", "second"]) / "html"


def test_a_twin_has_the_words_the_formulas_the_code_and_what_it_printed(twin):
    text = (twin / "first.md").read_text("utf-8")
    assert text.startswith("# First\n\nChecked:\\\nWhy: so.\n\nThe score")
    assert "The score $p$ of [another page](second.html), 5" in text
    assert "$$\np = 1\n$$" in text and "At least 10<sup>−38</sup>." in text
    assert "| leave it | look *again*<br>soon |\n| 9.10 | 10 |" in text
    assert "print('twice', 2 * 21)\ntable\n```" in text and "```\ntwice 42\n```" in text
    assert "<summary>Answer</summary>" in text and "<svg" not in text
    assert "**ValueError**, **TypeError** – Where it is wrong." in text
    assert "| bin | n |\n| --- | --- |\n| 1 | a\\|b |" in text


def test_what_a_page_folds_a_twin_folds(twin):
    text = (twin / "first.md").read_text("utf-8")
    folded = (
        "<details>\n<summary>Show code cell source</summary>\n\n```python\nprint(1)"
    )
    assert folded in text and text.count("</details>") == 2  # and the answer


def test_the_whole_book_is_one_text_in_its_order(twin):
    text = (twin / "llms-full.txt").read_text("utf-8")
    assert text.index("<!-- first.html -->\n\n# First") < text.index(
        "<!-- second.html -->"
    )
    assert 'type="text/markdown" href="first.md"' in (twin / "first.html").read_text(
        "utf-8"
    )


def test_a_cell_over_two_columns_keeps_the_others_in_their_place():
    rows = '<tr><th colspan="2">both</th><th>c</th></tr><tr><td>1</td><td>2</td><td>3</td></tr>'
    table = BeautifulSoup(f"<table>{rows}</table>", "html.parser").table
    lines = ["| both |  | c |", "| --- | --- | --- |", "| 1 | 2 | 3 |"]
    assert table_of(table).splitlines() == lines


def test_a_cell_beside_several_rows_is_repeated_in_each():
    rows = (
        '<tr><th rowspan="2">1</th><th>hard</th><td>.64</td></tr>'
        "<tr><th>clear</th><td>.94</td></tr><tr><th>2</th><th>hard</th><td>.7</td></tr>"
    )
    table = BeautifulSoup(f"<table>{rows}</table>", "html.parser").table
    shown = table_of(table).splitlines()
    assert shown[2:] == ["| 1 | clear | .94 |", "| 2 | hard | .7 |"]


def test_a_table_has_its_caption_and_of_a_fold_the_summary():
    cell = (
        "<td>true<details><summary>cases</summary><p>of 7 networks</p></details></td>"
    )
    html = f"<table><caption>Of <b>Guo</b></caption><tr><th>a</th></tr><tr>{cell}</tr></table>"
    table = BeautifulSoup(html, "html.parser").table
    lines = ["| a |", "| --- |", "| true cases |", "", "*Of Guo*"]
    assert table_of(table).splitlines() == lines


def test_a_long_table_is_cut_and_says_where_the_rest_is():
    rows = "".join(f"<tr><td>{i}</td></tr>" for i in range(MOST_ROWS + 1))
    table = BeautifulSoup(f"<table><tr><th>i</th></tr>{rows}</table>", "html.parser")
    lines = table_of(table.table, "replicate/map").splitlines()
    n_left = MOST_ROWS + 1 - FIRST_ROWS
    assert lines[-3:] == [
        f"| {FIRST_ROWS - 1} |",
        "",
        f"*{n_left} more rows: [in the page](map.html).*",
    ]


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


def test_pages_come_in_the_order_of_the_table_of_contents():
    below = {"index": ["a", "d"], "a": ["b", "c"], "d": []}
    config = SimpleNamespace(root_doc="index")
    env = SimpleNamespace(config=config, toctree_includes=below)
    assert in_order(env) == ["index", "a", "b", "c", "d"]


META = '<meta name="citation_title" content="A &amp; B"><meta name="description" content="Of {}.">'


def test_machines_are_told_which_pages_there_are_and_of_what():
    lines = overview(
        "Book", {"a": META.format("a"), "part/b": META.format("b")}
    ).splitlines()
    assert lines[0] == "# Book"
    assert lines[-2:] == ["- [A & B](a.html): Of a.", "- [A & B](part/b.html): Of b."]


@pytest.mark.parametrize("case", ["built", "failed", "print"])
def test_the_whole_book_and_its_list_are_files_of_the_site(tmp_path, case):
    site = tmp_path / "html"
    site.mkdir()
    (site / "a.md").write_text("# A\n")
    (site / "a.html").write_text(META.format("a"))
    config = SimpleNamespace(html_title="Book", root_doc="a")
    app = SimpleNamespace(
        outdir=tmp_path / "raw",
        builder=SimpleNamespace(name="singlehtml" if case == "print" else "html"),
        config=config,
        env=SimpleNamespace(config=config, toctree_includes={}, found_docs={"a"}),
    )
    write_whole_book(app, ValueError() if case == "failed" else None)
    files = {path.name: path.read_text() for path in site.glob("*.txt")}
    assert {*files} == ({"llms.txt", "llms-full.txt"} if case == "built" else set())
    if case == "built":
        assert "[A & B](a.html)" in files["llms.txt"]
        assert files["llms-full.txt"].endswith("<!-- a.html -->\n\n# A\n")
