"""Coverage of classes, the risk of what is kept, and what a temperature does to both."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import points, texts, ticks

import calib
from book.show.learn import sets_and_abstention as sets

CLASSES = [*"abcdefgh"]


def test_the_range_of_chance_has_the_variance_of_both_sets():
    calibration = SimpleNamespace(y=np.repeat(range(8), 50))
    test = SimpleNamespace(y=np.repeat(range(8), 200))
    covered = {"all": np.arange(80, 96, 2.0), "classes": np.full(8, 95.0)}
    (ax,) = sets.draw_coverage_of_classes(calibration, test, CLASSES, covered).axes
    assert points(ax, 0)[:, 0] == pytest.approx(covered["all"])
    assert points(ax, 1)[:, 0] == pytest.approx(95)
    low, width = ax.patches[0].get_x(), ax.patches[0].get_width()
    half = 196 * np.sqrt(0.95 * 0.05 / 200 + 0.95 * 0.05 / 50)
    assert (low, low + width) == pytest.approx((95 - half, 95 + half))
    assert (texts(ax), ticks(ax.yaxis)) == (["one threshold", "one each"], CLASSES)


def tail(**changes):
    """Growth of sets on three shown networks and on three others."""
    rows = [
        (source, "temperature", score, growth, low, temperature)
        for source, temperature, sign in (
            ("a", 1.5, 1),
            ("b", 2, 1),
            ("c", 1.2, 1),
            ("d", 3, 1),
            ("e", 1.1, 1),
            ("f", 0.9, -1),
        )
        for score, growth, low in (("aps", 0.5 * sign, 0.1), ("lac", -0.2, -0.3))
    ]
    columns = ["source", "calibrator", "score", "growth", "growth_low", "temperature"]
    table = pd.DataFrame(rows, columns=columns).assign(grew=1)
    table.loc[table.source == "e", "growth_low"] = -0.1
    return table.assign(**changes)


def test_networks_are_counted_whose_sets_clearly_grow(glued):
    table = tail()
    sets.glue_growth_of_sets(table[table.source <= "c"], table)
    assert glued == {"sets-lac-most": "0.20", "sets-hot": 2, "sets-hot-clear": 1}


@pytest.mark.parametrize(
    ("changed", "shown", "said"),
    [
        ({"grew": 0.9}, "c", "sets of APS grow"),
        ({"temperature": 1.2}, "c", "not sure enough"),
        ({"growth": [-0.1] * 12}, "c", "sets of all others grew"),
        ({"growth": [0.5, -0.2] * 6}, "c", "not sure enough"),
    ],
)
def test_sets_that_do_not_grow_as_the_text_says_stop_the_build(changed, shown, said):
    table = tail(**changed)
    with pytest.raises(ValueError, match=said):
        sets.glue_growth_of_sets(table[table.source <= shown], table)


def test_the_risk_is_the_share_of_errors_among_the_surest():
    rng = np.random.default_rng(0)
    raw = rng.dirichlet([1, 1, 1], 200)
    hit = (rng.uniform(size=200) < raw.max(axis=1)).astype(float)
    (ax,) = sets.draw_risk_by_coverage(hit, raw, raw**2).axes
    coverage, risk = points(ax, 0)[100]
    surest = np.argsort(-raw.max(axis=1))
    for near in (int(2 * coverage), int(2 * coverage) + 1):
        assert risk == pytest.approx(100 * (1 - hit[surest][:near]).mean(), abs=1)
    best = points(ax, 2)
    assert best[0, 1] == 0 and best[-1, 1] == pytest.approx(
        100 * (1 - hit.mean()), abs=0.5
    )
    constant = points(ax, 3)
    assert constant[50, 1] == pytest.approx(100 * (1 - hit.mean()), abs=0.5)
    aurc = 1000 * calib.aurc(hit, raw.max(axis=1))
    assert texts(ax)[0] == f"own confidence: {aurc:.1f}"


def test_networks_are_counted_where_a_map_changes_the_risk(glued, monkeypatch):
    rows = [
        (source, name, low, high, ece, accuracy)
        for source, gain in (("a", 0.0), ("b", 0.02))
        for name, low, high, ece, accuracy in (
            ("none", 0, 0, 0.1, 0.8),
            ("temperature", 0.01, 0.02, 0.05, 0.8),
            ("vector", -0.02, -0.01, 0.2, 0.8 + gain),
        )
    ]
    columns = ["source", "calibrator", "low", "high", "ece", "accuracy"]
    abstention = pd.DataFrame(rows, columns=columns)
    wide = pd.DataFrame({"none": [0.1, 0.2], "top-platt": [0.1, 0.2]})
    zoo = pd.DataFrame(
        {"name": list("xxyy"), "calibrator": ["none", "temperature"] * 2}
    )
    zoo["aurc"] = [1, 1.02, 2, 1.92]
    monkeypatch.setattr(sets, "load_results", lambda name: zoo)
    sets.glue_risk_after_maps(wide, abstention)
    assert glued == {
        "sets-temperature-lower": 0,
        "sets-temperature-higher": 2,
        "sets-temperature-answers": 0,
        "sets-vector-lower": 2,
        "sets-vector-higher": 0,
        "sets-vector-answers": 1,
        "sets-abstain-n": 2,
        "sets-zoo-n": 2,
        "sets-zoo-change": "3.0",
        "sets-ece-lower": 2,
    }
    with pytest.raises(ValueError, match="changes no order"):
        sets.glue_risk_after_maps(wide.assign(none=[0.1, 0.21]), abstention)
