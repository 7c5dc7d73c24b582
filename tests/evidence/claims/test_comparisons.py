"""Tests that compare methods, on tables by hand."""

import numpy as np
import pandas as pd
import pytest

from evidence.claims import comparisons


def long(cells, columns=("case", "method", "value"), **about):
    """Rows of a metric on a data set."""
    rows = pd.DataFrame(cells, columns=list(columns))
    return rows.assign(**{"dataset": "a", "metric": "ECE"} | about)


def by_method(table, metric="ECE"):
    """Rows of each network's methods: {"n1": {"A": 1.0, "B": 2.0}}."""
    cells = [(n, m, x) for n, methods in table.items() for m, x in methods.items()]
    return long(cells, metric=metric)


# keywords of `lower`, and which of three networks agree that A is lower than B
LOWER = {
    "lower": ({}, [True, False, False]),
    "by a margin": ({"by": 1.5}, [False, False, False]),
    "or a little above": ({"by": -0.5}, [True, True, False]),
    "than a multiple": ({"factor": 2.0}, [True, True, True]),
}


@pytest.mark.parametrize("case", LOWER)
def test_lower_by_a_margin_or_than_a_multiple(case):
    keywords, agree = LOWER[case]
    values = {"n1": (1.0, 2.0), "n2": (1.2, 1.0), "n3": (3.0, 2.0)}
    rows = by_method({n: {"A": a, "B": b} for n, (a, b) in values.items()})
    cases = comparisons.lower(rows, member="A", than="B", **keywords)
    assert cases.values.tolist() == agree


def test_a_method_that_no_network_has_makes_no_cases():
    rows = by_method({"n1": {"A": 1.0, "B": 2.0}})
    assert comparisons.lower(rows, member="A", than="C").values.empty
    pairs = comparisons.lower(rows, member="A", than=["B", "C"], each=True)
    assert pairs.values.tolist() == [True]
    assert "A and B 100%" in pairs.note


def test_one_network_is_below_all_others_of_its_data_set():
    cells = [("ours", "A", 1.0), ("n1", "B", 2.0), ("n2", "B", 1.5)]
    rows = pd.concat([long(cells), long(cells[:2], dataset="b").assign(value=3.0)])
    cases = comparisons.below_all_others(rows, member="A", column="method")
    assert cases.values.tolist() == [True, False]  # a tie is not below
    assert cases.note == "a ours 1, least 1.5; b ours 3, least 3"


def test_values_fall_along_an_order():
    rows = by_method(
        {
            "falls": {"A": 3.0, "B": 2.0, "C": 1.0},
            "turns": {"A": 3.0, "B": 1.0, "C": 2.0},
            "lacks one": {"A": 3.0, "B": 2.0},
        }
    )
    cases = comparisons.ordered(rows, order=["A", "B", "C"], column="method")
    assert cases.values.droplevel(0).to_dict() == {
        "falls": True,
        "turns": False,
    }


def test_each_method_exceeds_a_limit_somewhere():
    rows = by_method({"n1": {"A": 9.0, "B": 1.0}, "n2": {"A": 1.0, "B": 2.0}})
    cases = comparisons.somewhere_above(rows, above=5.0)
    assert cases.values.to_dict() == {"A": True, "B": False}


def test_the_gap_of_two_methods_is_compared_between_metrics():
    """By the ECE the worse of the two has twice the value, by the NLL a tenth more."""
    rows = pd.concat(
        [
            by_method({"n": {"A": 1.0, "B": 2.0}}, metric="ECE"),
            by_method({"n": {"A": 1.0, "B": 1.1}}, metric="NLL"),
        ]
    )
    for metric, largest in (("ECE", True), ("NLL", False)):
        cases = comparisons.largest_relative_gap(
            rows, metric=metric, methods=["A", "B"]
        )
        assert cases.values.to_dict() == {"ECE, 50%": largest}


def test_two_metrics_order_methods_alike_or_the_other_way():
    ece = by_method({"n": {"A": 1.0, "B": 2.0, "C": 3.0}}, metric="ECE")
    for values, tau in (
        ((4, 5, 6), 1.0),
        ((6, 5, 4), -1.0),
        ((4, 6, 5), 1 / 3),
    ):
        other = by_method({"n": dict(zip("ABC", values, strict=True))}, metric="NLL")
        rows = pd.concat([ece, other])
        cases = comparisons.agreement(rows, pair=["ECE", "NLL"])
        assert cases.values.tolist() == pytest.approx([tau])


# ------------------------------------------------------------------ places in a row

# the places of A: alone the first, the first with B, the second, the third
PLACES = {
    "first": {"A": 1.0, "B": 2.0, "C": 3.0},
    "first with B": {"A": 1.0, "B": 1.0, "C": 3.0},
    "second": {"A": 1.4, "B": 1.0, "C": 3.0},
    "third": {"A": 4.0, "B": 1.0, "C": 3.0},
}
LAST = {"last": {"A": 3.0, "B": 2.0, "C": 1.0}}


def who_agree(cases):
    """The networks that agree with a claim."""
    return {*cases.values[cases.values].index.get_level_values("case")}


@pytest.mark.parametrize(
    ("keywords", "agree"),
    [
        ({"member": "A"}, {"first", "first with B"}),
        ({"member": "A", "places": 2}, {"first", "first with B", "second"}),
        ({"member": ["A", "C"]}, {"first", "first with B"}),
        ({"member": "A", "negate": True}, {"second", "third"}),
        ({"member": "A", "places": 2, "negate": True}, {"third"}),
    ],
)
def test_a_method_has_one_of_the_lowest_places(keywords, agree):
    assert who_agree(comparisons.lowest(by_method(PLACES), **keywords)) == agree


def test_a_method_is_lowest_by_the_sum_of_metrics():
    """A has 1 + 5, B has 2 + 3; of the second network only one metric is known."""
    ece = by_method({"n1": {"A": 1.0, "B": 2.0}, "n2": {"A": 1.0, "B": 2.0}})
    nll = by_method({"n1": {"A": 5.0, "B": 3.0}}, metric="NLL")
    cases = comparisons.lowest(pd.concat([ece, nll]), member="A", summed=True)
    assert cases.values.droplevel("dataset").to_dict() == {
        "n1": False,
        "n2": True,
    }


def test_a_method_is_the_highest_of_its_row():
    rows = by_method(PLACES | LAST | {"nearly": {"A": 2.9, "B": 3.0, "C": 1.0}})
    assert who_agree(comparisons.highest(rows, member="A")) == {"third", "last"}
    tie = by_method({"n": {"A": 2.0, "B": 2.0}})
    assert comparisons.highest(tie, member="A").values.all()


@pytest.mark.parametrize(
    ("within", "agree"),
    [
        (0.1, {"first", "first with B"}),
        (0.5, {"first", "first with B", "second"}),
        (3.0, {"first", "first with B", "second", "third"}),
    ],
)
def test_a_method_is_within_a_distance_of_the_lowest(within, agree):
    cases = comparisons.near_lowest(by_method(PLACES), member="A", within=within)
    assert who_agree(cases) == agree


def test_a_difference_of_half_a_point_as_printed_is_within_half_a_point():
    """1.1 - .6 is more than .5 as it is stored."""
    pairs = {
        "same": (1.0, 1.0),
        "up": (1.1, 0.6),
        "down": (0.6, 1.1),
        "far": (2, 1.4),
    }
    rows = by_method({n: {"A": a, "B": b} for n, (a, b) in pairs.items()})
    cases = comparisons.unchanged(rows, member="A", reference="B", within=0.5)
    assert who_agree(cases) == {"same", "up", "down"}


def test_a_method_is_second_where_one_method_beats_it():
    """Where B does not beat it there is no case."""
    cases = comparisons.second_when_beaten(by_method(PLACES), member="A", by="B")
    result = cases.values.droplevel("dataset").to_dict()
    assert result == {"second": True, "third": False}


def test_a_method_is_close_where_one_method_beats_it():
    """B leads by .4 and by 3."""
    for gap, near in ((0.3, []), (0.5, ["second"]), (4.0, ["second", "third"])):
        cases = comparisons.close_when_beaten(
            by_method(PLACES), member="A", by="B", gap=gap
        )
        assert cases.values.droplevel("dataset").to_dict() == {
            name: name in near for name in ("second", "third")
        }


@pytest.mark.parametrize(
    ("gap", "agree"), [(0.3, {"first"}), (0.5, {"first", "second"})]
)
def test_a_method_is_like_the_first_choice(gap, agree):
    """The third is no second, however small its gap; a tie is neither lower nor second."""
    near = {"near third": {"A": 1.2, "B": 1.0, "C": 1.1}}
    rows = by_method(PLACES | near)
    cases = comparisons.like_the_first_choice(rows, member="A", by="B", gap=gap)
    assert who_agree(cases) == agree


# ------------------------------------------------------------------ orders by two metrics

# the first two methods by three metrics: which metric names another best than the ECE
BESTS = {
    "ECE": {"n1": (1, 2), "n2": (1, 2), "n3": (1, 2), "n4": (1, 2)},
    "NLL": {"n1": (2, 1), "n2": (2, 1), "n3": (2, 1), "n4": (1, 2)},
    "Brier": {"n1": (1, 2), "n2": (1, 2), "n3": (2, 1), "n4": (1, 2)},
}


def bests():
    rows = [
        by_method(
            {n: {"A": a, "B": b} for n, (a, b) in networks.items()},
            metric=metric,
        )
        for metric, networks in BESTS.items()
    ]
    return pd.concat(rows)


def test_metrics_name_different_best_methods():
    cases = comparisons.winners_differ(bests(), metrics=["ECE", "NLL"])
    assert who_agree(cases) == {"n1", "n2", "n3"}
    both = comparisons.winners_differ(bests(), metrics=["ECE", "NLL", "Brier"])
    assert both.values.groupby("metric").sum().to_dict() == {
        "NLL": 3,
        "Brier": 1,
    }


def test_metrics_name_different_best_methods_more_often_than_others():
    """ECE and NLL differ on three networks, ECE and Brier score on one of them."""
    cases = comparisons.winners_differ(
        bests(), metrics=["ECE", "NLL"], beside=["ECE", "Brier"]
    )
    result = cases.values.droplevel("dataset").to_dict()
    assert result == {"n1": 1.0, "n2": 1.0, "n3": 0.0, "n4": 0.0}
    assert "in 75%, by ECE and Brier in 25%" in cases.what


def test_one_metric_orders_methods_more_like_another_than_others_do():
    """Kendall's tau with the NLL: the ECE 1, the KS error 1/3, the Brier score -1."""
    orders = {
        "NLL": (1, 2, 3),
        "ECE": (4, 5, 6),
        "KS": (4, 6, 5),
        "Brier": (3, 2, 1),
    }
    rows = pd.concat(
        by_method({"n": dict(zip("ABC", values, strict=True))}, metric=metric)
        for metric, values in orders.items()
    )
    for than, change in ((["KS"], 2 / 3), (["KS", "Brier"], 1 + 1 / 3)):
        cases = comparisons.agrees_more(rows, pair=["ECE", "NLL"], than=than)
        assert cases.values.tolist() == pytest.approx([change])


# ------------------------------------------------------------------ halves of test sets


def halves(differs, taus=(0.5, 0.5, 0.5)):
    """What halves of one network say: of ECE and ECE, ECE and NLL, NLL and NLL."""
    pairs = [("ECE", "ECE"), ("ECE", "NLL"), ("NLL", "NLL")]
    rows = pd.DataFrame(pairs, columns=["first", "second"])
    return rows.assign(dataset="a", case="n", differs=differs, tau=taus)


def test_metrics_differ_where_they_do_beyond_what_chance_makes():
    """By one metric halves differ in a fifth; across in .8: (.8 - .2) / (1 - .2) = .75."""
    rows = halves([0.2, 0.8, 0.2])
    names = {"first": "ECE", "second": "NLL"}
    cases = comparisons.winners_differ_by_metric(rows, **names)
    assert cases.values.tolist() == [True]
    assert "in 80% of the splits" in cases.what and "alone in 20%" in cases.what
    clearer = comparisons.winners_differ_by_metric(rows, **names, clear=0.76)
    assert clearer.values.tolist() == [False]
    turned = {"first": "NLL", "second": "ECE"}
    assert comparisons.winners_differ_by_metric(rows, **turned).values.tolist() == [
        True
    ]


def test_the_steadier_metric_orders_halves_more_alike():
    rows = halves([0.0, 0.0, 0.0], taus=(0.9, 0.1, 0.4))
    cases = comparisons.steadier(rows, metric="ECE", than="NLL")
    assert cases.values.tolist() == pytest.approx([0.5])


# ------------------------------------------------------------------ sizes of samples


def test_a_map_that_needs_data_is_worse_with_few_samples_alone():
    """A fit without a minimum counts as worse."""
    sizes = (100, 1000, 10_000)
    of_map = {
        "needs data": (9.0, 5.0, 1.0),
        "no minimum": (np.nan, 5.0, 1.0),
        "always worse": (9.0, 5.0, 3.0),
        "soon better": (9.0, 1.0, 1.0),
    }
    rows = [
        {"dataset": "a", "case": case, "n": n, "calibrator": name, "nll": value}
        for case, values in of_map.items()
        for n, flexible in zip(sizes, values, strict=True)
        for name, value in (("matrix", flexible), ("temperature", 2.0))
    ]
    # who was not measured with few samples tells nothing of few
    rows += [
        row | {"case": "all alone"}
        for row in rows
        if row["case"] == "needs data" and row["n"] == sizes[-1]
    ]
    cases = comparisons.needs_data(
        pd.DataFrame(rows),
        members=["matrix"],
        than="temperature",
        metric="nll",
        few=1000,
    )
    assert cases.values.droplevel(["dataset", "pair"]).to_dict() == {
        "needs data": True,
        "no minimum": True,
        "always worse": False,
        "soon better": False,
    }


# ------------------------------------------------------------------ what chance makes


def test_what_chance_makes_of_a_metric_is_in_points_and_by_its_own_brier_score():
    """Of 100 samples with the Brier scores .08 and .02: the root of pi / 2 times these."""
    briers = {"Top-1 Brier": 0.08, "Top-2 Brier": 0.02}
    rows = pd.concat(long([("n1", "A", b)], metric=name) for name, b in briers.items())
    rows = rows.assign(n=100)
    for metric, by_hand in (
        ("KS", 3.5449),
        ("KS top-2", 1.7725),
        ("ECE", 8.7404),
    ):
        chance = comparisons.by_chance(rows, "A", metric).item()
        assert chance == pytest.approx(by_hand, abs=1e-4)


def test_what_was_measured_of_chance_is_taken_before_the_formula():
    rows = long([("n1", "A", 0.7)], metric="ECE by chance").assign(n=100)
    assert comparisons.by_chance(rows, "A", "ECE").item() == 0.7


def test_a_limit_beyond_chance_asks_for_both():
    """Above one point, and above what chance makes: .5 of a large network, 2 of a small one."""
    chance = {"large": 0.5, "small": 2.0}
    values = {"large": 1.5, "small": 1.5}
    rows = pd.concat(
        [
            by_method({n: {"A": x} for n, x in values.items()}),
            by_method({n: {"A": x} for n, x in chance.items()}, metric="ECE by chance"),
        ]
    )
    limits = {"member": "A", "above": 1.0, "of": "ECE"}
    assert comparisons.limit(rows, **limits).values.tolist() == [True, True]
    beyond = comparisons.limit(rows, **limits, beyond_chance=True)
    assert beyond.values.tolist() == [True, False]
    assert "(1 of 2 at or above 1)" in beyond.note
    for metric in (None, "NLL"):
        with pytest.raises(ValueError, match="`of` names a metric, one of ECE, KS"):
            comparisons.limit(
                rows, member="A", above=1.0, of=metric, beyond_chance=True
            )


def test_a_metric_without_a_formula_is_not_given_that_of_the_ece():
    brier = long([("n1", "A", 0.1)], metric="Top-1 Brier").assign(n=100)
    assert len(comparisons.by_chance(brier, "A", "ECE")) == 1
    for metric in ("NLL", "ece_range", "KS top-3"):
        assert comparisons.by_chance(brier, "A", metric).empty


ALONE = {
    "lowest": {},
    "highest": {},
    "near_lowest": {"within": 1.0},
}


@pytest.mark.parametrize("name", ALONE)
def test_a_member_alone_in_its_row_is_neither_lowest_nor_highest(name):
    rows = by_method({"both": {"A": 1.0, "B": 1.0}, "one": {"A": 1.0}})
    cases = getattr(comparisons, name)(rows, member="A", **ALONE[name])
    assert cases.values.droplevel(0).to_dict() == {"both": True}


def test_a_row_of_members_alone_says_nothing_of_the_lowest():
    rows = by_method({"n1": {"A": 1.0, "B": 2.0}, "n2": {"A": 2.0, "C": 1.0}})
    cases = comparisons.lowest(rows, member=["A", "B"])
    assert cases.values.droplevel(0).to_dict() == {"n2": False}


def test_the_best_of_one_method_differs_from_no_other():
    rows = pd.concat(
        [
            by_method({"n1": {"A": 1.0, "B": 2.0}, "n2": {"A": 1.0}}),
            by_method({"n1": {"A": 2.0, "B": 1.0}, "n2": {"A": 1.0}}, metric="NLL"),
        ]
    )
    cases = comparisons.winners_differ(rows, metrics=["ECE", "NLL"])
    assert cases.values.droplevel(0).to_dict() == {"n1": True}


def test_a_network_without_others_is_not_compared_and_seeds_are_averaged():
    cells = [("ours", "A", 1.0), ("ours", "A", 2.0), ("n1", "B", 1.6)]
    rows = pd.concat([long(cells), long(cells[:1], dataset="b")])
    cases = comparisons.below_all_others(rows, member="A", column="method")
    assert cases.values.to_dict() == {("a", "ours"): True}
    assert cases.note == "a ours 1.5, least 1.6"


# tests of a member "C" that no network has
NO_NETWORK = {
    "lower": {"member": "C", "than": "A"},
    "lowest": {"member": "C"},
    "highest": {"member": "C"},
    "near_lowest": {"member": "C", "within": 1.0},
    "limit": {"member": "C", "below": 1.0},
    "limit where another": {
        "member": "A",
        "given": {"member": "C", "above": 0.0},
    },
    "unchanged": {"member": "A", "reference": "C", "within": 1.0},
    "ordered": {"order": ["A", "C"], "column": "method"},
    "second_when_beaten": {"member": "A", "by": "C"},
    "close_when_beaten": {"member": "A", "by": "C", "gap": 1.0},
    "like_the_first_choice": {"member": "C", "by": "A", "gap": 1.0},
    "below_all_others": {"member": "C", "column": "method"},
}


@pytest.mark.parametrize("name", NO_NETWORK)
def test_a_member_that_no_network_has_makes_no_cases(name):
    rows = by_method({"n1": {"A": 1.0, "B": 2.0}, "n2": {"A": 2.0, "B": 1.0}})
    cases = getattr(comparisons, name.split()[0])(rows, **NO_NETWORK[name])
    assert cases.values.empty
