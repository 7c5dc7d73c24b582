"""From the cases of a test to its networks, by hand."""

import numpy as np
import pandas as pd
import pytest

from evidence.claims.cases import Cases, measured_networks


def cells(values, names=("dataset", "case", "metric"), **of_cases):
    """Cases of two networks, each of two metrics."""
    levels = [
        ("a", "n1", "ECE"),
        ("a", "n1", "NLL"),
        ("b", "n2", "ECE"),
        ("b", "n2", "NLL"),
    ]
    index = pd.MultiIndex.from_tuples(levels, names=names)
    return Cases(pd.Series(values, index=index), "x", **of_cases)


def test_cells_of_a_network_are_averaged():
    measured = measured_networks(cells([True, False, True, True]), "mostly")
    assert measured.networks.to_dict() == {("a", "n1"): 0.5, ("b", "n2"): 1.0}
    assert measured.agree.tolist() == [True, False, True, True]


def test_an_example_is_a_network_most_of_whose_cells_agree():
    measured = measured_networks(cells([True, False, True, True]), "exists")
    assert measured.networks.tolist() == [0, 1]


def test_data_sets_that_a_sentence_names_are_not_drawn():
    cases = cells([True, True, True, True])
    assert [*measured_networks(cases).drawn] == ["dataset"]
    assert [*measured_networks(cases, named=("a", "b")).drawn] == []
    assert [*measured_networks(cases, named=("a",)).drawn] == ["dataset"]


# sign and margin of a claim, which of the effects -3, -1, 1, 3 are on its side, and the bounds
SIDES = {
    "above": ({"sign": 1}, [False, False, True, True], (0, np.inf)),
    "clearly above": (
        {"sign": 1, "margin": 2},
        [False, False, False, True],
        (2, np.inf),
    ),
    "below": ({"sign": -1}, [True, True, False, False], (-np.inf, 0)),
    "no effect": ({"sign": 0, "margin": 2}, [False, True, True, False], (-2, 2)),
    "above a bound": (
        {"sign": 1, "reference": 2},
        [False, False, False, True],
        (2, np.inf),
    ),
}


@pytest.mark.parametrize("name", SIDES)
def test_an_effect_is_on_the_side_of_the_claim(name):
    keywords, agree, bounds = SIDES[name]
    measured = measured_networks(
        cells([-3.0, -1.0, 1.0, 3.0], unit="points", **keywords)
    )
    assert measured.agree.tolist() == agree
    assert measured.asked == bounds


def test_an_average_asks_for_the_mean_alone():
    cases = cells([-1.0, -1.0, 3.0, 3.0], unit="points")
    assert measured_networks(cases, "average").counted == "holds"
    assert measured_networks(cases, "direction").counted == "mixed"
    assert measured_networks(cases, "none").counted == ""


def test_a_model_is_looked_up_in_the_rows_by_the_case():
    rows = pd.DataFrame({"case": ["n1", "n2"], "kin": ["same", None]})
    clusters = measured_networks(cells([True] * 4), "mostly", rows).clusters
    assert clusters["kin"].tolist() == ["same", "n2"]  # what nothing tells is itself


# what is asked of the average of 1, 2 and 6, and whether it is so
AVERAGES = {
    "above zero": ({"sign": 1}, "holds"),
    "above a margin that it does not reach": ({"sign": 1, "margin": 4}, "fails"),
    "above a bound that it does not reach": ({"sign": 1, "reference": 4}, "fails"),
    "above a bound": ({"sign": 1, "reference": 2}, "holds"),
    "below a bound": ({"sign": -1, "reference": 4}, "holds"),
    "near a bound": ({"sign": 0, "reference": 2.5, "margin": 1}, "holds"),
    "near zero": ({"sign": 0, "margin": 1}, "fails"),
}


@pytest.mark.parametrize("name", AVERAGES)
def test_an_average_is_on_the_side_of_the_claim(name):
    keywords, word = AVERAGES[name]
    index = pd.MultiIndex.from_tuples(
        [("a", "n1"), ("a", "n2"), ("a", "n3")], names=["dataset", "case"]
    )
    cases = Cases(pd.Series([1.0, 2, 6], index=index), "x", unit="points", **keywords)
    assert measured_networks(cases, "average").counted == word


def test_an_average_share_of_networks_is_more_than_half_of_them():
    index = pd.Index(["n1", "n2", "n3"], name="case")
    for agree, word in (([1, 0, 0], "fails"), ([1, 1, 0], "holds")):
        cases = Cases(pd.Series(agree, index=index, dtype=bool), "x")
        assert measured_networks(cases, "average").counted == word
