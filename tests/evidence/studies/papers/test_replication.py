"""Cells of papers computed again: of small networks and tables by hand, and the printed ones."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.interpolate import CubicSpline

import calib
from evidence import Outputs, load_published, load_results
from evidence.studies.papers import replication

KEYS = ["paper", "table", "metric", "dataset", "model", "loss", "method"]
# four samples in no order; in halves and quarters, so that all sums are exact
SCORES, HITS = np.array([0.875, 0.5625, 0.9375, 0.75]), np.array([1, 1, 1, 0])


def outputs_of(score, hit):
    """Two classes: the first has the score, and is right where there is a hit."""
    return Outputs(1 - hit, probabilities=np.stack([score, 1 - score], axis=1))


@pytest.fixture
def publish(monkeypatch):
    """Replace all published tables by cells, each a text of keys and values."""

    def publish(*cells):
        rows = [dict(zip([*KEYS, "value"], cell, strict=True)) for cell in cells]
        table = pd.DataFrame(rows, columns=[*KEYS, "value"])
        monkeypatch.setattr(
            replication,
            "load_published",
            lambda paper: table[table["paper"] == paper],
        )

    return publish


@pytest.fixture
def network(monkeypatch):
    """Replace all sources by one network."""

    def network(**parts):
        monkeypatch.setattr(
            replication, "load_source", lambda name: SimpleNamespace(**parts)
        )

    return network


def test_printed_values_are_the_published_ones():
    for paper, rows in (
        load_results("replication").fillna({"loss": ""}).groupby("paper")
    ):
        both = rows.merge(load_published(paper), on=KEYS)
        assert len(both) == len(rows) and (both.printed == both.value).all()


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("Accuracy", 75),
        # each score in a bin of its own: .125, .4375, .0625 and .75, a quarter of each
        ("ECE", 34.375),
        # running sums by rising score: -.109375, .078125, .046875, .03125
        ("KS", 10.9375),
    ],
)
def test_a_cell_of_the_very_network_agrees(metric, value, publish, network):
    network(test=outputs_of(SCORES, HITS))
    head = (
        "gupta2021",
        1,
        metric,
        "CIFAR-10",
        "DenseNet-40",
        "",
        "Uncalibrated",
    )
    publish((*head, value + 0.002), ("gupta2021", 2, *head[2:], 1.0))
    (row,) = replication.other_kull_networks()
    assert row["recomputed"] == pytest.approx(value)
    assert row["difference"] == pytest.approx(-0.002)
    assert row["low"] < value < row["high"] and row["place"] == ""
    assert (row["source"], row["relation"]) == (
        "kull-cifar10-densenet40",
        "same network",
    )
    single = "10.9375, of which three decimals without rounding are 10.937"
    assert row["reason"].startswith("agrees")
    assert row["reason"].endswith(single if metric == "KS" else "agrees")
    assert row["script"] == (10.937 if metric == "KS" else "")


@pytest.mark.parametrize(
    ("value", "agrees", "text"),
    [
        (0.75001, False, "agrees, though agrees in words alone"),
        (0.75001, True, "agrees in words alone"),
        (0.75003, False, "agrees in words alone"),
    ],
)
def test_a_reason_agrees_by_its_flag_and_not_by_its_words(value, agrees, text, publish):
    publish(("gupta2021", 1, "ECE", "CIFAR-10", "VGG-16", "", "Uncalibrated", 75.0))
    (published,) = replication.select("gupta2021")
    reason = replication.Reason("agrees in words alone", agrees)
    recomputed = replication.Recomputed((SCORES, HITS), value, reason)
    row = replication.row_of_same_network(published, "here", recomputed)
    assert (row["reason"], row["relation"]) == (text, "same network")


def test_another_network_of_the_name_is_told_so(publish, network):
    network(test=outputs_of(np.full(4, 0.75), np.array([1, 1, 0, 0])))
    publish(("guo2017", 1, "ECE", "Birds", "ResNet-50", "", "Uncalibrated", 25.0))
    (row,) = replication.guo_birds()
    assert row["recomputed"] == 25 and row["difference"] == 0
    assert row["low"] == row["high"] == row["place"] == ""
    assert row["reason"].startswith("another network")


# from zero to .1 in forty steps: 2.5 % of them are one step
STEPS = [*np.linspace(0, 0.1, 41)]


@pytest.mark.parametrize(
    ("printed", "where", "place"),
    [(5.0, "inside", 20), (9.8, "outside", 40), (0.2, "outside", 1)],
)
def test_a_cell_of_halves_is_their_median_and_says_where_the_printed_one_lies(
    printed, where, place, publish
):
    publish(
        (
            "guo2017",
            1,
            "ECE",
            "ImageNet",
            "ResNet-152",
            "",
            "Uncalibrated",
            printed,
        )
    )
    key = ("northcutt-imagenet-resnet152", "Uncalibrated", "ECE, 15 bins")
    (row,) = replication.imagenet_siblings({key: STEPS})
    assert [row["low"], row["recomputed"], row["high"]] == pytest.approx(
        [0.25, 5, 9.75]
    )
    assert row["place"] == pytest.approx(place / 41)
    assert row["relation"] == "sibling"
    assert row["reason"].startswith(f"{where} the middle 95 % of the halves: other")


@pytest.mark.parametrize(
    ("metric", "method", "reason"),
    [
        ("ECE", "Uncalibrated", "other weights"),
        ("ECE", "Temperature scaling", "fitted to the five"),
        ("KDE-ECE", "Temperature scaling", "bandwidth"),
    ],
)
def test_a_sibling_differs_for_a_reason_of_its_method_or_metric(
    metric, method, reason, publish
):
    publish(("gupta2021", 7, metric, "ImageNet", "DenseNet-161", "", method, 0.05))
    halves = {("hollance-imagenet-densenet161", method, metric): STEPS}
    (row,) = replication.imagenet_siblings(halves)
    assert row["recomputed"] == pytest.approx(0.05)  # table 7 prints no percent
    assert f"inside the middle 95 % of the halves: {reason}" in row["reason"]


def test_networks_of_vasilev_are_the_same_presumed_or_siblings(
    publish, network, monkeypatch
):
    monkeypatch.setattr(replication, "vasilev_first_group", lambda: ["first"])
    network(about={"model": "VGG-16"})
    head = ("vasilev2021", 1, "NLL", "CIFAR-10")
    publish(
        (*head, "ResNet-50", "CE", "Uncalibrated", 0.05),
        (*head, "ResNet-50", "FL 3", "Uncalibrated", 0.05),
        (*head, "VGG-16", "", "Uncalibrated", 0.05),
        (*head, "VGG-16", "", "Temperature scaling", 0.05),
        (*head, "VGG-16", "", "Vector scaling", 0.05),
    )
    keys = [
        (source, "Uncalibrated", "NLL") for source in (*replication.GROUP_2, "first")
    ]
    halves = dict.fromkeys([*keys, ("first", "Temperature scaling", "NLL")], STEPS)
    rows = list(replication.vasilev(halves))
    assert [row["recomputed"] for row in rows] == pytest.approx([0.05] * 4)
    assert [row["relation"] for row in rows] == [
        "same network",
        "presumed the same network",
        "presumed sibling",
        "presumed sibling",
    ]
    reasons = [
        row["reason"].removeprefix("inside the middle 95 % of the halves: ")
        for row in rows
    ]
    assert [reason.split()[0] for reason in reasons] == [
        "the",
        "the",
        "weights",
        "fitted",
    ]
    assert "exponent" in reasons[1] and "exponent" not in reasons[0]


def simulated(rng, n=300):
    z = 2 * rng.standard_normal((n, 3))
    return Outputs((z + rng.gumbel(size=z.shape)).argmax(axis=1), logits=2 * z)


def scores_of_method(method, metric, fit, test):
    """Scores and hits of a cell, from the library's maps and views alone."""
    view = {
        "KS top-2": calib.top_r(2),
        "KS within-top-2": calib.within_top_r(2),
    }
    view = view.get(metric, calib.top_label)
    if method == "Vector scaling":
        p = calib.VectorScaling().fit(fit.logits, fit.y).predict_proba(test.logits)
        return view(test.y, p)
    score, hit = view(fit.y, calib.softmax(fit.logits))
    new, new_hit = view(test.y, calib.softmax(test.logits))
    if method == "Spline":
        n_knots = {"ECE": 13, "KS within-top-2": 14}.get(metric, 6)
        spline = calib.SplineCalibration(n_knots=n_knots, floor=0)
        return spline.fit(score, hit).predict(new), new_hit
    return new, new_hit


@pytest.mark.parametrize(
    ("method", "metric", "reason"),
    [
        ("Uncalibrated", "ECE", "agrees"),
        ("Uncalibrated", "KS top-2", "agrees; with running"),
        ("Vector scaling", "KS", "agrees, though Gupta took"),
        ("Spline", "KS", "agrees, though 6 knots"),
        ("Spline", "ECE", "agrees, though 13 knots"),
        ("Spline", "KS within-top-2", "agrees, though 14 knots"),
    ],
)
def test_methods_on_the_network_itself(method, metric, reason, publish, network):
    rng = np.random.default_rng(3)
    fit, test = simulated(rng), simulated(rng)
    network(to_fit=fit, test=test)
    score, hit = scores_of_method(method, metric, fit, test)
    error = (
        calib.ece(hit, score, n_bins=25)
        if metric == "ECE"
        else calib.ks_error(hit, score)
    )
    head = ("gupta2021", 2, metric, "CIFAR-10", "ResNet-110", "", method)
    near, far = (*head, 100 * error - 0.001), (*head, 100 * error + 0.003)
    publish(near, ("gupta2021", 3, *head[2:], 1.0), far)
    row, other = replication.resnet110_cifar10([method])
    assert row["recomputed"] == other["recomputed"] == pytest.approx(100 * error)
    assert other["reason"] == row["reason"].replace("agrees, though ", "")
    assert row["low"] <= row["high"] and row["reason"].startswith(reason)


def test_accuracy_after_splines_is_that_of_all_ranks(publish, network):
    rng = np.random.default_rng(3)
    fit, test = simulated(rng), simulated(rng)
    network(to_fit=fit, test=test)
    head = ("gupta2021", 4, "Accuracy", "CIFAR-10", "ResNet-110", "", "Spline")
    publish((*head, 1.0))
    (row,) = replication.resnet110_cifar10(["Spline"])
    spline = calib.RankWise(calib.SplineCalibration(floor=0)).fit(fit.logits, fit.y)
    p = spline.predict_proba(test.logits)
    assert row["recomputed"] == pytest.approx(100 * calib.accuracy(test.y, p))
    assert row["reason"] == "how the ranks' splines are put together is not printed"


@pytest.mark.parametrize(
    ("printed", "twin", "ending"),
    [
        (
            40.0,
            40.0,
            "100.000; the printed value is that of WRN-32 too, perhaps copied",
        ),
        (40.0, 41.0, "100.000"),
        (60.0, 60.0, "100.000"),
    ],
)
def test_a_cell_below_all_penalties_that_another_network_has_is_perhaps_copied(
    printed, twin, ending, publish, monkeypatch
):
    rights = [[1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 0]]
    monkeypatch.setattr(
        replication,
        "over_all_penalties",
        lambda kind: [outputs_of(SCORES, np.array(hits)) for hits in rights],
    )
    head = ("gupta2021", 6, "Accuracy", "CIFAR-10")
    publish(
        (*head, "ResNet-110", "", "MS-ODIR", printed),
        (*head, "WRN-32", "", "MS-ODIR", twin),
    )
    reason = replication.odir_reason("MS-ODIR", "Accuracy", printed)
    assert reason.text.endswith(f"the value runs from 50.000 to {ending}")
    assert (reason.least, reason.most) == (50, 100)
    assert reason.copied == ("WRN-32" if "WRN-32" in ending else "")


def test_the_script_takes_the_slope_at_the_fractiles_and_exchanges_two_weights():
    """With as many knots as scores its spline is the natural one through all sums."""
    x = np.array([0.1, 0.2, 0.4, 0.5, 0.7, 0.8])
    hit = np.array([0, 1, 0, 0, 1, 1])
    sums, fractile = [], []
    for i in range(6):
        sums.append(sum(hit[j] - x[j] for j in range(i + 1)) / 6)
        fractile.append(i / 5)
    spline = CubicSpline(fractile, sums, bc_type="natural")
    value = np.clip(x + spline(fractile, 1), 0, 1)
    order = np.array([3, 0, 5, 1, 4, 2])
    new = np.array([0.05, 0.2, 0.25, 0.7, 0.75, 0.8, 0.9])
    result = replication.script_spline(x[order], hit[order], new, 6)
    unclipped = x + spline(fractile, 1)
    # a quarter of the way from .2 to .4: a quarter of the lower value, three of the upper
    quarter = unclipped[1] / 4 + 3 * unclipped[2] / 4
    middle = (unclipped[4] + unclipped[5]) / 2
    # at a score itself the value of the score below
    inner = np.clip([unclipped[0], quarter, unclipped[3], middle], 0, 1)
    expected = [value[0], *inner, value[5], value[5]]
    assert result == pytest.approx(expected, abs=1e-4)


def test_numbers_that_a_stored_reason_names_stand_in_its_columns():
    for row in load_results("replication").itertuples():
        for number in (row.script, row.least, row.most):
            assert np.isnan(number) or f"{number:.3f}" in row.reason, row
        assert pd.isna(row.copied) == ("copied" not in row.reason), row
