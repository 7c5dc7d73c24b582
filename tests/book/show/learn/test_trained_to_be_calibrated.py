"""Losses: what each leaves, how far it is from cross-entropy, what it asks for; by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import labelled, points

import calib
from book.show.learn import trained_to_be_calibrated as trained
from evidence.derived import losses

NAMES = ["CE", "FL 1", "FL 2", "FL 3", "LS 0.05"]
LENGTHS = ["30 epochs", "5 epochs"]


def ours(**changes):
    """Networks of two seeds, two trainings and five losses."""
    rows = [
        {
            "training": length,
            "seed": seed,
            "loss": loss,
            "ECE %": (k if length == "5 epochs" else 10 - k) + seed / 10,
            "NLL after T": 0.3 + seed / 100,
            "Brier after T": 0.1,
            "accuracy": 90.0 - k,
            "T": 1 + k / 10,
            "train": 99.0 + seed / 2 if length == "30 epochs" else 95,
            "excess": k - 2.0 + seed + (4 if length == "30 epochs" else 0),
            "range": 0.5 + k / 10,
            "chance": 1.25,
        }
        for length in LENGTHS
        for seed in (1, 2)
        for k, loss in enumerate(NAMES)
    ]
    table = pd.DataFrame(rows)
    table["loss"] = pd.Categorical(table["loss"], NAMES)
    smooth = table["loss"] == "LS 0.05"
    table.loc[smooth, ["NLL after T", "accuracy"]] += [0.01, 10]
    focal = table["loss"] == "FL 2"
    sign = np.where(table["training"] == "30 epochs", -1, 1)
    table["NLL after T"] += 0.005 * sign * focal
    # of the longer training CE is the first, then FL 1, 2, 3; of the shorter FL 3 comes first
    table.loc[smooth & (table["training"] == "5 epochs"), "ECE %"] = 2.5
    return table.assign(**changes)


def means(table):
    return table.groupby(["training", "loss"], observed=True).mean(numeric_only=True)


def test_each_loss_has_a_mark_a_network_and_an_arrow_from_short_to_long():
    (ax,) = trained.draw_excess_by_loss(ours(), NAMES).axes
    long = labelled(ax)["30 epochs"]
    assert long[:5] == pytest.approx(np.c_[range(5), np.arange(5) + 3.0])
    low, height = ax.patches[0].get_y(), ax.patches[0].get_height()
    assert (low, low + height) == pytest.approx((-0.9, 0.9))
    arrows = [
        text for text in ax.texts if hasattr(text, "arrow_patch") and text.arrow_patch
    ]
    # from the highest of the short training to the lowest of the long one
    assert [(arrow.xyann[1], arrow.xy[1]) for arrow in arrows] == [
        (k, k + 3) for k in range(5)
    ]


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ("CE", "cross-entropy"),
        ("FL 2", "focal loss, γ = 2"),
        ("LS 0.05", "label smoothing, α = 0.05"),
        ("MMCE", "MMCE"),
    ],
)
def test_a_loss_is_named_in_words(loss, words):
    assert trained.loss_in_words(loss) == words


def test_an_error_stands_beside_its_level_by_chance():
    mean = pd.DataFrame(
        {
            "ECE %": [5.04],
            "chance": [1.25],
            "ECE % after T": [1.5],
            "chance after T": [1.1],
            "NLL after T": [0.31249],
            "Brier after T": [0.1],
            "accuracy": [91.26],
        },
        ["FL 2"],
    )
    row = trained.table_of_losses(mean).loc["focal loss, γ = 2"]
    assert row.tolist() == ["5.0 (1.2)", "1.5 (1.1)", "0.312", "0.100", "91.3"]


def no_disagreement(runs, extreme, n_splits=20):
    return 0.25 if extreme is np.argmin else 0.5


def test_the_order_of_losses_turns_with_the_training(glued, monkeypatch):
    monkeypatch.setattr(trained, "share_of_splits_that_disagree", no_disagreement)
    table = ours()

    def trained_in(block):
        return pd.DataFrame({"name": ["a", "b"], "seed": [1, 2]})

    names = {"ce": "CE", "fl3": "FL 3"}
    trained.glue_order_of_losses(table, trained_in, means(table), names)
    expected = {
        "trained-halves-best": "25%",
        "trained-halves-worst": "50%",
        "trained-nll-price": "0.010 to 0.010",
        "trained-nll-gain": "0.005 to 0.005",
        "trained-nll-short": "0.005 to 0.005",
        "trained-short-ce": "0.1 to 0.2",
        "trained-short-fl3": "3.1 to 3.2",
        "trained-orders": "4 of 4",
        "trained-short-fl3-t": "1.30",
        "trained-fit": "99.5",
        "trained-chance": "1.2",
    }
    assert glued == expected
    turned = table.assign(**{"ECE %": 20 - table["ECE %"]})
    with pytest.raises(ValueError, match="cross-entropy comes"):
        trained.glue_order_of_losses(turned, trained_in, means(turned), names)


@pytest.mark.parametrize(
    ("column", "training", "loss", "add", "said"),
    [
        ("accuracy", "30 epochs", "CE", 50, "highest NLL and accuracy"),
        (
            "Brier after T",
            "30 epochs",
            "LS 0.05",
            0.002,
            "Brier score of cross-entropy",
        ),
        (
            "NLL after T",
            "30 epochs",
            "FL 2",
            0.006,
            "which side cross-entropy lies: gain",
        ),
        (
            "NLL after T",
            "5 epochs",
            "FL 2",
            -0.01,
            "which side cross-entropy lies: short",
        ),
    ],
)
def test_other_scores_than_the_text_tells_stop_the_build(
    column, training, loss, add, said
):
    table = ours()
    there = (table["training"] == training) & (table["loss"] == loss)
    table.loc[there, column] += add
    with pytest.raises(ValueError, match=said):
        trained.glue_nll_above_cross_entropy(table, means(table))


def test_scores_are_taken_from_those_of_cross_entropy_in_thousandths():
    apart = trained.less_cross_entropy(ours())
    assert len(apart) == 2 * 4 * 2
    row = apart.loc["30 epochs", "LS 0.05", 1]
    assert row["NLL after T"] == pytest.approx(10) and row["accuracy"] == pytest.approx(
        6
    )
    words = trained.differences_in_words(apart)
    assert words.loc["30 epochs", "label smoothing, α = 0.05"].tolist() == [
        "10.0 (10.0 to 10.0)",
        "0.0 (0.0 to 0.0)",
        "6.0 (6.0 to 6.0)",
    ]


def apart(ls=(1.0, 3.0), fl=(-2.0, 4.0)):
    index = pd.MultiIndex.from_product(
        [["30 epochs"], ["LS 0.05", "FL 2"], [1, 2]], names=["training", "loss", "seed"]
    )
    values = {
        "NLL after T": [*ls, *fl],
        "Brier after T": [1, 2, 1, 2],
        "accuracy": [*ls, *fl],
    }
    return pd.DataFrame(values, index)


def test_a_distance_from_cross_entropy_has_students_interval(glued):
    trained.glue_distance_from_cross_entropy(apart())
    # of two values Student's quantile is 12.706, times their standard error: 1, and 3
    assert glued == {
        "trained-ls-accuracy-seeds": "2 of 2",
        "trained-ls-accuracy": "2.0 (−10.7 to 14.7)",
        "trained-fl2-nll": "−0.037 to 0.039",
    }
    with pytest.raises(ValueError, match="clearly better"):
        trained.glue_distance_from_cross_entropy(apart(fl=(-4.0, -4.1)))
    with pytest.raises(ValueError, match="clearly more accurate"):
        trained.glue_distance_from_cross_entropy(apart(ls=(4.0, 4.1)))


def printed():
    index = pd.MultiIndex.from_tuples(
        [("CIFAR-10", "a"), ("CIFAR-100", "b")], names=["dataset", "model"]
    )
    values = [[5, 4, 3, 2, 4.5], [4, 3, 1, 2, 5.0]]
    return pd.DataFrame(values, index, pd.Index(NAMES, name="loss"))


def test_the_lowest_and_the_highest_in_print_are_counted(glued):
    trained.glue_printed_extremes(printed(), pd.Series([1.04, 2, 3]))
    assert glued == {
        "trained-printed-best": "1 of 2",
        "trained-printed-ce-worst": "1 of 2",
        "trained-most-10": "1.0",
        "trained-most-100": "2.0",
        "trained-most-tiny": "3.0",
    }


def test_a_span_is_one_number_where_two_look_equal():
    assert trained.span_of(ours(), "5 epochs", "CE", "ECE %") == "0.1 to 0.2"
    assert trained.span_of(ours(), "5 epochs", "CE", "ECE %", digits=0) == "0"


def test_halves_disagree_where_errors_are_all_by_chance(monkeypatch):
    rng = np.random.default_rng(0)
    score = rng.uniform(0.5, 1, (3, 400))
    hit = rng.uniform(size=(3, 400)) < score
    off = hit[0] & (rng.uniform(size=400) < 0.4)
    pairs = {"a": (score[0], hit[0]), "b": (score[1], hit[1]), "off": (score[0], off)}
    zoo = {
        name: type("N", (), {"test": type("T", (), {"pairs": p})})
        for name, p in pairs.items()
    }
    monkeypatch.setattr(trained, "load_zoo", zoo.get)
    alike = trained.share_of_splits_that_disagree([["a", "b"]], np.argmin)
    assert 0.2 < alike < 0.8
    assert (
        trained.share_of_splits_that_disagree([["a", "off", "b"]] * 2, np.argmax) == 0
    )
    rows = np.arange(100)
    expected = [calib.ece(h[:100], s[:100]) for s, h in (pairs["a"], pairs["b"])]
    assert trained.eces_of([pairs["a"], pairs["b"]], rows) == expected


def test_a_loss_is_least_at_the_forecast_that_the_figure_shows():
    (ax,) = trained.draw_best_forecast_by_truth().axes
    drawn, tried = labelled(ax), np.linspace(0.001, 0.999, 999)
    logs = np.log(tried), np.log(1 - tried)

    def best(truth, of_true, of_false):
        return tried[np.argmin(truth * of_true + (1 - truth) * of_false)]

    for truth, forecast in drawn["cross-entropy"]:
        assert forecast == truth
    for truth, forecast in drawn["label smoothing,\nα = 0.2"][100::200]:
        smooth = 0.8 * truth + 0.1  # the label that is asked for
        assert forecast == pytest.approx(best(smooth, -logs[0], -logs[1]), abs=0.001)
    for truth, forecast in drawn["focal, γ = 3"][50::150]:
        right, wrong = -((1 - tried) ** 3) * logs[0], -(tried**3) * logs[1]
        assert forecast == pytest.approx(best(truth, right, wrong), abs=0.0015)


def test_a_weight_is_the_pull_of_focal_loss_by_that_of_cross_entropy():
    (ax,) = trained.draw_focal_weights().axes
    curves = labelled(ax)
    for gamma in (0, 1, 2, 3, 5):
        p, weight = curves[f"γ = {gamma}"][300]
        step = 1e-6
        slope = sum(
            sign * -((1 - q) ** gamma) * np.log(q)
            for sign, q in ((1, p + step), (-1, p - step))
        )
        assert weight == pytest.approx(-p * slope / (2 * step), rel=1e-4)
    assert losses.focal_weight(0.5, 0) == 1
    # each number stands on its line, where it is nearest to 0.6
    for text, gamma in zip(ax.texts, (1, 2, 3, 5), strict=False):
        x, y = text.get_position()
        assert (text.get_text(), y) == (f"{gamma}", pytest.approx(0.6, abs=0.01))
        assert losses.focal_weight(x, gamma) == pytest.approx(y)


def test_a_line_joins_the_printed_errors_of_a_network():
    figure = trained.draw_printed_ece_by_loss(printed(), pd.Series([1.0, 2.0]), NAMES)
    (ax,) = figure.axes
    lines = [points(ax, i)[:, 1].tolist() for i in range(2)]
    assert lines == printed().to_numpy().tolist()
    ends = {text.get_text(): text.get_position() for text in ax.texts}
    assert ends["CIFAR-10"] == (4.12, 4.5) and ends["CIFAR-100"] == (4.12, 5)
