"""Every table and figure of the five papers is shown somewhere, or it is said why not."""

import re

import pandas as pd
import pytest
from helpers import ROOT, need_shared

from book.evidence import coverage, slices

ITEMS = {
    "guo2017": {"Figure": range(1, 5), "Table": [1]},  # the slides show 1 to 3 without numbers
    "nixon2019": {"Figure": range(1, 10), "Table": [1, 2]},  # the text names no Figure 3, 5, 7
    "gupta2021": {"Figure": range(1, 11), "Table": range(1, 8)},
    "vasilev2021": {"Figure": range(1, 7), "Table": range(1, 15)},
    "minderer2021": {"Figure": range(1, 7)},
}
WHY_NOT = {"guo2017": 0, "nixon2019": 4, "gupta2021": 0, "vasilev2021": 0, "minderer2021": 0}
TEXTS = {
    "guo2017": "guo2017-slides.txt",
    "nixon2019": "nixon2019-measuring.txt",
    "gupta2021": "gupta2021-splines.txt",
    "vasilev2021": "vasilev2021-survey.txt",
    "minderer2021": "minderer2021-notes.txt",
}
COVERAGE = pd.read_csv(ROOT / "data" / "coverage.csv", keep_default_na=False)
FIGURE_CELL = """```{code-cell} ipython3
---
mystnb: {figure: {
    name: fig-one
}}
---
"""
BOOK = (ROOT / "_toc.yml").read_text(encoding="utf-8")


def items(paper):
    return {f"{kind} {n}" for kind, numbers in ITEMS[paper].items() for n in numbers}


def in_the_book(paper):
    return re.search(rf"^ +- file: replicate/{paper}$", BOOK, re.MULTILINE)


@pytest.mark.parametrize("paper", [paper for paper in ITEMS if in_the_book(paper)])
def test_every_table_and_figure_has_its_rows(paper):
    assert items(paper) == set(COVERAGE[COVERAGE.paper == paper].item)


@pytest.mark.shared
@pytest.mark.parametrize("paper", TEXTS)
def test_the_list_holds_what_the_text_names(paper):
    text = need_shared(f"papers/{TEXTS[paper]}").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(Figure|Table)s? +(\d+)\b", text))
    assert {" ".join(item) for item in named} <= items(paper)


@pytest.mark.parametrize(
    "row", list(COVERAGE.itertuples()), ids=lambda row: f"{row.paper} {row.item}"
)
def test_a_row_is_shown_where_it_says_or_says_why_not(row):
    assert bool(row.label) != bool(row.why_not)
    if row.why_not:
        return
    assert set(row.evidence.split()) <= {*slices.CALLS, "formula"}
    assert row.evidence
    chapter = (ROOT / "chapters" / f"{row.chapter}.md").read_text(encoding="utf-8")
    name = re.escape(row.label)
    assert re.search(rf"\bname: {name}\b|^\({name}\)=|:(label|name): {name}$", chapter, re.M)


@pytest.mark.parametrize("paper", WHY_NOT)
def test_no_more_is_left_out_than_was_counted(paper):
    assert (COVERAGE[COVERAGE.paper == paper].why_not != "").sum() == WHY_NOT[paper]


def test_the_kinds_of_evidence_are_those_of_the_chapters_code():
    """After a change of a chapter: `python -m book.evidence.slices`."""
    rows = slices.coverage_rows()
    assert [row["evidence"] for row in rows] == COVERAGE.evidence.tolist()
    assert [row["drawn"] for row in rows] == COVERAGE.drawn.tolist()


def test_a_figure_s_evidence_is_what_its_code_reads():
    chapter = """
```{code-cell} ipython3
ours = load_zoo("a")
others = load_results("metrics")
shares = {}
for name in ours:
    shares[name] = ours[name]
ax.plot(others)
ours = load_published("guo2017")
```
"""
    chapter += (
        FIGURE_CELL
        + """fig, ax = plt.subplots()
ax.plot(shares)
```
(part)=
## Part
```{code-cell} ipython3
print(ours)
```
## Another
"""
    )
    assert slices.evidence(chapter, "fig-one") == "zoo"
    assert slices.evidence(chapter, "part") == "published"


def test_a_figure_names_the_networks_that_its_code_names():
    chapter = """
```{code-cell} ipython3
rows = load_results("ks_curves")
mine = rows[rows["source"] == "kull-cifar10-densenet40"]
others = rows[rows["source"] == "kull-cifar10-resnet110"]
families = claims.quba()
```
"""
    chapter += (
        FIGURE_CELL
        + """ax.plot(mine, families)
```
"""
    )
    assert slices.drawn(chapter, "fig-one") == "kull-cifar10-densenet40 quba"


@pytest.fixture(scope="module")
def figures():
    return coverage.figures().set_index(["paper", "item"])


def test_a_figure_has_the_status_that_its_caption_tells(figures):
    """What is drawn "in kind", "instead of" or "after" the paper's is no sibling of it."""
    told = 0
    for row in figures[figures.label != ""].itertuples():
        chapter = (ROOT / "chapters" / f"{row.chapter}.md").read_text(encoding="utf-8")
        caption = re.search(rf"name: {row.label}\n +caption: (.*?)\n +image:", chapter, re.S)
        caption = caption[1] if caption else ""
        if "on its own network" in caption:
            assert row.status == "E", row.Index
            told += 1
        if re.search(r"in kind|instead of|After the paper's|\(the paper:", caption):
            assert row.status in ("K", "A"), row.Index
            told += 1
    assert told > 15


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


def test_the_paper_s_own_networks_are_few_and_said_to_be(cells):
    """E only where the results name the network itself, exact only where the digits agree."""
    own = cells[cells["status"] == "E"]
    measured = own[own["table"] != "5"]
    assert set(measured["model"]) <= {"ResNet-110", "ResNet-50", "DenseNet-40", "DenseNet-161"}
    assert len(measured) < 100
    assert cells[cells["exact"]]["status"].eq("E").all()
    shown = cells[(cells["paper"] == "gupta2021") & (cells["table"] == "1") & cells["exact"]]
    assert len(shown)


def test_a_cell_whose_data_nobody_measured_is_audited_from_print_only(cells):
    assert set(cells.loc[cells["dataset"] == "Cars", "status"]) == {"A"}


def test_calarena_has_gupta_s_networks(cells):
    """Its accuracies as trained are those of Table 5, all thirteen, to the last digit."""
    own = cells[(cells["paper"] == "gupta2021") & (cells["table"] == "5")]
    trained = own[own["method"] == "Uncalibrated"]
    assert (len(trained), trained["exact"].sum()) == (13, 13)


def test_the_table_of_a_paper_counts_every_cell(cells):
    table = coverage.coverage_table("vasilev2021")
    counted = table[table.index.str.startswith("Table")].astype(float).to_numpy().sum()
    assert counted == (cells["paper"] == "vasilev2021").sum()
    assert table.loc["all tables, %"].astype(float).sum() == pytest.approx(100, abs=0.3)
    assert coverage.covered("minderer2021") == "The text at hand prints no table."


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
