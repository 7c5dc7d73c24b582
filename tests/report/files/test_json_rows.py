"""Rows of json that differ."""

import json

import numpy as np
import pytest

from calib_report.reading.reader import read


def test_rows_of_json_that_differ(tmp_path):
    for rows, message in (
        ([{"y": 0, "logits": [1, 2]}, {"y": 1}], "row 1 has no 'logits'"),
        (
            [{"y": 0, "probs": {"a": 0.5, "b": 0.5}}, {"y": 1}],
            "row 1 has no scores of options",
        ),
        (
            [{"y": 0, "p": {"a": 1}, "z": {"a": 2}}],
            "'p', 'z' hold scores of options each",
        ),
    ):
        (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
        with pytest.raises(ValueError, match=message):
            read(tmp_path / "a.jsonl")
    rows = [{"y": 0, "logits": [1, 2, 3]}, {"y": 1, "logits": [1, 2]}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outputs = read(tmp_path / "a.jsonl")
    assert outputs.logits[1].tolist() == [1, 2, -np.inf]
    assert "Rows hold other numbers of scores" in " ".join(map(str, outputs.notes))
