"""Tables of pandas, and downloads of figures, as pages have them."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest
from docutils import nodes
from helpers import SITE
from read_pages import chapters

from book.build import page_html
from book.build.page_html import mend, one_row


def mended(html):
    table = re.sub(r"<thead>.*?</thead>", one_row, html, flags=re.DOTALL)
    rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    return [re.sub(r"<[^>]*>|&nbsp;", " ", row).split() for row in rows]


def test_the_index_of_a_table_is_named_in_its_row_of_headings():
    frame = pd.DataFrame(
        {"ECE": [0.1], "NLL": [0.2]}, index=pd.Index(["a"], name="network")
    )
    for html in (frame.to_html(), frame.style.to_html()):
        assert mended(html)[0] == ["network", "ECE", "NLL"]
    assert mended(frame.set_index("NLL", append=True).to_html())[0] == [
        "network",
        "NLL",
        "ECE",
    ]
    two = pd.concat({"before": frame, "after": frame}, axis=1)
    for other in (frame.rename_axis(None), frame.rename_axis("metric", axis=1), two):
        html = other.to_html()
        assert re.sub(r"<thead>.*?</thead>", one_row, html, flags=re.DOTALL) == html


@pytest.mark.parametrize(
    ("above", "below"), [("", ""), (" ", "&nbsp;"), ("a", "b"), ("a", "<p>b</p>")]
)
def test_headings_of_two_rows_and_empty_ones_stay(above, below):
    """A column that is headed in both rows, or in none, is none of an index."""
    rows = (f"<tr><th>{cell}</th></tr>" for cell in (above, below))
    head = f"<thead>{''.join(rows)}</thead>"
    assert re.sub("<thead>.*</thead>", one_row, head) == head


def test_figures_and_their_data_can_be_downloaded():
    """That images have text alternatives, and tables headings, is asked by axe in the browser."""
    shown, linked = (
        set(),
        {link.split("/")[-1] for p in chapters().values() for link in p.links},
    )
    for name, page in chapters().items():
        figures = [src for src in page.images if "_images" in src]
        assert [src for src in figures if src not in page.links] == [], name
        shown |= set(re.findall(r'<a download href="[^"]*/(\w+)\.png"', page.text))
    tables = {path.stem for path in (SITE / "_static" / "figures").glob("*.csv")}
    assert len(tables) > 50
    assert [stem for stem in tables & shown if f"{stem}.csv" not in linked] == []


def builder(folder, **fignumbers):
    """What of Sphinx numbers figures, and knows where their images lie."""
    return SimpleNamespace(
        fignumbers=fignumbers,
        current_docname="part/one",
        images={"a.png": "a0.png"},
        srcdir=folder,
    )


def figure_with_links(folder, monkeypatch, *images, **fignumbers):
    """What a page holds behind a figure's images, once it is closed."""
    monkeypatch.setattr(
        page_html.HTML5Translator,
        "depart_figure",
        lambda self, node: self.body.append("</figure>"),
    )
    writer = SimpleNamespace(builder=builder(folder, **fignumbers), body=["<figure>"])
    figure = nodes.figure("", *(nodes.image(uri=uri) for uri in images), ids=["fig-a"])
    page_html.depart_figure(writer, figure)
    assert (writer.body[0], writer.body[-1]) == ("<figure>", "</figure>")
    return writer.body[1:-1]


def test_a_figure_ends_with_links_to_its_image_and_its_table(tmp_path, monkeypatch):
    (tmp_path / "assets" / "figures").mkdir(parents=True)
    (tmp_path / "assets" / "figures" / "a0.csv").touch()
    names = {"part/one/figure": {"fig-a": (4, 1)}}
    address = "../_images/a.png"
    build = figure_with_links(tmp_path, monkeypatch, "a.png", "b.svg", **names)
    words = '<span class="visually-hidden"> of figure 4.1</span>'
    assert build == [
        f'<p class="figure-download"><a download href="a.png">PNG{words}</a> '
        f'<a download href="a.png_static/figures/a0.csv">CSV{words}</a></p>\n',
        f'<p class="figure-download"><a download href="b.svg">SVG{words}</a></p>\n',
    ]
    (tmp_path / "assets" / "figures" / "a.csv").touch()
    links = page_html.downloads(builder(tmp_path), nodes.image(uri=address))
    assert links == {"PNG": address, "CSV": "../_static/figures/a.csv"}
    assert figure_with_links(tmp_path, monkeypatch) == []


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"part/one/figure": {"fig-a": (4, 1)}}, " 4.1"),
        ({"figure": {"fig-a": (2,)}, "part/one/figure": {"fig-a": (4, 1)}}, " 2"),
        ({"part/one/figure": {"fig-b": (4, 1)}}, ""),
        ({}, ""),
    ],
)
def test_the_number_of_a_figure_is_that_of_its_builder(tmp_path, numbers, said):
    figure = nodes.figure("", ids=["fig-a"])
    assert page_html.figure_number(builder(tmp_path, **numbers), figure) == said


def test_an_image_has_its_size_as_attributes(monkeypatch):
    written = '<img style="width: 30px; height: 40px;" />'
    monkeypatch.setattr(
        page_html.HTML5Translator,
        "visit_image",
        lambda self, node: self.body.append(written),
    )
    writer = SimpleNamespace(body=[])
    page_html.visit_image(writer, nodes.image())
    assert writer.body == ['<img decoding="async" width="30" height="40" />']


def mended_body(folder, page="part/one", body="", **context):
    context["body"] = body
    mend(SimpleNamespace(srcdir=folder), page, "page.html", context, None)
    return context["body"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('<div role="list" class="citation">', '<div class="citation">'),
        ('<div role="list" class="other">', '<div role="list" class="other">'),
        (
            '<div class="citation" id="a" role="doc-biblioentry">',
            '<div class="citation" id="a">',
        ),
        ('<summary aria-label="Toggle hidden content">', "<summary>"),
        ('<th class="x">&nbsp;</th><th> <p> </p></th>', '<td class="x"></td><td></td>'),
        ("<th>a</th>", "<th>a</th>"),
    ],
)
def test_what_extensions_write_is_mended(tmp_path, written, shown):
    assert mended_body(tmp_path, body=written) == shown


def test_a_notebook_has_its_launchers_where_there_is_an_address(tmp_path):
    address = "https://github.com/someone/notebooks"
    page = mended_body(tmp_path, notebooks=address, sourcename="part/one.ipynb")
    assert page.count("launchers") == 1
    assert mended_body(tmp_path, notebooks=address, sourcename="part/one.md") == ""
    assert mended_body(tmp_path, sourcename="part/one.ipynb") == ""


def test_the_first_page_links_the_printed_book_where_there_is_one(tmp_path):
    assert mended_body(tmp_path, "index") == ""
    (tmp_path / "book.pdf").touch()
    assert 'href="book.pdf"' in mended_body(tmp_path, "index")
    assert mended_body(tmp_path) == ""
