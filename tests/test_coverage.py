"""Every table and figure of the five papers is shown somewhere, or it is said why not."""

import re

import pandas as pd
import pytest
from helpers import ROOT

ITEMS = {
    "guo2017": {"Figure": [1, 4], "Table": [1]},
    "nixon2019": {"Figure": [1, 2, 4, 6, 8, 9], "Table": [1, 2]},  # the text has no others
    "gupta2021": {"Figure": range(1, 11), "Table": range(1, 8)},
    "vasilev2021": {"Figure": range(1, 7), "Table": range(1, 15)},
    "minderer2021": {"Figure": range(1, 7)},
}
WHY_NOT = {"guo2017": 0, "nixon2019": 0, "gupta2021": 0, "vasilev2021": 0, "minderer2021": 0}
COVERAGE = pd.read_csv(ROOT / "data" / "coverage.csv", keep_default_na=False)
BOOK = (ROOT / "_toc.yml").read_text(encoding="utf-8")


def in_the_book(paper):
    return re.search(rf"^ +- file: replicate/{paper}$", BOOK, re.MULTILINE)


@pytest.mark.parametrize("paper", [paper for paper in ITEMS if in_the_book(paper)])
def test_every_table_and_figure_has_its_rows(paper):
    items = {f"{kind} {n}" for kind, numbers in ITEMS[paper].items() for n in numbers}
    assert items <= set(COVERAGE[COVERAGE.paper == paper].item)


@pytest.mark.parametrize(
    "row", list(COVERAGE.itertuples()), ids=lambda row: f"{row.paper} {row.item}"
)
def test_a_row_is_shown_where_it_says_or_says_why_not(row):
    assert bool(row.label) != bool(row.why_not)
    if row.why_not:
        return
    assert set(row.evidence.split()) <= {"published", "public", "zoo", "simulation"}
    assert row.evidence
    chapter = (ROOT / "chapters" / f"{row.chapter}.md").read_text(encoding="utf-8")
    name = re.escape(row.label)
    assert re.search(rf"\bname: {name}\b|^\({name}\)=|:(label|name): {name}$", chapter, re.M)


@pytest.mark.parametrize("paper", WHY_NOT)
def test_no_more_is_left_out_than_was_counted(paper):
    assert (COVERAGE[COVERAGE.paper == paper].why_not != "").sum() == WHY_NOT[paper]
