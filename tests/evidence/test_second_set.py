"""The second set: its list, what judges it on stand-ins with holes, and what binds."""

import hashlib
import json
import runpy

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

from evidence.claims import all_claims
from evidence.forecasts.second import (
    expected_by_ledger,
    judge_second,
    line_rules,
    network_frames,
    outcomes,
    registered,
    stand_ins,
)

LINES = registered.load_lines()
TABLE = registered.load_table()


# ------------------------------------------------------------------ the list


def test_the_list_asks_for_sentences_and_for_amounts():
    assert len(LINES) >= 120 and TABLE["id"].is_unique
    amount = TABLE["unit"] != ""
    assert amount.sum() >= max(40, len(LINES) / 3)
    assert TABLE.loc[~amount, "probability"].between(0, 1, inclusive="neither").all()
    assert TABLE.loc[amount, "probability"].isna().all()
    ends = TABLE.loc[amount, ["low_90", "low_50", "high_50", "high_90"]].to_numpy()
    assert (np.diff(ends, axis=1) >= 0).all() and (ends[:, 3] > ends[:, 0]).all()
    assert TABLE[["says", "because", "evidence", "rule"]].notna().all(axis=None)


def test_each_line_names_a_rule_and_a_claim_that_exist():
    claims = {claim.id for claim in all_claims()}
    assert {line.claim for line in LINES} - {""} <= claims
    for line in LINES:
        bounds = {"above", "below"} & set(line.parameters)
        assert line.rule in line_rules.RULES
        of_claim = line.rule in ("one network", "share above half", "share")
        asks_for_number = line.rule == "share" if of_claim else not bounds
        assert line.is_amount == asks_for_number


# ------------------------------------------------------------------ holes


STORED = dict(list(outcomes.load_outcomes().groupby("stand_in", sort=False)))


def test_the_outcomes_that_bind_are_of_every_stand_in_and_every_line():
    assert list(STORED) == [outcomes.COMPLETE, *stand_ins.HOLES]
    for stored in STORED.values():
        assert stored["id"].tolist() == TABLE["id"].tolist()


@pytest.mark.slow
def test_of_the_complete_stand_in_the_judge_finds_what_binds(frames_of_complete):
    judged = judge_second.judge_lines(LINES, frames_of_complete)
    assert judge_second.answered(judged).mean() > 0.95
    assert outcomes.differing(judged, STORED[outcomes.COMPLETE]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", stand_ins.HOLES)
def test_no_hole_breaks_the_judge(tmp_path, name):
    """What has no answer is counted, with a reason; no rule meets what it does not name."""
    seen = judge_second.read_folder(outcomes.with_hole(name).write(tmp_path))
    judged = judge_second.judge_lines(LINES, seen.frames)
    assert outcomes.differing(judged, STORED[name]) == []
    assert len(judged) == len(LINES)
    assert not judged["reason"].str.startswith(judge_second.BREAKS).any()
    answered = judge_second.answered(judged)
    amount = TABLE["unit"] != ""
    assert judged.loc[answered, "number"].notna().all()
    assert judged.loc[answered & ~amount, "true"].isin([0, 1]).all()
    assert judged.loc[~answered, ["true", "number"]].isna().all(axis=None)
    assert judged.loc[~answered, "reason"].str.match("no (answer|evidence): ").all()
    without = {
        "all_nan",
        "no_samples",
        "an_array_is_missing",
        "labels_too_short",
        "some_nan",
    }
    assert bool(seen.notes) or name not in without


def test_an_error_that_no_rule_names_stops_one_line(monkeypatch):
    line = next(
        line for line in LINES if line.rule == "number" and line.frame == "tasks"
    )
    monkeypatch.setitem(line_rules.RULES, "number", lambda rows, fewest, **given: 1 / 0)
    found = judge_second.judge_line(line, {"tasks": pd.DataFrame()})
    assert (
        found["reason"].startswith(f"{judge_second.BREAKS}: ZeroDivisionError")
        and found["n"] == 0
    )


def test_tables_with_holes_lose_no_other_answer(complete, tmp_path):
    only = stand_ins.StandIn({}, complete.tasks, complete.subjects)
    lacking = stand_ins.base_models_state_nothing(only)
    whole, fewer = (
        judge_second.judge_lines(
            LINES, judge_second.read_folder(s.write(tmp_path / name)).frames
        )
        for name, s in (("whole", only), ("fewer", lacking))
    )
    gone = judge_second.answered(whole) & ~judge_second.answered(fewer)
    spelt_out = TABLE["parameters"].str.contains("ece_stated")
    assert gone.any() and spelt_out[gone].all()
    same = judge_second.answered(fewer) & ~spelt_out
    pd.testing.assert_frame_equal(whole[same], fewer[same])


def test_samples_without_numbers_are_left_out_and_counted():
    p = np.full((300, 3), 1 / 3)
    p[0] = np.nan
    found = network_frames.network_of(np.arange(300) % 3, probabilities=p)
    assert found.left_out == 1 and len(found.y) == 299
    p[:100] = np.nan
    with pytest.raises(ValueError, match="100 of 300 samples"):
        network_frames.network_of(np.arange(300) % 3, probabilities=p)
    with pytest.raises(ValueError, match="above one"):
        network_frames.network_of(
            np.arange(300) % 3, probabilities=100 * np.ones((300, 3))
        )


# ------------------------------------------------------------------ the command


def judge_by_command(monkeypatch, folder, out):
    monkeypatch.setattr("sys.argv", ["second", str(folder), "-o", str(out)])
    runpy.run_module("evidence.forecasts.second", run_name="__main__")


def test_one_command_judges_a_folder(complete, tmp_path, monkeypatch, capsys):
    only = stand_ins.StandIn({}, complete.tasks, complete.subjects)
    judge_by_command(monkeypatch, only.write(tmp_path), tmp_path / "out")
    verdicts = pd.read_csv(tmp_path / "out" / "verdicts-2.csv")
    told = json.loads((tmp_path / "out" / "told-2.json").read_text())
    assert verdicts["id"].tolist() == TABLE["id"].tolist()
    assert told["answered"] == verdicts["reason"].isna().sum()
    assert sum(told["no answer"].values()) == verdicts["reason"].notna().sum()
    assert "writer" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "told"), [("absent", "no such folder"), (".", "no evidence")]
)
def test_a_folder_without_evidence_is_refused_and_nothing_is_written(
    tmp_path, name, told, monkeypatch, capsys
):
    with pytest.raises(SystemExit, match="2"):
        judge_by_command(monkeypatch, tmp_path / name, tmp_path / "out")
    assert told in capsys.readouterr().err and not (tmp_path / "out").exists()


# ------------------------------------------------------------------ what binds


def test_what_binds_has_the_digests_that_are_stored():
    digests = pd.read_csv(ROOT / "data" / "forecasts" / "frozen-2.csv")
    assert judge_second.frozen() == dict(digests.to_numpy().tolist())
    assert all(name.startswith("data/") for name in digests["file"])  # and no code


def test_the_writer_was_first():
    """What the writer said has the bytes that it had before the ledger was asked."""
    columns = [*TABLE.columns.drop(expected_by_ledger.COLUMNS)]
    text = pd.read_csv(
        ROOT / "data" / "forecasts" / "registered-2.csv",
        dtype=str,
        keep_default_na=False,
    )
    written = text[columns].to_csv(index=False, lineterminator="\n").encode()
    assert hashlib.sha256(written).hexdigest().startswith("b1d2b19a03699d3c")
