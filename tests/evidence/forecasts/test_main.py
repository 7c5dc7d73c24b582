"""The command that judges the first forecasts."""

import json
import runpy

import pandas as pd
import pytest

from evidence.forecasts import load_registered

LINES = load_registered()


def judge_by_command(monkeypatch, folder, out):
    monkeypatch.setattr("sys.argv", ["registered", str(folder), "-o", str(out)])
    runpy.run_module("evidence.forecasts", run_name="__main__")


def test_one_command_judges_a_folder(folder, tmp_path, monkeypatch):
    (tmp_path / "classifiers.csv").write_bytes(
        (folder / "classifiers.csv").read_bytes()
    )
    judge_by_command(monkeypatch, tmp_path, tmp_path)
    assert pd.read_csv(tmp_path / "verdicts.csv")["id"].tolist() == LINES["id"].tolist()
    assert json.loads((tmp_path / "scores.json").read_text())["sealed files"] == []
    assert "<svg" in (tmp_path / "reliability.svg").read_text()


@pytest.mark.parametrize(
    ("name", "told"), [("absent", "no such folder"), (".", "holds no file")]
)
def test_a_folder_without_evidence_is_refused_and_nothing_is_written(
    tmp_path, name, told, monkeypatch, capsys
):
    with pytest.raises(SystemExit, match="2"):
        judge_by_command(monkeypatch, tmp_path / name, tmp_path / "out")
    assert told in capsys.readouterr().err and not (tmp_path / "out").exists()
