"""Which metrics a test may judge together."""

import pandas as pd
import pytest
from entries_of_claims import ENTRY, TEST

from evidence.claims import claim, directions
from evidence.claims.claim import claim_of
from evidence.claims.entry_types import ClaimError

# tests of public networks, and what the error says of their metrics
TOGETHER = {
    "all metrics, by default": (
        {"rows": {}} | TEST,
        "zoo: lower reads all rows by one direction, but less is better: ACE, Brier, ECE, "
        "and others; more is better: Accuracy; neither is better: Confidence; name",
    ),
    "a sum of an error and the accuracy": (
        {
            "rows": {"metric": ["ECE", "Accuracy"]},
            "test": "lowest",
            "member": "Spline",
            "summed": True,
        },
        "more is better: Accuracy; less is better: ECE",
    ),
    "a sum of points and nats": (
        {
            "rows": {"metric": ["ECE", "NLL"]},
            "test": "lowest",
            "member": "Spline",
            "summed": True,
        },
        "summed: a sum is of one unit, but points: ECE; nats: NLL; name",
    ),
    "the mean of an error and the accuracy": (
        {
            "rows": {"metric": ["ECE", "Accuracy"]},
            "test": "trend",
            "level": "epochs",
            "sign": 1,
        },
        "trend reads all rows by one direction",
    ),
}


def rows_of(metrics):
    """Return two networks, each of two methods, with these metrics."""
    one = {"dataset": "a", "epochs": 1, "seed": 0, "value": 1.0}
    return pd.DataFrame(
        one | {"metric": metric, "case": case, "method": method}
        for metric in metrics
        for case in ("a", "b")
        for method in ("Temperature scaling", "Uncalibrated", "Spline")
    )


@pytest.fixture
def small_frame(monkeypatch):
    metrics = ["ACE", "Accuracy", "Brier", "Confidence", "ECE", "NLL", "TACE"]
    monkeypatch.setattr(claim, "frame_rows", lambda *a, **k: rows_of(metrics))
    monkeypatch.setattr(claim, "with_relatives", lambda rows, kind: rows)
    monkeypatch.setattr(claim.Claim, "check_names", lambda *a: None)


@pytest.mark.parametrize("case", TOGETHER)
def test_metrics_of_two_directions_or_units_are_not_judged_as_one(case, small_frame):
    test, words = TOGETHER[case]
    with pytest.raises(ClaimError) as error:
        claim_of(ENTRY | {"evidence": {"zoo": test}}, "papers").measured_on("zoo")
    assert "claims.yml: a: zoo: " in str(error.value) and words in str(error.value)


def test_metrics_of_one_direction_are_judged_together(small_frame):
    test = TEST | {"rows": {"metric": ["ECE", "NLL"]}}
    found = claim_of(ENTRY | {"evidence": {"zoo": test}}, "papers").measured_on("zoo")
    assert len(found.cases.values) == 4


def test_accuracy_and_confidence_are_compared_on_purpose(small_frame):
    test = TEST | {"column": "metric", "member": "Accuracy", "than": "Confidence"}
    entry = ENTRY | {"evidence": {"zoo": test}}
    assert len(claim_of(entry, "papers").measured_on("zoo").cases.values) == 6


# tests that read one value of each network, and what the error says of their rows
OF_ONE_VALUE = {
    "the mean of methods": (
        {
            "rows": {"metric": "ECE"},
            "test": "trend",
            "level": "epochs",
            "sign": 1,
        },
        "zoo: rows: method: trend reads one value of each network, but there are Spline, "
        "Temperature scaling, Uncalibrated; name one under rows: {method: ...}",
    ),
    "the change of a mean of methods": (
        {
            "rows": {"metric": "ECE"},
            "test": "changes",
            "level": "epochs",
            "first": 1,
            "last": 2,
        },
        "zoo: rows: method: changes reads",
    ),
    "the mean of two metrics": (
        {
            "rows": {"metric": ["ECE", "NLL"], "method": "Spline"},
            "test": "trend",
            "level": "epochs",
            "sign": 1,
        },
        "zoo: rows: metric: trend reads one value of each network, but there are ECE, NLL; name",
    ),
    "below others in one of two metrics": (
        {
            "rows": {"metric": ["ECE", "NLL"], "method": "Spline"},
            "test": "below_all_others",
            "column": "case",
            "member": "a",
        },
        "zoo: rows: metric: below_all_others reads",
    ),
}


@pytest.mark.parametrize("case", OF_ONE_VALUE)
def test_several_values_of_a_network_are_not_averaged(case, small_frame):
    test, words = OF_ONE_VALUE[case]
    with pytest.raises(ClaimError) as error:
        claim_of(ENTRY | {"evidence": {"zoo": test}}, "papers").measured_on("zoo")
    assert "claims.yml: a: " in str(error.value) and words in str(error.value)


def test_methods_that_are_compared_have_a_value_each(small_frame):
    test = {
        "rows": {"metric": "ECE"},
        "test": "changes",
        "level": "method",
        "first": "Spline",
        "last": "Uncalibrated",
    }
    found = claim_of(ENTRY | {"evidence": {"zoo": test}}, "papers").measured_on("zoo")
    assert len(found.networks) == 2


@pytest.mark.parametrize(
    ("test", "keywords", "together"),
    [
        ("lower", {}, ["ECE", "NLL"]),
        ("stays_pareto", {}, []),
        ("lower", {"along": "metric"}, []),
        ("lower", {"column": "method"}, ["ECE", "NLL"]),
        ("unchanged", {"of": "KS"}, ["KS"]),
        ("slope", {"of": 1.0}, ["ECE", "NLL"]),
        ("close", {"pair": ["ECE", "NLL"]}, []),
    ],
)
def test_metrics_are_together_unless_a_test_reads_them_apart(test, keywords, together):
    rows = rows_of(["NLL", "ECE"])
    assert directions.metrics_together(test, keywords, rows) == together


def test_rows_without_a_metric_have_none_together():
    assert directions.metrics_together("lower", {}, pd.DataFrame({"value": [1]})) == []


@pytest.mark.parametrize(
    ("metric", "direction", "unit"),
    [
        ("Accuracy", "more is better", "points"),
        ("AUROC, verbal", "more is better", "shares of pairs"),
        ("Confidence", "neither is better", "points"),
        ("Top-1 Brier", "less is better", "squared errors"),
        ("Size of lac", "less is better", "labels"),
    ],
)
def test_a_metric_has_a_direction_and_a_unit_by_how_its_name_begins(
    metric, direction, unit
):
    assert directions.direction_of(metric) == direction
    assert directions.unit_of(metric) == unit


@pytest.mark.parametrize(
    ("names", "text"), [("abc", "a, b, c"), ("abcd", "a, b, c, and others")]
)
def test_more_than_three_names_are_cut(names, text):
    assert directions.first_of([*names]) == text
