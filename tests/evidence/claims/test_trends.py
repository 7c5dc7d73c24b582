"""Settings that differ in one level alone, on tables by hand."""

import pandas as pd
import pytest

from evidence import claims
from evidence.claims import trends
from evidence.claims.reasons import reason_of


def test_every_comparison_that_the_zoo_can_make_is_made():
    """Each claim about training reads all settings that differ in its factor alone."""
    index = claims.zoo_metrics().drop_duplicates("name")
    about = {}
    for claim in claims.load_claims():
        for spec in claim.tests.values():
            if spec["test"] in ("trend", "moves_more"):
                assert set(spec.get("rows", {})) <= {"metric", "method"}, claim.id
                about.setdefault(spec["level"], claim)
    seeded = index.dropna(subset=["seed"])
    factors = {f for f in trends.SETTINGS if any(trends.alike_but_for(seeded, f))}
    assert factors - {"dataset", "family", "training_images", "epochs"} <= set(about)
    reason = reason_of(about["batch_norm"].measured_on("zoo"), (0, 0, 0))
    assert "20 Newsgroups DAN, with batch normalisation: -" in reason
    assert "Fashion-MNIST ConvNet, with batch normalisation: +" in reason


SEEDS = (0.0, 0.1, -0.1)  # what each of three seeds adds


def along_depth(values, dataset="a", **about):
    """A network of each depth, three seeds each."""
    rows = [
        {"depth": depth, "seed": seed, "value": value + extra}
        for depth, value in values.items()
        for seed, extra in enumerate(SEEDS)
    ]
    return pd.DataFrame(rows).assign(dataset=dataset, metric="ECE", **about)


def test_a_trend_pairs_each_seed_with_itself():
    """The seeds differ by a tenth, their changes by nothing: the interval has no width."""
    cases = trends.trend(along_depth({2: 5.0, 8: 7.0}), level="depth", sign=1)
    assert cases.values.to_dict() == {("a", "2 to 8"): pytest.approx(2.0)}
    (setting,) = cases.settings
    assert setting["verdict"] == "holds" and setting["error"] == 0
    assert (setting["low"], setting["high"]) == (2.0, 2.0)


def test_the_error_of_a_setting_is_that_of_the_mean_of_its_seeds():
    """Of changes 1, 2, 3 and 6: their variance is 14/3, of their mean a quarter of it."""
    found = trends.shown_by_seeds(pd.Series([1.0, 2, 3, 6]), "a", 1, "points")
    assert found["error"] == pytest.approx((14 / 3 / 4) ** 0.5, rel=1e-3)
    assert found["estimate"] == 3 and found["low"] < 3 < found["high"]


def test_a_trend_is_read_in_each_setting_that_differs_in_nothing_else():
    rows = pd.concat(
        [
            along_depth({2: 5.0, 8: 7.0}, width=16),
            along_depth({2: 5.0, 8: 4.0}, width=64),
            along_depth({2: 5.0}, width=128),  # of one depth: it compares with nothing
        ]
    )
    cases = trends.trend(rows, level="depth", sign=1)
    changes = {name: round(value, 9) for (_, name), value in cases.values.items()}
    assert changes == {"width 16, 2 to 8": 2.0, "width 64, 2 to 8": -1.0}
    assert [s["verdict"] for s in cases.settings] == ["holds", "fails"]


def test_a_step_that_goes_the_other_way_is_told():
    rows = along_depth({2: 5.0, 4: 3.0, 8: 7.0})
    (setting,) = trends.trend(rows, level="depth", sign=1).settings
    assert setting["reason"].endswith("n = 3, but -2 from 2 to 4")


# keywords of the trend, and the changes that are read of 5, 3, 7 at the depths 2, 4, 8
ENDS = {
    "from end to end": ({}, {"2 to 8": 2.0}),
    "an order that is stated": ({"order": [8, 4, 2]}, {"8 to 2": -2.0}),
    "a level that is not there": ({"order": [2, 4, 16]}, {"2 to 4": -2.0}),
    "from one to others, of which one is not there": (
        {"first": 4, "last": [2, 16, 8]},
        {"4 to 2": 2.0, "4 to 8": 4.0},
    ),
}


@pytest.mark.parametrize("case", ENDS)
def test_the_ends_of_a_trend(case):
    keywords, expected = ENDS[case]
    rows = along_depth({2: 5.0, 4: 3.0, 8: 7.0})
    values = trends.trend(rows, level="depth", sign=1, **keywords).values
    results = {name: round(value, 9) for (_, name), value in values.items()}
    assert results == expected


def test_a_setting_of_two_seeds_is_left_out():
    rows = along_depth({2: 5.0, 8: 7.0})
    assert trends.trend(rows[rows["seed"] < 2], level="depth", sign=1).values.empty


def test_one_metric_moves_more_than_another_relative_to_its_mean():
    """From 4 to 6 is two fifths of the mean, from 90 to 110 one fifth."""
    ece = along_depth({2: 4.0, 8: 6.0}).assign(metric="ECE")
    accuracy = along_depth({2: 90.0, 8: 110.0}).assign(metric="Accuracy")
    rows = pd.concat([ece, accuracy])
    cases = trends.moves_more(rows, level="depth", metric="ECE", than="Accuracy")
    assert cases.values.tolist() == pytest.approx([0.2], abs=1e-3)
