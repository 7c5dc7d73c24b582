"""Tables of pandas, and downloads of figures, as pages have them."""

import re

import pandas as pd
from helpers import SITE
from read_pages import chapters

from book.build.page_html import one_row


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
