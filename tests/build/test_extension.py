"""What the extension does to a page: headings of tables, and which scripts it loads."""

import re

import pandas as pd
import pytest

from book.build.extension import one_row

FRAME = pd.DataFrame({"ECE": [0.1], "NLL": [0.2]}, index=pd.Index(["a"], name="network"))


def headings(html):
    rows = re.findall(r"<tr.*?</tr>", html, re.DOTALL)
    return [re.sub(r"<[^>]*>|&nbsp;", " ", row).split() for row in rows]


def mended(html):
    return re.sub(r"<thead>.*?</thead>", one_row, html, flags=re.DOTALL)


@pytest.mark.parametrize("html", [FRAME.to_html(), FRAME.style.to_html()])
def test_the_index_is_named_in_the_row_of_headings(html):
    assert headings(html)[:2] == [["ECE", "NLL"], ["network"]]
    assert headings(mended(html))[0] == ["network", "ECE", "NLL"]
    assert len(headings(mended(html))) == len(headings(html)) - 1


def test_several_indices_are_named_too():
    frame = FRAME.set_index("NLL", append=True)
    assert headings(mended(frame.to_html()))[0] == ["network", "NLL", "ECE"]


def test_other_headings_stay_as_they_are():
    two = pd.concat({"before": FRAME, "after": FRAME}, axis=1)
    for frame in (FRAME.rename_axis(None), FRAME.rename_axis("metric", axis=1), two):
        assert mended(frame.to_html()) == frame.to_html()
