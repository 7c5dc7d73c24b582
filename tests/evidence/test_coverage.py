"""Every table and figure of the five papers is shown somewhere, or it is said why not."""

import re

import pandas as pd
import pytest
from helpers import ROOT, need_shared

from book.evidence import coverage

ITEMS = {
    "guo2017": {"Figure": range(1, 5), "Table": [1]},  # the slides show 1 to 3 without numbers
    "nixon2019": {"Figure": range(1, 10), "Table": [1, 2]},  # the text names no Figure 3, 5, 7
    "gupta2021": {"Figure": range(1, 11), "Table": range(1, 8)},
    "vasilev2021": {"Figure": range(1, 7), "Table": range(1, 15)},
    "minderer2021": {"Figure": range(1, 7)},
}
TEXTS = {
    "guo2017": "guo2017-slides.txt",
    "nixon2019": "nixon2019-measuring.txt",
    "gupta2021": "gupta2021-splines.txt",
    "vasilev2021": "vasilev2021-survey.txt",
    "minderer2021": "minderer2021-notes.txt",
}
COVERAGE = pd.read_csv(ROOT / "data" / "coverage.csv", keep_default_na=False)


def items(paper):
    return {f"{kind} {n}" for kind, numbers in ITEMS[paper].items() for n in numbers}


@pytest.mark.parametrize("paper", ITEMS)
def test_every_table_and_figure_has_its_rows_and_few_are_left_out(paper):
    rows = COVERAGE[COVERAGE.paper == paper]
    assert items(paper) == set(rows.item)
    assert (rows.why_not != "").sum() == (4 if paper == "nixon2019" else 0)


@pytest.mark.shared
@pytest.mark.parametrize("paper", TEXTS)
def test_the_list_holds_what_the_text_names(paper):
    text = need_shared(f"papers/{TEXTS[paper]}").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(Figure|Table)s? +(\d+)\b", text))
    assert {" ".join(item) for item in named} <= items(paper)


def test_a_row_is_shown_where_it_says_and_draws_what_the_chapter_names():
    for row in COVERAGE.itertuples():
        assert bool(row.label) != bool(row.why_not)
        if row.label:
            chapter = (ROOT / "chapters" / f"{row.chapter}.md").read_text(encoding="utf-8")
            name = re.escape(row.label)
            place = rf"\bname: {name}\b|^\({name}\)=|:(label|name): {name}$"
            assert re.search(place, chapter, re.M), row
            kinds = set(row.evidence.split())
            assert kinds and kinds <= {"published", "public", "zoo", "simulation", "formula"}
            missing = [n for n in row.drawn.split() if not re.search(rf"\b{n}\b", chapter)]
            assert not missing, (row.label, missing)


@pytest.fixture(scope="module")
def figures():
    return coverage.figures().set_index(["paper", "item"])


def test_a_figure_is_as_strong_as_the_weakest_of_its_networks(figures):
    known = pd.DataFrame(
        [("a", "CIFAR-10", "LeNet-5"), ("b", "CIFAR-10", "ResNet-110"), ("c", "ImageNet", "")],
        columns=["name", "dataset", "model"],
    )
    own = {("p", "a"): "same network", ("q", "a"): "presumed the same network"}
    row = figures[figures.label != ""].reset_index().iloc[0]

    def status(paper, shows, drawn):
        changed = row.copy()
        changed[["paper", "shows", "drawn"]] = paper, shows, drawn
        return coverage.of_figure(changed, known, own)

    assert status("p", "CIFAR-10: LeNet-5", "a b") == "E"
    assert status("q", "CIFAR-10: LeNet-5", "a b") == "S"
    assert status("p", "CIFAR-10: LeNet-5, ResNet-110", "a b") == "S"
    assert status("p", "CIFAR-10: LeNet-5, ResNet-110", "a") == "K"
    assert status("p", "CIFAR-10: LeNet-5; ImageNet: ViT", "a c") == "K"
    assert status("p", "CIFAR-10: LeNet-5; ImageNet: ViT", "a") == "A"
    assert status("p", "ImageNet: ViT", "c") == "K"


def test_the_figures_have_the_statuses_of_which_the_pages_speak(figures):
    found = {paper: "".join(part.status) for paper, part in figures.groupby(level=0)}
    assert {paper: "".join(sorted(found[paper])) for paper in found} == {
        "guo2017": "AKKK",
        "nixon2019": "AKKKKMMMM",
        "gupta2021": "EKKKKKKKKK",
        "vasilev2021": "KKKKKK",
        "minderer2021": "AAKKKK",
    }


@pytest.fixture(scope="module")
def cells():
    return coverage.cells()


def test_every_printed_cell_has_one_status(cells):
    assert len(cells) == len(coverage.printed_cells())
    assert set(cells["status"]) <= set(coverage.STATUSES)
    assert not cells.duplicated([*coverage.CELL]).any()


def test_a_paper_s_sentence_counts_its_cells(cells):
    """Percentages of all cells, whole once they are added."""
    told = coverage.covered("gupta2021")
    shares = [int(share) for share in re.findall(r"(\d+)\N{NO-BREAK SPACE}%", told)]
    assert len(shares) == 4
    assert sum(shares) == pytest.approx(100, abs=2)
    own = cells[(cells["paper"] == "gupta2021") & (cells["status"] == "E")]
    assert f"{own['exact'].sum()} of {len(own)} come out to the last digit." in told


@pytest.mark.parametrize("paper", ITEMS)
def test_a_page_of_a_paper_is_short(paper):
    """One figure, 800 words, and the audit opens from it."""
    text = (ROOT / "chapters" / "replicate" / f"{paper}.md").read_text(encoding="utf-8")
    prose = re.sub(r"\A---\n.*?\n---\n|```.*?```", "", text, flags=re.DOTALL)
    assert len(prose.split()) < 800
    assert len(re.findall(r"^    name: fig-", text, re.MULTILINE)) == 1
    assert f"<{paper}-audit>`" in prose
    assert "covered" in prose


def test_what_nothing_was_measured_for_has_its_reason(monkeypatch):
    gaps = coverage.gaps()
    assert gaps["cells"].sum() == (coverage.cells()["status"] == "A").sum()
    assert gaps["why"].str.len().gt(20).all()
    table = coverage.frames.read_table

    def without_a_reason(path):
        return table(path).iloc[1:] if path == "coverage-gaps.csv" else table(path)

    monkeypatch.setattr(coverage.frames, "read_table", without_a_reason)
    with pytest.raises(ValueError, match=r"coverage-gaps\.csv.*Cars"):
        coverage.gaps()
