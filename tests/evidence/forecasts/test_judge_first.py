"""The first forecasts, and what judges them, on simulated files of the same shape."""

import hashlib

import pandas as pd
from helpers import ROOT

from evidence.claims import all_claims
from evidence.forecasts import judge_lines, load_registered, scores

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
    judged = judge_lines(LINES, frames)
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
    fewer = judge_lines(LINES, without)
    gone = LINES["evidence"] == "ImageNet table"
    assert (fewer.loc[gone, "verdict"] == "no evidence").all()
    assert fewer.loc[gone, "true"].isna().all()
    pd.testing.assert_series_equal(
        fewer.loc[~gone, "verdict"], judged.loc[~gone, "verdict"]
    )
    none = {"lines": len(LINES), "answered": 0, "verdicts": {"no evidence": len(LINES)}}
    assert scores(judge_lines(LINES, {})) == none


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
