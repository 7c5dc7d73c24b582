"""Ours stands beside the printed number, with what it is; a folder gets what the page shows."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import calib
from book.show import replication

PRINTED = pd.DataFrame(
    [("A", "net", "none", 5.0), ("A", "net", "one", 1.0), ("B", "net", "none", 2.0)],
    columns=["dataset", "model", "method", "value"],
)


OURS = PRINTED.iloc[:2].assign(value=[4.5, -0.5], kind=["sibling", "same network"])


def test_a_cell_without_ours_is_print_only_and_none_is_lost():
    rows = replication.beside(PRINTED, OURS)
    assert rows["kind"].tolist() == ["sibling", "same network", "print only"]
    assert rows["printed"].tolist() == [5.0, 1.0, 2.0]
    assert rows["ours"].tolist()[:2] == [4.5, -0.5] and pd.isna(rows["ours"][2])
    assert replication.kinds_in_words(rows) == "1 same network, 1 sibling, 1 print only"


def test_two_of_ours_for_one_cell_are_refused():
    with pytest.raises(pd.errors.MergeError):
        replication.beside(PRINTED, pd.concat([OURS, OURS]))


def test_a_kind_that_nobody_knows_is_refused():
    rows = replication.beside(PRINTED, OURS.assign(kind="cousin"))
    with pytest.raises(ValueError, match=r"kind: unknown.*cousin"):
        replication.Paper("p").table("table-1", rows)


def test_the_shown_table_has_both_numbers_and_the_mark_of_the_kind():
    html = (
        replication.Paper("p").table("t", replication.beside(PRINTED, OURS)).to_html()
    )
    for markup in (
        "<b>4.50</b><sup>s</sup>",
        "<b>−0.50</b><br>",
        ">5.00<",
        "–<br>",
        ">2.00<",
    ):
        assert markup in html


def test_a_folder_gets_csv_and_svg_with_the_same_bytes_twice(tmp_path):
    written = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        paper = replication.Paper("p", str(folder))
        paper.table("table-1", replication.beside(PRINTED, OURS))
        plt.figure()
        plt.plot([1, 2], [3, 4], label="ours")
        paper.figure("figure-1")
        plt.close("all")
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1]
    assert set(written[0]) == {"p-table-1.csv", "p-figure-1.svg", "p-figure-1.csv"}
    back = pd.read_csv(tmp_path / "a" / "p-table-1.csv")
    pd.testing.assert_frame_equal(back, replication.beside(PRINTED, OURS))


def test_no_folder_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    replication.Paper("p").plain("table-2", PRINTED)
    assert not list(tmp_path.iterdir())


def test_an_error_is_beyond_chance_where_scores_are_too_high_and_seldom_if_calibrated():
    rng = np.random.default_rng(0)
    beyond = []
    for _ in range(60):
        score, lot = rng.uniform(0.5, 1, (2, 500))
        honest = replication.error_with_chance(
            calib.ece, 2 * lot - 1 < score, score, n_resamples=200
        )
        beyond.append(honest["value"] > honest["chance"])
        assert honest["low"] <= honest["value"] <= honest["high"]
    assert sum(beyond) <= 9  # of 60 at 0.05, more than nine once in a thousand times
    boast = replication.error_with_chance(calib.ece, 2 * lot - 1 < score - 0.2, score)
    assert boast["low"] > boast["chance"] > 1
    assert np.isclose(boast["value"], 100 * calib.ece(2 * lot - 1 < score - 0.2, score))


def test_chance_of_bins_is_passed_by_one_calibrated_network_in_twenty():
    rng = np.random.default_rng(0)
    count = rng.integers(50, 400, 15)
    count[3] = 0  # an empty bin adds nothing
    score = np.linspace(0.1, 0.95, 15)
    rows = pd.DataFrame({"count": count, "score_sum": count * score})
    level = replication.chance_of_bins(rows, rng)
    hits = rng.binomial(count, score, (4000, 15))
    errors = np.abs(hits - count * score).sum(axis=1) / count.sum()
    assert 0.035 < np.mean(errors > level) < 0.065


def test_the_first_table_keeps_print_same_network_now_and_chance(monkeypatch):
    texts = {}
    monkeypatch.setattr(
        replication,
        "glue_values",
        lambda section, **facts: texts.update({section: facts}),
    )
    columns = ["printed", "recomputed", "low", "high", "now, net", "by chance"]
    row = pd.DataFrame([[4.75, 4.7496, 4.3, 5.16, 5.1, 0.4]], ["none"], columns)
    replication.glue_headline("p-head", row, {"raw": "none"}, digits=3)
    assert texts["p-head-raw"] == {
        "printed": "4.750",
        "same": "4.750 (4.300 to 5.160)",
        "now": "5.100",
        "chance": "0.40",
    }
