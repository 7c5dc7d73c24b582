"""Evaluation logs of language models."""

import json

import numpy as np
import pytest

from calib_report.reading.reader import read
from evidence.files_with_truth.logs import harness
from evidence.files_with_truth.samples import P


def test_several_logs_are_read_as_one(tmp_path):
    for name, n in {"law": 3, "logic": 2}.items():
        rows = harness(choices=lambda i, n=n: n)
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    paths = sorted(tmp_path.glob("*.jsonl"))
    outputs = read(paths, groups="file")
    assert outputs.groups["file"].tolist() == [
        path.name for path in paths for _ in range(120)
    ]
    np.testing.assert_allclose(outputs.prob[:120], P)
    assert (outputs.prob[120:, 2] == 0).all()
    for name, other in {"one": "b", "two": "c"}.items():
        row = [
            {"scores": {"a": 0.7, other: 0.3}, "label": label}
            for label in ("a", "a", other)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, row)))
    # of other classes
    outputs = read([tmp_path / "one.jsonl", tmp_path / "two.jsonl"], scores="scores")
    assert outputs.class_names == ["a", "b", "c"] and outputs.y.tolist() == [
        0,
        0,
        1,
        0,
        0,
        2,
    ]
    assert outputs.prob[2].tolist() == [0.7, 0.3, 0] and outputs.prob[5].tolist() == [
        0.7,
        0,
        0.3,
    ]
    with pytest.raises(ValueError, match="only logs of JSON lines are read as one"):
        read([tmp_path / "a.csv", tmp_path / "b.csv"])


def without_target(row, i):
    if i == 1:
        del row["target"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_target, "row 1 has no 'target'"),
        (lambda row, i: row.update(target="9"), "target '9' is none of the 3 choices"),
        (lambda row, i: row["filtered_resps"].pop(), "holds 2 log-likelihoods"),
    ],
)
def test_a_log_whose_rows_are_damaged_is_refused(tmp_path, change, message):
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, harness(change))))
    with pytest.raises(ValueError, match=message):
        read(tmp_path / "a.jsonl")
