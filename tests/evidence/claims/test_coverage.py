"""Every table and figure of the five papers is shown somewhere, or it is said why not."""

import re
from collections import Counter
from types import SimpleNamespace

import pandas as pd
import pytest
from helpers import ROOT, need_shared

from book.build.code_lines import lines_of
from book.build.project import CELL, Project
from evidence.claims import coverage

TEXTS = {  # figures, and tables
    "guo2017-slides": (range(1, 5), [1]),  # 1 to 3 are without numbers
    "nixon2019-measuring": (range(1, 10), [1, 2]),  # it names no figure 3, 5, 7
    "gupta2021-splines": (range(1, 11), range(1, 8)),
    "vasilev2021-survey": (range(1, 7), range(1, 15)),
    "minderer2021-notes": (range(1, 7), []),
}
SHOW = ROOT / "book" / "show"
COVERAGE = pd.read_csv(ROOT / "data" / "ledger/coverage.csv", keep_default_na=False)
ITEMS = {
    text: {*map("Figure {}".format, figures), *map("Table {}".format, tables)}
    for text, (figures, tables) in TEXTS.items()
}


def test_every_table_and_figure_has_its_rows_and_few_are_left_out():
    there = COVERAGE.groupby("paper")["item"].agg(set).to_dict()
    assert there == {text.partition("-")[0]: items for text, items in ITEMS.items()}
    assert COVERAGE.paper[COVERAGE.why_not != ""].tolist() == ["nixon2019"] * 4


@pytest.mark.shared
@pytest.mark.parametrize("text", TEXTS)
def test_the_list_holds_what_the_text_names(text):
    words = need_shared(f"papers/{text}.txt").read_text(encoding="utf-8")
    labels = set(re.findall(r"\b(Figure|Table)s? +(\d+)\b", words))
    assert {" ".join(item) for item in labels} <= ITEMS[text]


def test_a_row_is_shown_where_it_says_and_draws_what_the_chapter_names():
    for row in COVERAGE.itertuples():
        assert bool(row.label) != bool(row.why_not)
        if row.label:
            chapter = (ROOT / "chapters" / f"{row.chapter}.md").read_text(
                encoding="utf-8"
            )
            name = re.escape(row.label)
            place = rf"\bname: {name}\b|^\({name}\)=|:(label|name): {name}$"
            assert re.search(place, chapter, re.M), row
            kinds = set(row.evidence.split())
            assert kinds and kinds <= {
                "published",
                "public",
                "zoo",
                "simulation",
                "formula",
            }
            # its plots of many axes
            modules = [*SHOW.glob(f"{row.paper}.py"), *SHOW.glob(f"{row.paper}/*.py")]
            chapter += "".join(module.read_text("utf-8") for module in modules)
            missing = [
                n for n in row.drawn.split() if not re.search(rf"\b{n}\b", chapter)
            ]
            assert not missing, (row.label, missing)


FIGURES = [  # paper, what its figure shows, what ours draws, the status
    ("p", "CIFAR-10: LeNet-5", "a b", "same network"),
    ("q", "CIFAR-10: LeNet-5", "a b", "sibling"),
    ("p", "CIFAR-10: LeNet-5, ResNet-110", "a b", "sibling"),
    ("p", "CIFAR-10: LeNet-5, ResNet-110", "a", "in kind"),
    ("p", "CIFAR-10: LeNet-5; ImageNet: ViT", "a c", "in kind"),
    ("p", "CIFAR-10: LeNet-5; ImageNet: ViT", "a", "print only"),
    ("p", "ImageNet: ViT", "c", "in kind"),
]


@pytest.mark.parametrize(("paper", "shows", "drawn", "status"), FIGURES)
def test_a_figure_is_as_strong_as_the_weakest_of_its_networks(
    paper, shows, drawn, status
):
    statuses = pd.DataFrame(
        [
            ("a", "CIFAR-10", "LeNet-5"),
            ("b", "CIFAR-10", "ResNet-110"),
            ("c", "ImageNet", ""),
        ],
        columns=["name", "dataset", "model"],
    )
    counterpart = {("p", "a"): "same network", ("q", "a"): "presumed the same network"}
    row = SimpleNamespace(paper=paper, shows=shows, drawn=drawn, why_not="")
    assert coverage.of_figure(row, statuses, counterpart) == status


def test_the_figures_have_the_statuses_of_which_the_pages_speak():
    by_paper = coverage.figures().groupby("paper")["status"]
    assert {paper: Counter(statuses) for paper, statuses in by_paper} == {
        "guo2017": {"in kind": 4},
        "nixon2019": {"print only": 1, "in kind": 4, "missing": 4},
        "gupta2021": {"same network": 1, "in kind": 9},
        "vasilev2021": {"in kind": 6},
        "minderer2021": {"print only": 2, "in kind": 4},
    }


def test_every_printed_cell_has_one_status_and_a_paper_s_sentence_counts_them():
    """Percentages of all cells, whole once they are added."""
    cells = coverage.cells()
    assert len(cells) == len(coverage.printed_cells())
    assert set(cells["status"]) <= set(coverage.STATUSES)
    assert not cells.duplicated([*coverage.CELL]).any()
    sentence = coverage.covered("gupta2021")
    shares = [int(share) for share in re.findall(r"(\d+)\N{NO-BREAK SPACE}%", sentence)]
    assert len(shares) == 4 and sum(shares) == pytest.approx(100, abs=2)
    experiments = cells[
        (cells["paper"] == "gupta2021") & (cells["status"] == "same network")
    ]
    assert (
        f"{experiments['exact'].sum()} of {len(experiments)} come out to the last digit."
        in sentence
    )
    theirs = experiments[experiments["by"] == "others"]  # CalArena's, of Table 5
    assert set(theirs["metric"]) == {"Accuracy"} and set(theirs["table"]) == {"5"}
    assert f"{theirs['exact'].sum()} of {len(theirs)}." in sentence


def test_a_cell_of_the_very_network_is_exact_within_our_interval_or_off_by_so_much():
    cells = coverage.cells()
    same = cells["status"] == "same network"
    assert cells.loc[cells["exact"] | cells["near"], "status"].eq("same network").all()
    assert cells.loc[cells["exact"], "near"].all()
    assert cells["off"].notna().equals(same)
    digits = cells["value"].str.partition(".")[2].str.len()
    half = 0.5 * 10.0**-digits
    assert (cells["off"].abs()[cells["exact"]] <= 1.01 * half[cells["exact"]]).all()
    vasilev = cells[same & (cells["paper"] == "vasilev2021")]
    assert vasilev["near"].all() and not vasilev["exact"].all()


@pytest.mark.parametrize("paper", sorted(set(COVERAGE.paper)))
def test_a_notebook_shows_its_experiment(paper):
    """Of its code 60 % is shown; a reader changes parameters, and has each item by its name."""
    chapter = Project(ROOT).chapter(f"replicate/{paper}")
    lines = lines_of(chapter)
    assert lines["shown"] >= 0.6 * (lines["shown"] + lines["folded"] + lines["removed"])
    text = chapter.path.read_text(encoding="utf-8")
    cells = CELL.findall(text)
    [parameters] = [
        source for _, options, source in cells if "tags: [parameters" in options
    ]
    assert re.search(r"^tables_folder = \"\"", parameters, re.MULTILINE)
    code = "\n".join(source for *_, source in cells)
    shown = COVERAGE[
        (COVERAGE.paper == paper) & (COVERAGE.chapter == f"replicate/{paper}")
    ]
    for item in shown.item:
        assert f'"{item.lower().replace(" ", "-")}"' in code
        assert re.search(rf"^## {item}\b", text, re.MULTILINE)


def test_what_nothing_was_measured_for_has_its_reason(monkeypatch):
    gaps = coverage.gaps()
    assert gaps["cells"].sum() == (coverage.cells()["status"] == "print only").sum()
    assert gaps["why"].str.len().gt(20).all()
    table = coverage.frames.read_table

    def without_a_reason(path):
        return (
            table(path).iloc[1:] if path == "ledger/coverage-gaps.csv" else table(path)
        )

    monkeypatch.setattr(coverage.frames, "read_table", without_a_reason)
    with pytest.raises(ValueError, match=r"coverage-gaps\.csv.*Cars"):
        coverage.gaps()


def test_the_map_has_every_row_and_counts_every_cell_once():
    rows = coverage.coverage_map()
    assert len(rows) == len(COVERAGE)
    tables = rows[rows["item"].str.startswith("Table")]
    counted = tables[[*coverage.STATUSES.values()]].to_numpy().sum()
    assert counted == len(coverage.cells())
    figures = rows[rows["item"].str.startswith("Figure")]
    assert (figures[[*coverage.STATUSES.values()]].sum(axis=1) == 1).all()
    for row in rows.itertuples():
        assert bool(row.place) != bool(row.why_not)
    guo = rows.loc[rows["paper"] == "guo2017", "item"].tolist()
    assert guo == ["Figure 1", "Figure 2", "Figure 3", "Figure 4", "Table 1"]


def test_what_stays_in_print_has_what_would_fill_it():
    rows = coverage.to_fill()
    assert rows["cells"].sum() == (coverage.cells()["status"] == "print only").sum()
    assert rows["fill"].str.contains("K = |rule").all()
