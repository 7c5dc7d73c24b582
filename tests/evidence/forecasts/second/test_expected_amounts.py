"""What the ledger expects of amounts of the sealed networks."""

import numpy as np
import pandas as pd
import pytest
from registered_lines import line_with

from evidence.claims import frames, promise_frames
from evidence.data import setting_of
from evidence.forecasts.second import asked_networks, expected_amounts
from evidence.forecasts.second.new_networks import predicted

NEW = asked_networks.forecast_networks()
FOURTEEN = ~NEW["case"].str.startswith("HMC").to_numpy()
VALUES = np.array([1.0, 2.5, 3.0, 4.5, 7.0, 6.0])
PUBLIC = pd.DataFrame({"ECE Uncalibrated": VALUES, "dataset": list("aabbcc")}).assign(
    case=[*"abcdef"], author=["x", "x", "x", "y", "y", "y"], kin=[*"abcdef"]
)
ECE = "`ECE Uncalibrated`"


def weights_of(rule, value=ECE, **parameters):
    line = line_with(rule, value=value, **parameters)
    return expected_amounts.weights_of_line(line, NEW)


def test_a_number_is_the_mean_of_the_fourteen():
    assert weights_of("number").tolist() == [m / 14 for m in FOURTEEN]


@pytest.mark.parametrize("case", ["VGG-11-BN", "HMC IMDB"])
def test_one_number_is_that_of_one_network(case):
    weights = weights_of("one number", at=f"case == '{case}'")
    assert weights.tolist() == [float(name == case) for name in NEW["case"]]


def test_a_difference_is_the_mean_of_the_second_less_that_of_the_first():
    """An ensemble is of neither group, whatever its name."""
    weights = weights_of(
        "difference", first="case != 'VGG-11-BN'", second="family == 'VGG'"
    )
    first = FOURTEEN & (NEW["case"] != "VGG-11-BN")
    second = NEW["case"].str.startswith("VGG")
    assert weights.tolist() == pytest.approx((second / 4 - first / 13).tolist())


@pytest.mark.parametrize(
    ("value", "take", "is_sum"),
    [
        (ECE, "mean", True),
        (ECE, "median", True),
        (ECE, "min", False),
        (ECE, "max", False),
        (f"{ECE}.rank(method='min')", "mean", False),
        (f"{ECE} - {ECE}.min()", "mean", False),
    ],
)
def test_what_compares_networks_is_no_sum_of_them(value, take, is_sum):
    assert (weights_of("number", value, take=take) is not None) == is_sum


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (ECE, "points", (0, 100)),
        (ECE, "percent", (0, 100)),
        (ECE, "nats", (0, np.inf)),
        ("accuracy", "points", (0, 100)),
        (f"{ECE} - `ECE Temperature scaling`", "points", (-np.inf, np.inf)),
        ("accuracy - ece_logit", "points", (-np.inf, np.inf)),
    ],
)
def test_a_metric_alone_is_not_below_zero_nor_above_a_hundred_percent(
    value, unit, expected
):
    line = line_with(unit=unit, value=value)
    assert expected_amounts.possible_range(line) == expected


@pytest.fixture
def public(monkeypatch):
    monkeypatch.setattr(expected_amounts, "public_table", lambda: PUBLIC)


def by_model(weights, values=VALUES):
    """The distribution of a weighted sum of the sealed networks, from the model itself."""
    rows = PUBLIC[["dataset", "author", "kin"]].assign(total=values)
    return predicted(rows, NEW, weights, asked_networks.registered_scales())


def test_an_amount_has_the_quantiles_of_what_the_model_predicts(public):
    line = line_with("number", unit="points", value=f"{ECE} * 2 + 10 - 20")
    amount = by_model(FOURTEEN / 14, 2 * VALUES - 10)
    result = expected_amounts.forecast_of_networks(line)
    assert result == {
        end: pytest.approx(amount.quantile(q))
        for end, q in asked_networks.QUANTILES.items()
    }
    assert min(result.values()) < 0


def test_the_ends_of_a_metric_are_cut_where_it_ends(public):
    line = line_with("one number", unit="points", value=ECE, at="case == 'VGG-11-BN'")
    amount = by_model((NEW["case"] == "VGG-11-BN").to_numpy(float))
    result = expected_amounts.forecast_of_networks(line)
    assert amount.quantile(0.05) < 0 == result["low_90"]
    assert result["high_90"] == pytest.approx(amount.quantile(0.95))


@pytest.mark.parametrize(
    "bounds", [{"above": 3.0}, {"below": 3.0}, {"above": 2.0, "below": 5.0}]
)
def test_a_sentence_has_the_probability_between_its_bounds(public, bounds):
    amount = by_model(FOURTEEN / 14)
    expected = amount.below(bounds.get("below", 1e6)) - amount.below(
        bounds.get("above", -1e6)
    )
    line = line_with("number", value=ECE, **bounds)
    result = expected_amounts.forecast_of_networks(line)
    assert result == {"probability": pytest.approx(expected, abs=1e-6)}


@pytest.mark.parametrize(
    "value", ["`ECE of nothing`", f"{ECE}.rank()", f"{ECE} / `ECE Uncalibrated`.min()"]
)
def test_what_the_table_cannot_tell_is_none(public, value):
    line = line_with("number", unit="points", value=value)
    assert expected_amounts.forecast_of_networks(line) is None


@pytest.mark.parametrize(("known", "answered"), [(2, False), (3, True)])
def test_three_networks_are_the_fewest(monkeypatch, known, answered):
    """One without a number, and one whose number is infinite, are none."""
    values = np.array([*VALUES[:known], np.nan, np.inf])
    table = PUBLIC.iloc[: len(values)].assign(**{"ECE Uncalibrated": values})
    monkeypatch.setattr(expected_amounts, "public_table", lambda: table)
    line = line_with("number", unit="points", value=ECE)
    result = expected_amounts.forecast_of_networks(line)
    assert (result is not None) == answered


def test_the_public_table_has_a_row_a_network_and_what_each_frame_says():
    table = expected_amounts.public_table()
    assert not table.duplicated(["dataset", "case"]).any()
    assert table[["dataset", "case", "author", "kin"]].notna().all(axis=None)
    assert expected_amounts.LEFT_OUT not in set(table["case"])
    table = table.set_index("case")
    parts = {
        "ECE Temperature scaling": frames.on_one_sample(),
        "ece_range Uncalibrated": frames.details("public"),
        "Coverage of lac, temperature every score": promise_frames.prediction_sets(),
    }
    for cell, rows in parts.items():
        name = rows["metric"] + " " + rows["method"]
        expected = rows[name == cell].groupby("case")["value"].mean()
        expected = expected.drop(expected_amounts.LEFT_OUT, errors="ignore")
        assert table[cell].dropna().to_dict() == pytest.approx(expected.to_dict())


def test_the_public_table_has_temperatures_and_changes_of_the_order():
    table = expected_amounts.public_table().set_index("case")
    sizes = frames.read_table("results/promises/set_sizes.csv")
    fitted = sizes[sizes["calibrator"] == "temperature"]
    expected = fitted.groupby(setting_of(fitted["source"]))["temperature"].mean()
    result = table["Temperature Temperature scaling"].dropna()
    assert result.to_dict() == pytest.approx(expected.to_dict())
    order = promise_frames.abstention_public().set_index(["metric", "case"])["value"]
    for name, method in (
        ("temperature", "Temperature scaling"),
        ("isotonic", "Isotonic regression"),
        ("vector", "Vector scaling"),
        ("histogram", "Histogram binning"),
    ):
        change = table[f"Change of AURC by {method} every map"].dropna()
        expected = order[f"Change of AURC by {name}"][change.index]
        assert change.to_dict() == pytest.approx(expected.to_dict()) and len(change)
