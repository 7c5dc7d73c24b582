"""A map of anyone's in the arena: from the template to its row, whatever runs it."""

import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from arena_rows import BASE, table
from helpers import ROOT

from evidence.arena import one_map, ranking
from evidence.arena.__main__ import main

TEMPLATE = ROOT / "evidence" / "arena" / "my_map.py"


@pytest.mark.slow
def test_the_template_is_short_and_two_processes_find_the_same(few, tmp_path):
    lines = [
        line
        for line in TEMPLATE.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    assert len(lines) < 30
    tables = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for n_jobs, output in enumerate(tables, 1):
        table, failures = one_map.rank_map(
            TEMPLATE, "MyMap", output, folder=few, n_jobs=n_jobs
        )
        assert not failures and {"MyMap", "temperature", "isotonic"} < set(table.index)
        row = table.loc["MyMap"]
        assert np.isfinite(row["gain"]) and row["low"] < row["gain"] < row["high"]
    assert tables[0].read_bytes() == tables[1].read_bytes()
    assert len(pd.read_csv(tables[0])) == 1 + 2  # 312 and 872 samples


def test_a_file_may_hold_a_dataclass_and_import_what_lies_beside_it(tmp_path):
    file = tmp_path / "own.py"
    (tmp_path / "beside.py").write_text("FLOOR = 1e-6", "utf-8")
    file.write_text(OWN, "utf-8")
    assert one_map.MapFromFile(file, "Own").fit(0, 0).map_.floor == 1e-6
    assert str(tmp_path) not in sys.path


def test_a_rank_is_of_the_data_sets_that_all_maps_ran_on_as_on_the_leaderboard():
    """A map that lacks the last data set, where it would be worst, takes it out for all."""
    losses = {"a": lambda dataset, seed: 0.8, "b": lambda d, seed: 0.7 + 0.5 * (d == 3)}
    rows = table(BASE | losses)
    mine = (rows["map"] == "a") & (rows["dataset"] != "d3")
    ranked, found = one_map.rank_among(rows[mine], rows[rows["map"] != "a"])
    ranks = {"b": 1, "a": 2, "temperature": 3, "none": 4}
    assert found["rank"].to_dict() == ranks
    assert ranking.ranking(ranked)["rank"].to_dict() == ranks
    assert found.index[0] == "a"  # by gain, of the data sets that each ran on


OWN = """from __future__ import annotations
from dataclasses import dataclass
from beside import FLOOR
@dataclass
class Own:
    floor: float = FLOOR
    def fit(self, logits, y): ...
    def predict_proba(self, logits): ...
"""


NO_MAP = """class NoMap:
    def fit(self, logits, y):
        if len(y) > 100:
            self.t = undefined
    def predict_proba(self, logits):
        return [[1 / len(row)] * len(row) for row in logits]
"""


def test_failed_fits_are_told_and_count_as_the_network_as_it_is(
    few, tmp_path, capsys, monkeypatch
):
    file, output = tmp_path / "no_map.py", tmp_path / "mine.csv"
    file.write_text(NO_MAP, "utf-8")
    monkeypatch.setattr(
        f"{main.__module__}.rank_map", partial(one_map.rank_map, folder=few)
    )
    assert main([f"{file}:NoMap", "-o", str(output), "--jobs", "1"]) == 0
    cases = pd.read_csv(output)
    failed = cases["failure"].notna()
    assert failed.sum() == 1 and (failed == (cases["n"] > 100)).all()
    reason = "NameError: name 'undefined' is not defined (no_map.py, line 4)"
    assert set(cases["failure"][failed]) == {reason}
    printed = capsys.readouterr()
    assert (
        f"1 fits failed and count as the network as it is, the first: {reason}"
        in printed.err
    )
    assert "NoMap" in printed.out and "temperature" in printed.out
