"""The first forecasts, and what judges them, on simulated files of the same shape."""

import hashlib
import json

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

from evidence.claims import all_claims
from evidence.forecasts import judge_table, load_registered, scores

LINES = load_registered()


def test_forecasts_are_of_claims_or_of_numbers_and_never_certain():
    assert len(LINES) >= 80
    assert LINES["id"].is_unique
    assert LINES["probability"].between(0, 1, inclusive="neither").all()
    assert (LINES["fewest"] >= 1).all()
    assert (
        LINES[["says", "exclude", "because", "evidence", "frame"]]
        .notna()
        .all(axis=None)
    )
    known = {claim.id: claim for claim in all_claims()}
    for line in LINES[LINES["claim"] != ""].itertuples():
        assert line.word == known[line.claim].word


@pytest.mark.slow
def test_all_lines_run_on_stand_ins_and_those_without_evidence_are_counted(
    frames,
):
    judged = judge_table(LINES, frames)
    result = scores(judged)
    answered = judged["true"].notna()
    assert result["lines"] == len(LINES) == sum(result["verdicts"].values())
    assert result["answered"] == answered.sum() == len(LINES)
    assert set(judged.loc[answered, "verdict"]) >= {"holds", "fails"}
    assert (judged["true"] == 1).equals(judged["verdict"] == "holds")
    without = {
        name: rows
        for name, rows in frames.items()
        if not name.startswith("classifiers")
    }
    fewer = judge_table(LINES, without)
    gone = LINES["evidence"] == "ImageNet table"
    assert (fewer.loc[gone, "verdict"] == "no evidence").all()
    assert fewer.loc[gone, "true"].isna().all()
    pd.testing.assert_series_equal(
        fewer.loc[~gone, "verdict"], judged.loc[~gone, "verdict"]
    )
    none = {
        "lines": len(LINES),
        "answered": 0,
        "verdicts": {"no evidence": len(LINES)},
    }
    assert scores(judge_table(LINES, {})) == none


NUMBERS = pd.DataFrame({"a b": [1.0, 2.0, 6.0, np.nan], "c": [3.0, 1.0, 2.0, 4.0]})


def line_of_number(**changed):
    """A line about the median of a column, as a row of the table."""
    test = {"value": "c", "take": "median", "above": 2.4}
    row = {"frame": "numbers", "test": test, "claim": "", "where": "", "fewest": 3}
    row |= {"word": ""} | changed
    return pd.DataFrame([row | {"test": json.dumps(row["test"])}])


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "holds"),  # the median of 1, 2, 3 and 4 is 2.5
        ({"where": "c < 4"}, "fails"),
        ({"fewest": 4}, "holds"),
        ({"fewest": 5}, "too few cases"),
        ({"frame": "another"}, "no evidence"),
        ({"test": {"value": "d", "take": "median"}}, "not tested"),
        ({"test": {"value": "c", "take": "mean", "below": 2.5}}, "fails"),
        ({"test": {"value": "c", "take": "mean", "above": 2.5}}, "fails"),
        ({"test": {"value": "c", "take": "max", "above": 3, "below": 5}}, "holds"),
        ({"test": {"value": "`a b` - c", "take": "sum", "above": 2.9}}, "holds"),
        ({"test": {"value": "`a b` ~ c", "take": "rho", "above": -0.6}}, "holds"),
        ({"test": {"value": "`a b` ~ c", "take": "rho", "above": -0.4}}, "fails"),
    ],
)
def test_a_number_is_judged_by_its_bounds_where_there_are_cases(changed, verdict):
    judged = judge_table(line_of_number(**changed), {"numbers": NUMBERS})
    assert judged["verdict"].tolist() == [verdict]
    expected = {"holds": 1.0, "fails": 0.0}.get(verdict, np.nan)
    assert judged["true"].tolist() == pytest.approx([expected], nan_ok=True)


def networks(lowered, n=10):
    """Networks whose temperature lowers the ECE, so many of them, and others that it raises."""
    after = [0.5] * lowered + [1.5] * (n - lowered)
    rows = pd.DataFrame({"value": [*[1.0] * n, *after], "metric": "ECE"})
    methods = [*["Uncalibrated"] * n, *["Temperature scaling"] * n]
    cases = [f"network {k}" for k in range(n)] * 2
    return rows.assign(method=methods, case=cases, dataset="ImageNet")


LOWER = {"test": "lower", "member": "Temperature scaling", "than": "Uncalibrated"}


@pytest.mark.parametrize(
    ("lowered", "changed", "verdict"),
    [
        (10, {}, "holds"),
        (0, {}, "fails"),
        (10, {"where": "case < 'network 3'", "fewest": 4}, "too few cases"),
        (10, {"fewest": 11}, "too few cases"),
        (10, {"test": LOWER | {"rows": {"metric": "NLL"}}}, "not tested"),
        (10, {"test": LOWER | {"member": "BBQ"}}, "too few cases"),
    ],
)
def test_a_claim_is_judged_on_the_networks_that_a_line_chooses(
    lowered, changed, verdict
):
    row = {"frame": "networks", "claim": "any", "test": LOWER, "word": "unhedged"}
    line = line_of_number(**row | changed)
    judged = judge_table(line, {"networks": networks(lowered)})
    assert judged["verdict"].tolist() == [verdict]
    expected = {"holds": 1.0, "fails": 0.0}.get(verdict, np.nan)
    assert judged["true"].tolist() == pytest.approx([expected], nan_ok=True)


def test_the_fixed_data_have_the_digests_of_the_registration():
    digests = pd.read_csv(ROOT / "data" / "forecasts" / "frozen.csv")
    assert all((ROOT / name).is_file() for name in digests["now"])
    digests = digests[digests["file"].str.startswith("data/")]
    assert len(digests) == 3
    for line in digests.itertuples():
        assert (
            hashlib.sha256((ROOT / line.now).read_bytes()).hexdigest()
            == line.registered
        )


def test_scores_are_those_of_two_forecasts_by_hand():
    """0.9 came true and 0.4 too, 0.2 and 0.5 did not; a fifth line has no answer."""
    judged = pd.DataFrame(
        {
            "probability": [0.9, 0.4, 0.2, 0.5, 0.99],
            "true": [1.0, 1.0, 0.0, 0.0, np.nan],
            "verdict": ["holds", "holds", "fails", "fails", "too few cases"],
        }
    )
    result = scores(judged)
    assert (result["lines"], result["answered"], result["share true"]) == (
        5,
        4,
        0.5,
    )
    assert result["brier"] == pytest.approx((0.01 + 0.36 + 0.04 + 0.25) / 4)
    logs = np.log([0.9, 0.4, 0.8, 0.5])
    assert result["log loss"] == pytest.approx(-logs.mean())
    # expected of each, were the probability right
    right = (0.09 + 0.24 + 0.16 + 0.25) / 4
    assert result["brier if right"] == pytest.approx(right)


@pytest.mark.parametrize(("true", "of_four"), [(1, 0.25), (2, 0.5), (3, 0.75)])
def test_who_says_the_base_rate_to_all_has_its_variance_and_its_entropy(true, of_four):
    hits = np.repeat([1.0, 0.0], [true, 4 - true])
    judged = pd.DataFrame({"probability": 0.3, "true": hits, "verdict": "x"})
    result = scores(judged)
    assert result["brier of the base rate"] == pytest.approx(hits.var())
    entropy = -(of_four * np.log(of_four) + (1 - of_four) * np.log(1 - of_four))
    assert result["log loss of the base rate"] == pytest.approx(entropy)
    assert result["brier"] >= result["brier of the base rate"]
