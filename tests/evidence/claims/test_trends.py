"""The tests of how networks differ, on tables by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f_oneway, linregress, ncf, spearmanr, t, ttest_ind

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


# ------------------------------------------------------------------ settings and seeds


def test_a_trend_pairs_each_seed_with_itself():
    """The seeds differ by a tenth, their changes by nothing: the interval has no width."""
    cases = trends.trend(along_depth({2: 5.0, 8: 7.0}), level="depth", sign=1)
    assert cases.values.to_dict() == {("a", "2 to 8"): pytest.approx(2.0)}
    (setting,) = cases.settings
    assert setting["verdict"] == "holds" and setting["error"] == 0
    assert (setting["low"], setting["high"]) == (2.0, 2.0)


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
    "from one to others": (
        {"first": 4, "last": [2, 8]},
        {"4 to 2": 2.0, "4 to 8": 4.0},
    ),
}


@pytest.mark.parametrize("case", ENDS)
def test_the_ends_of_a_trend(case):
    keywords, expected = ENDS[case]
    rows = along_depth({2: 5.0, 4: 3.0, 8: 7.0})
    values = trends.trend(rows, level="depth", sign=1, **keywords).values
    found = {name: round(value, 9) for (_, name), value in values.items()}
    assert found == expected


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


# ------------------------------------------------------------------ networks


def networks(n, rng, **columns):
    names = [f"n{i}" for i in range(n)]
    rows = pd.DataFrame({"dataset": names, "case": names, "kin": names})
    return rows.assign(**{k: f(rng, n) for k, f in columns.items()})


def test_a_correlation_is_spearmans_on_the_scale_of_fisher():
    rng = np.random.default_rng(1)
    rows = networks(20, rng, x=lambda rng, n: rng.random(n))
    rows["y"] = rows["x"] + 0.3 * rng.random(20)
    cases = trends.correlates(rows, x="x", y="y", sign=1)
    interval = cases.interval_of(cases.values, {})
    rho = spearmanr(rows["x"], rows["y"]).statistic
    assert cases.to_shown(interval.estimate) == pytest.approx(rho)
    alike = cases.interval_of(cases.values, {"dataset": ["one"] * 20})
    assert alike.high - alike.low > interval.high - interval.low


def test_a_correlation_with_a_column_that_is_not_there_has_no_cases():
    rows = networks(9, np.random.default_rng(1), x=lambda rng, n: rng.random(n))
    cases = trends.correlates(rows, x="x", y="y", sign=1)
    assert cases.values.empty and cases.what == "x or y is missing"


def test_a_slope_is_that_of_least_squares():
    rng = np.random.default_rng(2)
    x, noise = rng.random((2, 12))
    y = 3 * x + 0.1 * noise
    names = [f"n{i}" for i in range(12)]
    long = [
        {"dataset": name, "case": name, "method": method, "value": value}
        for name, a, b in zip(names, x, y, strict=True)
        for method, value in (("x", a), ("y", b))
    ]
    cases = trends.slope(pd.DataFrame(long), x="x", y="y", sign=1, of=1.0)
    interval = cases.interval_of(cases.values, {})
    fit = linregress(x, y)
    assert interval.estimate == pytest.approx(fit.slope)
    assert interval.p(0.0) == pytest.approx(fit.pvalue, rel=1e-6)
    assert cases.reference == 1.0
    one_set = cases.interval_of(cases.values, {"dataset": ["one"] * 12})
    # twelve of one data set tell as much of a mean as so many drawn singly
    singly = 1 / (0.7 / 12 + 0.3)
    error = fit.stderr * (12 / singly) ** 0.5
    ends = t(singly - 2, fit.slope, error).interval(0.95)
    assert (one_set.low, one_set.high) == pytest.approx(ends)


def test_groups_are_compared_by_welch():
    rng = np.random.default_rng(3)
    rows = networks(14, rng, value=lambda rng, n: rng.random(n))
    rows["family"] = ["old"] * 6 + ["new"] * 8
    groups = {"column": "family", "first": "old", "second": "new", "sign": 1}
    cases = trends.between(rows, **groups)
    interval = cases.interval_of(cases.values, {})
    of = rows.groupby("family")["value"]
    welch = ttest_ind(of.get_group("new"), of.get_group("old"), equal_var=False)
    assert interval.estimate == pytest.approx(of.mean()["new"] - of.mean()["old"])
    ends = welch.confidence_interval()
    assert (interval.low, interval.high) == pytest.approx((ends.low, ends.high))
    ratio = trends.between(rows, **groups, log=True)
    logs = np.log(rows["value"]).groupby(rows["family"]).mean()
    estimate = ratio.interval_of(ratio.values, {}).estimate
    assert estimate == pytest.approx(logs["new"] - logs["old"])


def test_a_group_of_one_kind_of_model_is_drawn_singly():
    rows = networks(12, np.random.default_rng(4), value=lambda rng, n: rng.random(n))
    rows["family"] = ["old"] * 6 + ["new"] * 6
    rows["kin"] = ["one model"] * 6 + ["x", "y"] * 3
    cases = trends.between(rows, column="family", first="old", second="new", sign=1)
    kin = cases.values.index.get_level_values("kin")
    assert len(set(kin)) == 6 + 2  # the first group's have their own names


def test_from_one_level_to_another_a_group_rises_more():
    """Old networks rise by one, new ones by three."""
    rises = {"old": 1.0, "new": 3.0}
    rows = [
        {"dataset": "a", "case": f"{family}{i}", "family": family, "away": away}
        | {"value": i + (rise + 0.1 * i) * (away == "shifted")}
        for (family, rise), i, away in product(
            rises.items(), range(4), ("clean", "shifted")
        )
    ]
    groups = {"column": "family", "first": "old", "second": "new", "sign": 1}
    levels = {"level": "away", "low": "clean", "high": "shifted"}
    cases = trends.rises_more(pd.DataFrame(rows), **levels, **groups)
    estimate = cases.interval_of(cases.values, {}).estimate
    assert estimate == pytest.approx(2.0)


def test_two_metrics_are_compared_and_no_steps_of_one_thing():
    rows = pd.DataFrame({"case": "n", "metric": ["ECE", "MCE"], "value": [1.0, 3.0]})
    found = trends.changes(rows, level="metric", first="ECE", last="MCE")
    assert found.what == "MCE less ECE" and found.values.tolist() == [2.0]


def test_changes_and_pairs_are_differences_of_one_network():
    rows = pd.DataFrame(
        [("a", "n1", 1.0, 4.0), ("a", "n2", 2.0, 8.0), ("a", "n3", 5.0, np.nan)],
        columns=["dataset", "case", "clean", "shifted"],
    ).melt(["dataset", "case"], var_name="away")
    changes = trends.changes(rows, level="away", first="clean", last="shifted")
    assert changes.values.tolist() == [3.0, 6.0]
    assert changes.what == "away from clean to shifted"
    pairs = {"column": "away", "first": "clean", "second": "shifted", "keys": []}
    assert trends.paired(rows, **pairs, sign=1).values.tolist() == [3.0, 6.0]
    logs = trends.paired(rows, **pairs, sign=1, log=True).values
    assert logs.tolist() == pytest.approx([np.log(4), np.log(4)])


# ------------------------------------------------------------------ families and fronts


def test_families_that_rise_are_counted():
    """One rises, one falls; two sizes are too few, and one value says nothing."""
    families = {
        "rises": [(1, 1.0), (2, 2.0), (3, 4.0)],
        "falls": [(1, 3.0), (2, 2.0), (3, 1.0)],
        "two sizes": [(1, 1.0), (2, 2.0)],
        "one value": [(1, 1.0), (2, 1.0), (3, 1.0)],
    }
    rows = pd.DataFrame(
        [(name, x, y) for name, cells in families.items() for x, y in cells],
        columns=["siblings", "size", "value"],
    )
    cases = trends.families_rise(rows, x="size")
    assert cases.values.to_dict() == {("falls",): False, ("rises",): True}
    falling = trends.families_rise(rows, x="size", sign=-1).values
    assert falling.to_dict() == {("falls",): True, ("rises",): False}


def test_families_explain_what_they_were_made_to_explain():
    """The logarithm of the value is the size's, a family's, and a little noise."""
    rng = np.random.default_rng(5)
    rows = networks(60, rng, size=lambda rng, n: rng.random(n))
    rows["family"] = np.resize(["a", "b", "c"], 60)
    effect = rows["family"].map({"a": 0.0, "b": 1.0, "c": -1.0})
    noise = 0.3 * rng.standard_normal(60)
    for strength, explained in ((1.0, True), (0.0, False)):
        made = rows.assign(value=np.exp(rows["size"] + strength * effect + noise))
        cases = trends.families_explain(made, given=["size"])
        interval = cases.interval_of(cases.values, {})
        assert (interval.estimate > 0.8) == explained
        assert (interval.low > 0.1) == explained
        assert (interval.p(0.0) < 0.001) == explained


def test_the_share_that_families_explain_has_an_interval_of_95_percent():
    """Its ends are the noncentralities at which F has 2.5 % beyond what was found (Steiger)."""
    rng = np.random.default_rng(6)
    families = np.repeat(np.eye(3), 8, axis=0)
    y = families @ [0.0, 1.0, 2.0] + 0.8 * rng.standard_normal(24)
    ones = np.ones((24, 1))
    interval = trends.explained_interval(y, ones, np.hstack([ones, families[:, 1:]]))
    found = f_oneway(*y.reshape(3, 8))
    # of F one tail says that something is explained; a p-value here is of both sides
    assert interval.p(0.0) == pytest.approx(2 * found.pvalue)
    ends = np.array([interval.low, interval.high])
    # a share is the noncentrality divided by itself and the number of samples
    below = ncf.cdf(found.statistic, 2, 21, 24 * ends / (1 - ends))
    assert below == pytest.approx([0.975, 0.025], abs=1e-4)


def test_families_that_explain_nothing_are_seldom_said_to():
    """Of 60 networks in six families: in one draw of a hundred, as often as the judge allows."""
    rng, ones = np.random.default_rng(7), np.ones((60, 1))
    families = np.repeat(np.eye(6)[:, 1:], 10, axis=0)
    n_certain = 0
    for _ in range(1500):
        y = rng.standard_normal(60)
        interval = trends.explained_interval(y, ones, np.hstack([ones, families]))
        n_certain += interval.estimate > 0 and interval.p(0.0) / 2 < 0.01
    assert 5 <= n_certain <= 25


def test_the_nearest_in_size_is_compared():
    rows = pd.DataFrame(
        [("n1", "new", 10, 1.0), ("o1", "old", 9, 2.0), ("o2", "old", 30, 0.5)],
        columns=["case", "family", "size", "value"],
    )
    cases = trends.nearest(rows, column="family", member="new", than="old", by="size")
    assert cases.values.to_dict() == {"n1": True}


def test_on_a_front_nobody_is_better_in_both():
    table = pd.DataFrame({"error": [1, 2, 3, 2, 1], "ece": [3, 2, 1, 3, 3]})
    on_front = [
        not any(
            (other.error <= row.error and other.ece <= row.ece)
            and (other.error < row.error or other.ece < row.ece)
            for other in table.itertuples()
        )
        for row in table.itertuples()
    ]
    assert trends.pareto(table, "error", "ece").tolist() == on_front
    assert on_front == [True, True, True, False, True]


def test_who_stays_on_the_front_is_counted():
    """Clean: a and b are on it. Shifted: b is beaten by a in both."""
    cells = {
        ("clean", "a"): (90.0, 5.0),
        ("clean", "b"): (80.0, 1.0),
        ("clean", "c"): (70.0, 6.0),
        ("shifted", "a"): (60.0, 2.0),
        ("shifted", "b"): (50.0, 3.0),
        ("shifted", "c"): (40.0, 1.0),
    }
    rows = pd.DataFrame(
        [
            (level, case, metric, value)
            for (level, case), values in cells.items()
            for metric, value in zip(("Accuracy", "ECE"), values, strict=True)
        ],
        columns=["away", "case", "metric", "value"],
    )
    cases = trends.stays_pareto(rows, column="away", first="clean", others=["shifted"])
    assert cases.values.droplevel("level").to_dict() == {"a": True, "b": False}


# ------------------------------------------------------------------ curves


def curve(values, metric, split="test"):
    rows = pd.DataFrame({"step": range(len(values)), "value": values})
    return rows.assign(metric=metric, split=split, case="n", name="n", dataset="a")


def test_a_curve_that_rises_again_overfits():
    rising, flat = [3.0, 1.0, 2.0], [3.0, 1.0, 1.009]
    for values, overfits in ((rising, True), ([3.0, 1.0, 1.011], True), (flat, False)):
        cases = trends.overfits(curve(values, "NLL"), metric="NLL")
        assert cases.values.to_dict() == {("n", "NLL"): overfits}
    better, worse = [50.0, 60.0, 61.0], [50.0, 60.0, 59.0]
    for accuracy, overfits in ((better, True), (worse, False)):
        rows = pd.concat([curve(rising, "NLL"), curve(accuracy, "Accuracy")])
        cases = trends.overfits(rows, metric="NLL", while_metric="Accuracy")
        assert cases.values.to_dict() == {("n", "NLL"): overfits}


def test_the_end_of_a_curve_lies_between_limits():
    rows = curve([9.0, 1.0, 3.0], "NLL", split="train")
    ends = {"metric": "NLL", "split": "train"}
    assert trends.ends(rows, **ends, below=4.0).values.all()
    assert not trends.ends(rows, **ends, below=2.0).values.any()
    assert trends.ends(rows, metric="NLL", split="test", below=4.0).values.empty


# tests of how networks differ, of a method "C" that none has
NO_NETWORK = {
    "slope": {"x": "A", "y": "C", "sign": 1, "of": 1.0},
    "changes": {"level": "method", "first": "A", "last": "C"},
    "paired": {
        "column": "method",
        "first": "A",
        "second": "C",
        "keys": ["case"],
        "sign": 1,
    },
    "between": {"column": "method", "first": "A", "second": "C", "sign": 1},
    "rises_more": {
        "level": "method",
        "low": "A",
        "high": "C",
        "column": "family",
        "first": "a",
        "second": "b",
        "sign": 1,
    },
}


@pytest.mark.parametrize("name", NO_NETWORK)
def test_a_method_that_no_network_has_makes_no_cases(name):
    rows = pd.DataFrame(
        {"family": family, "case": case, "method": method, "value": 1.0}
        for family, case in (("a", "n1"), ("a", "n2"), ("b", "n3"))
        for method in ("A", "B")
    )
    assert getattr(trends, name)(rows, **NO_NETWORK[name]).values.empty
