"""The command that judges the second set."""

import json
import runpy

import pandas as pd
import pytest

from evidence.forecasts.second import registered, stand_ins

TABLE = registered.load_table()


def judge_by_command(monkeypatch, folder, out):
    monkeypatch.setattr("sys.argv", ["second", str(folder), "-o", str(out)])
    runpy.run_module("evidence.forecasts.second", run_name="__main__")


def test_one_command_judges_a_folder(complete, tmp_path, monkeypatch, capsys):
    only = stand_ins.StandIn({}, complete.tasks, complete.subjects)
    judge_by_command(monkeypatch, only.write(tmp_path), tmp_path / "out")
    verdicts = pd.read_csv(tmp_path / "out" / "verdicts-2.csv")
    summary = json.loads((tmp_path / "out" / "summary-2.json").read_text())
    assert verdicts["id"].tolist() == TABLE["id"].tolist()
    assert summary["answered"] == verdicts["reason"].isna().sum()
    assert sum(summary["no answer"].values()) == verdicts["reason"].notna().sum()
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
