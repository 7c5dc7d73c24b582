"""The forecasts, and what judges them, on simulated files of the same shape."""

import hashlib
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from book.evidence.claims import all_claims
from book.evidence.registered import files, judge_lines, load_registered, scores
from book.evidence.registered.standins import FAMILIES, TRAININGS, write

LINES = load_registered()
LEVELS = (-5, 0.001, 0.4, 1, 1.4, 2, 3, 6, 24, 100)

NUMBERS = ("value", "accuracy", "error", "parameters", "log_parameters")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stand-ins")
    write(folder, np.random.default_rng(1), n=400, n_models=210, n_questions=60)
    return folder


@pytest.fixture(scope="module")
def frames(folder):
    return files.frames(folder)


def test_forecasts_are_of_claims_or_of_numbers_and_never_certain():
    assert len(LINES) >= 80
    assert LINES["id"].is_unique
    assert LINES["probability"].between(0, 1, inclusive="neither").all()
    assert (LINES["fewest"] >= 1).all()
    assert LINES[["says", "exclude", "because", "evidence", "frame"]].notna().all(axis=None)
    known = {claim.id: claim for claim in all_claims()}
    for line in LINES[LINES["claim"] != ""].itertuples():
        assert line.word == known[line.claim].word


@pytest.mark.filterwarnings("ignore")  # of worlds without any spread
def test_each_forecast_can_come_true_and_can_fail(frames):
    rng, left = np.random.default_rng(2), {line.id: set() for line in LINES.itertuples()}
    for _ in range(1000):
        lines = LINES[LINES["id"].isin(left)]
        world = {name: shaken(frames[name], rng) for name in set(lines["frame"])}
        for line in judge_lines(lines, world).itertuples():
            left[line.id] |= {line.true} & {0.0, 1.0}
        left = {name: seen for name, seen in left.items() if len(seen) < 2}
        if not left:
            return
    assert not left


def shaken(rows, rng):
    """The same rows with other numbers: alike in all networks, of each alone, or along a ladder."""
    rows = rows.copy()
    if "training" in rows:
        case = pd.factorize(rows["case"])[0]
        rows["family"] = rows["kin"] = rng.choice(FAMILIES, case.max() + 1)[case]
        rows["training"] = rng.choice(TRAININGS, case.max() + 1)[case]
        rows["siblings"] = rows["family"] + rows["training"]
    ladders = [c for c in ("case", "family", "training") if c in rows]
    ladder = pd.factorize(rows[rng.choice(ladders)])[0] if ladders else np.arange(len(rows))
    numbers = [c for c in rows if rows[c].dtype.kind in "fi"]
    groups = np.zeros(len(rows), int)
    if "value" in rows:
        numbers = [c for c in NUMBERS if c in rows]
        alike = ["method"] if rng.random() < 0.5 else ["metric", "method"]
        groups = rows.groupby(alike).ngroup().to_numpy()
    way = rng.choice(["alike", "alone", "along"])
    for column in numbers:
        level = rng.choice(LEVELS, len(rows) if way == "alone" else groups.max() + 1)
        level = level if way == "alone" else level[groups]
        if way == "along":
            slope = rng.choice([-1, -0.1, 0.1, 1], groups.max() + 1)[groups]
            level = level + slope * (ladder + 0.3 * rng.random(len(rows)))
        rows[column] = level if "hot" in rows else np.abs(level)
    return rows.assign(hot=bool(rng.random() < 0.7)) if "hot" in rows else rows


def test_all_lines_run_on_stand_ins_and_those_without_evidence_are_counted(frames):
    judged = judge_lines(LINES, frames)
    found = scores(judged)
    answered = judged["true"].notna()
    assert found["lines"] == len(LINES) == sum(found["verdicts"].values())
    assert found["answered"] == answered.sum() == len(LINES)
    assert set(judged.loc[answered, "verdict"]) >= {"holds", "fails"}
    assert (judged["true"] == 1).equals(judged["verdict"] == "holds")
    without = {name: rows for name, rows in frames.items() if not name.startswith("classifiers")}
    fewer = judge_lines(LINES, without)
    gone = LINES["evidence"] == "ImageNet table"
    assert (fewer.loc[gone, "verdict"] == "no evidence").all()
    assert fewer.loc[gone, "true"].isna().all()
    pd.testing.assert_series_equal(fewer.loc[~gone, "verdict"], judged.loc[~gone, "verdict"])
    assert scores(judge_lines(LINES, {})) == {
        "lines": len(LINES),
        "answered": 0,
        "verdicts": {"no evidence": len(LINES)},
    }


def test_too_few_cases_are_no_answer(frames):
    line = LINES[LINES["id"] == "median-temperature"]
    few = judge_lines(line, {"classifiers": frames["classifiers"].head(10)})
    assert few["verdict"].tolist() == ["too few cases"]
    assert few["true"].isna().all()
    networks = frames["networks"]
    few = networks[networks["dataset"] != "CIFAR-100"]
    line = LINES[LINES["id"] == "guo-temperature-lowers-files"]
    assert judge_lines(line, {"networks": few})["verdict"].tolist() == ["too few cases"]


def test_scores_of_a_hand_worked_example():
    lines = pd.DataFrame({"probability": [0.9, 0.8, 0.3, 0.5]})
    lines = lines.assign(
        verdict=["holds", "fails", "mixed", "too few cases"], true=[1, 0, 0, np.nan]
    )
    found = scores(lines)
    assert found["brier"] == pytest.approx((0.01 + 0.64 + 0.09) / 3)
    assert found["brier if right"] == pytest.approx((0.09 + 0.16 + 0.21) / 3)
    assert found["brier of the base rate"] == pytest.approx(2 / 9)
    assert found["log loss"] == pytest.approx(-np.log([0.9, 0.2, 0.7]).mean())
    assert found["log loss of the base rate"] == pytest.approx(
        -(np.log(1 / 3) + 2 * np.log(2 / 3)) / 3
    )
    assert found["ece"] == pytest.approx((0.1 + 0.8 + 0.3) / 3)


def test_a_calibrated_forecaster_has_the_expected_scores():
    rng = np.random.default_rng(3)
    p = np.tile(LINES["probability"], 400)
    true = (rng.random(len(p)) < p).astype(float)
    found = scores(pd.DataFrame({"probability": p, "true": true, "verdict": "holds"}))
    assert found["brier"] == pytest.approx(found["brier if right"], abs=0.003)
    assert found["log loss"] == pytest.approx(found["log loss if right"], abs=0.005)
    assert found["ece"] < 0.01


def test_one_command_judges_a_folder(folder, tmp_path):
    command = [sys.executable, "-m", "book.evidence.registered", str(folder), "-o", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    assert pd.read_csv(tmp_path / "verdicts.csv")["id"].tolist() == LINES["id"].tolist()
    assert json.loads((tmp_path / "scores.json").read_text())["sealed files"] == []
    assert "<svg" in (tmp_path / "reliability.svg").read_text()


@pytest.mark.parametrize(("name", "told"), [("absent", "no such folder"), (".", "holds no file")])
def test_a_folder_without_evidence_is_refused_and_nothing_is_written(tmp_path, name, told):
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "book.evidence.registered",
        str(tmp_path / name),
        "-o",
        str(out),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and told in done.stderr and not out.exists()


def test_a_file_of_another_shape_is_told_by_name(tmp_path):
    pd.DataFrame({"model": ["a"]}).to_csv(tmp_path / "stated.csv")
    with pytest.raises(ValueError, match=r"stated.csv: 'family' is not there; it has .*model"):
        files.frames(tmp_path)


def test_a_sealed_file_is_known_by_its_checksum(tmp_path, monkeypatch):
    (tmp_path / "originals").mkdir()
    (tmp_path / "originals" / "any-name").write_bytes(b"sealed")
    assert files.originals(tmp_path) == []
    digest = hashlib.sha256(b"sealed").hexdigest()[:16]
    monkeypatch.setattr(
        files, "sealed", lambda: pd.DataFrame({"sha256": [digest]}, index=["mnist"])
    )
    assert files.originals(tmp_path) == ["mnist"]
