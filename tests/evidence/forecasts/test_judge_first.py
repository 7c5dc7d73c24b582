"""The first forecasts, and what judges them, on simulated files of the same shape."""

import hashlib

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


def test_all_lines_run_on_stand_ins_and_those_without_evidence_are_counted(frames):
    judged = judge_table(LINES, frames)
    found = scores(judged)
    answered = judged["true"].notna()
    assert found["lines"] == len(LINES) == sum(found["verdicts"].values())
    assert found["answered"] == answered.sum() == len(LINES)
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
    none = {"lines": len(LINES), "answered": 0, "verdicts": {"no evidence": len(LINES)}}
    assert scores(judge_table(LINES, {})) == none


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
    found = scores(judged)
    assert (found["lines"], found["answered"], found["share true"]) == (5, 4, 0.5)
    assert found["brier"] == pytest.approx((0.01 + 0.36 + 0.04 + 0.25) / 4)
    logs = np.log([0.9, 0.4, 0.8, 0.5])
    assert found["log loss"] == pytest.approx(-logs.mean())
    # expected of each, were the probability right
    right = (0.09 + 0.24 + 0.16 + 0.25) / 4
    assert found["brier if right"] == pytest.approx(right)


@pytest.mark.parametrize(("true", "of_four"), [(1, 0.25), (2, 0.5), (3, 0.75)])
def test_who_says_the_base_rate_to_all_has_its_variance_and_its_entropy(true, of_four):
    hits = np.repeat([1.0, 0.0], [true, 4 - true])
    judged = pd.DataFrame({"probability": 0.3, "true": hits, "verdict": "x"})
    found = scores(judged)
    assert found["brier of the base rate"] == pytest.approx(hits.var())
    entropy = -(of_four * np.log(of_four) + (1 - of_four) * np.log(1 - of_four))
    assert found["log loss of the base rate"] == pytest.approx(entropy)
    assert found["brier"] >= found["brier of the base rate"]
