"""Tests that compare methods, on tables by hand."""

import numpy as np
import pandas as pd
import pytest
from method_rows import by_method, long, who_agree

from evidence.claims import comparisons

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


# the places of A: alone the first, the first with B, the second, the third
PLACES = {
    "first": {"A": 1.0, "B": 2.0, "C": 3.0},
    "first with B": {"A": 1.0, "B": 1.0, "C": 3.0},
    "second": {"A": 1.4, "B": 1.0, "C": 3.0},
    "third": {"A": 4.0, "B": 1.0, "C": 3.0},
}
LAST = {"last": {"A": 3.0, "B": 2.0, "C": 1.0}}


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
