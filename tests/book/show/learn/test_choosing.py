"""Which map is best, and which is not clearly worse; the tree, the tables, the numbers by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import band, labelled, points, texts, ticks

from book.show.learn import choosing
from calib_report.deciding.advice import MAPS_BY_SIZE
from evidence.network_outputs import Outputs


def test_the_tree_has_a_leaf_for_each_row_of_the_table_of_choices():
    rows = [row for row in MAPS_BY_SIZE if "classes" in row]
    drawn = choosing.branches()
    assert {leaf for _, _, leaf in drawn} == {row["leaf"] for row in rows}
    assert [need for need, *_ in drawn] == sorted(
        (need for need, *_ in drawn), key=list(choosing.NEEDS).index
    )
    for need, words, leaf in drawn:
        (row,) = [r for r in rows if r["leaf"] == leaf and need in r["classes"]]
        assert words.replace("\n", " ") == row["said"].split(", ")[-1]
        assert max(map(len, words.splitlines())) <= 14
    ax = choosing.draw_tree_of_choices().axes[0]
    written = [text for text in texts(ax) if text]
    assert written[: 2 * len(drawn)] == [w for _, *both in drawn for w in both]
    assert written[2 * len(drawn) :] == [
        *choosing.NEEDS.values(),
        "What\ndo you\nhave?",
    ]


def cell(**losses):
    """Rows of a study: the excess NLL of each map in each repetition."""
    rows = [(r, m, x) for m, xs in losses.items() for r, x in enumerate(xs)]
    return pd.DataFrame(rows, columns=["repetition", "method", "excess_nll"])


def test_a_rival_is_not_worse_in_every_repetition_by_much_the_same():
    best, rivals = choosing.best_and_rivals(
        cell(
            a=[1, 2, 3, 4], b=[1.1, 2.2, 3.1, 4.2], c=[0, 5, 1, 6], d=[np.nan, 0, 0, 0]
        )
    )
    # b is worse by 0.15, half an interval is 0.092; c by 0.5, and half is 3.7; d is incomplete
    assert (best, rivals) == ("a", ["c"])


def test_a_rivals_interval_is_students():
    """Of three repetitions it reaches 4.303 standard errors: two would leave no rival."""
    three = cell(a=[0, 0, 0], b=[0.1, 0.2, 0.3])
    assert choosing.best_and_rivals(three) == ("a", ["b"])
    assert choosing.best_and_rivals(cell(a=[0] * 9, b=[0.1, 0.2, 0.3] * 3)) == ("a", [])


def study():
    parts = []
    for world in choosing.WORLDS:
        for n in (100, 300):
            for k, name in enumerate(choosing.DRAWN, 1):
                part = cell(**{name: [k * x / n for x in (1, 1, 4)]})
                parts.append(part.assign(world=world, classes=10, n=n))
    return pd.concat(parts)


def test_each_cell_of_a_world_has_its_best_map():
    best = choosing.best_maps(study())
    assert {key: name for key, (name, _) in best.items()} == {
        (world, 10, n): "none" for world in choosing.WORLDS for n in (100, 300)
    }


def test_a_cell_stands_at_its_sizes_and_a_dot_tells_of_a_rival():
    best = {
        ("one temperature", k, n): ("none", []) for k in (2, 10) for n in (100, 300)
    }
    best["one temperature", 10, 300] = ("ensemble temperature", ["none"])
    best["label noise", 2, 100] = ("matrix, ODIR", [])
    one, two, three = choosing.draw_best_maps(best).axes
    assert [p.get_xy() for p in one.patches] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert texts(one) == ["none", "none", "none", "ensemble •"]
    assert (texts(two), texts(three)) == ([], ["matrix"])
    assert (ticks(one.xaxis), ticks(one.yaxis)) == (["100", "300"], ["2", "10"])


def test_a_curve_is_the_mean_of_repetitions_in_students_band():
    for ax in choosing.draw_excess_by_sample_size(study()).axes:
        curve = labelled(ax)["temperature"]
        assert curve == pytest.approx(np.array([[100, 0.04], [300, 0.04 / 3]]))
        reach = 4.302653 * 0.02  # the standard error of 0.02, 0.02 and 0.08
        ends = choosing.SMALLEST, 0.04 + reach  # nothing is below the axis
        assert band(ax.collections[1], 100) == pytest.approx(ends)
    assert len(labelled(ax)) == len(choosing.DRAWN)


def test_curves_of_real_networks_stand_over_their_sizes():
    (ax,) = choosing.draw_nll_by_sample_size({"vector": [0.4, 0.3]}, [50, 500]).axes
    assert labelled(ax)["vector"].tolist() == [[50, 0.4], [500, 0.3]]


def networks():
    columns = ["network", "method", "held_out_nll", "test_nll", "saved"]
    rows = [
        ("a-dan3", "none", 0.1, 0.1, 0.0),  # is no map
        ("a-dan3", "temperature", 0.5, 0.50, 0.0),
        ("a-dan3", "vector", 0.4, 0.45, 0.05),
        ("b-w16-s1", "temperature", 0.5, 0.40, 0.0),
        ("b-w16-s1", "vector", 0.4, 0.42, 0.02),
        ("c", "beta", 0.3, 0.30, 0.01),
        ("c", "Platt", 0.4, 0.30, 0.01),
    ]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(saved_low=table.saved - 0.03, saved_high=table.saved + 0.03)


def test_what_folds_chose_is_compared_with_the_best_on_the_test_set():
    table = choosing.choices_of(networks())
    assert table.index.tolist() == ["a", "b", "c"]
    assert table.chosen.tolist() == ["vector", "vector", "beta"]
    assert table["best on test"].tolist() == ["vector", "temperature", "beta"]
    assert table.lost.tolist() == pytest.approx([0, 0.02, 0])
    assert table.won.tolist() == pytest.approx([0.05, 0.02, 0.01])
    assert table["95 %"]["b"] == "−0.0100 to 0.0500"


REAL = pd.DataFrame(
    {"lost": [0.0, 0.02], "won": [0.05, 0.02], "low": [0.01, -0.01]}, ["a", "20news"]
)


def test_the_choices_are_counted_that_lose_nothing_and_that_are_clearly_better(glued):
    choosing.glue_success_of_folds(REAL)
    assert glued == {
        "choosing-hits": "1 of 2",
        "choosing-clear": "1",
        "choosing-loss": "0.0200",
        "choosing-won": "0.050",
    }


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"lost": [1e-6, 0.02]}, "a loss of zero"),
        ({"won": [0.05, -0.02]}, "worse than one temperature on none"),
        ({"lost": [0.03, 0.02]}, "the largest loss"),
    ],
)
def test_another_table_than_the_text_tells_stops_the_build(changed, said):
    with pytest.raises(ValueError, match=said):
        choosing.glue_success_of_folds(REAL.assign(**changed))


def outputs(label, answers):
    return Outputs(np.array(label), logits=np.log(np.eye(2)[answers] + 0.1))


def test_answers_are_counted_where_maps_are_fitted_and_on_the_test_set(glued):
    network = SimpleNamespace(
        to_fit=outputs([0, 1, 1, 1], [0, 1, 1, 0]), test=outputs([0, 1], [1, 1])
    )
    choosing.glue_accuracy_of_both_sets(network)
    assert glued == {"choosing-news": "75", "choosing-news-test": "50"}
    network.test = network.to_fit
    with pytest.raises(ValueError, match="world has moved"):
        choosing.glue_accuracy_of_both_sets(network)


def test_answers_that_a_map_changes_are_counted(glued):
    after = np.array([[0.6, 0.4], [0.6, 0.4], [0.3, 0.7]])
    moved = SimpleNamespace(predict_proba=lambda logits: after)
    one_score = SimpleNamespace(fit=lambda logits, y: moved)
    network = SimpleNamespace(
        to_fit=outputs([0, 1], [0, 1]), test=outputs([0, 1, 1], [0, 1, 1])
    )
    choosing.glue_changed_answers(one_score, network)
    assert glued == {"choosing-changed": "1 of 3 answers"}


def test_gains_are_counted_over_data_sets_that_have_one(glued, monkeypatch):
    gains = [0.1, -0.1, np.nan, 0.1, 0.2, 0.3]
    cases = pd.DataFrame({"size": ["500"] * 3 + ["2500"] * 3, "gain": gains})
    monkeypatch.setattr(choosing, "load_cases", lambda: cases)
    monkeypatch.setattr(
        choosing, "by_dataset", lambda rows, column: {"structured matrix": rows[column]}
    )
    choosing.glue_gains_in_arena()
    assert glued == {"choosing-gains-500": "1 of 2", "choosing-gains-2500": "3 of 3"}


def test_points_of_lines_are_rows():
    (ax,) = choosing.draw_nll_by_sample_size({"none": [1, 2, 3]}, [1, 2, 3]).axes
    assert points(ax, 0).shape == (3, 2)
