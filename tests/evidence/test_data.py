"""What may be read, from where, and what comes back."""

import hashlib
import io
import json
import os

import numpy as np
import pytest

from book.evidence import (
    Outputs,
    UndeclaredDataError,
    check_paired,
    load_published,
    load_results,
    load_zoo,
    zoo_index,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty data folder in place of the checkout's."""
    (tmp_path / "published").mkdir()
    (tmp_path / "zoo").mkdir()
    (tmp_path / "results").mkdir()
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    return tmp_path


def write_zoo(folder, *, sha256=None, rng=None):
    rng = rng or np.random.default_rng(0)
    arrays = {}
    for part, n in (("calibration", 4), ("test", 6)):
        arrays[f"{part}_logits"] = rng.normal(size=(n, 3)).astype(np.float16)
        arrays[f"{part}_y"] = rng.integers(3, size=n).astype(np.uint8)
    about = {"name": "net", "dataset": "Toy", "depth": 8}
    buffer = io.BytesIO()
    np.savez(buffer, about=json.dumps(about), **arrays)
    (folder / "zoo" / "net.npz").write_bytes(buffer.getvalue())
    sha256 = sha256 or hashlib.sha256(buffer.getvalue()).hexdigest()
    (folder / "zoo" / "zoo.csv").write_text(
        f"name,dataset,loss,sha256\nnet,Toy,,{sha256}\n", encoding="utf-8"
    )
    return arrays


def test_zoo_network(folder):
    arrays = write_zoo(folder)
    net = load_zoo("net")
    assert repr(net) == "Predictions('net', known='logits', calibration=4, test=6)"
    assert net.about["dataset"] == "Toy" and net.about["depth"] == 8
    assert np.array_equal(net.test.y, arrays["test_y"])
    assert np.array_equal(net.calibration.logits, arrays["calibration_logits"])
    assert net.test.logits.dtype == np.float64
    assert np.allclose(net.test.prob.sum(axis=1), 1, atol=1e-15)
    score, hit = net.test.pairs
    assert np.array_equal(score, net.test.prob.max(axis=1))
    assert np.array_equal(hit, net.test.prob.argmax(axis=1) == net.test.y)
    assert zoo_index().name.tolist() == ["net"]


def test_zoo_refuses_a_changed_file(folder):
    write_zoo(folder, sha256="0" * 64)
    with pytest.raises(ValueError, match=r"zoo/net.npz: its SHA-256 is [0-9a-f]{64}, expected 0+"):
        load_zoo("net")


def test_results(folder):
    (folder / "results" / "some.csv").write_text("source,metric,low\na,ece,0.25\nNA,ks,\n")
    frame = load_results("some")
    assert frame.source.tolist() == ["a", "NA"]
    assert frame.low.dtype == float and np.isnan(frame.low[1])
    with pytest.raises(ValueError, match="no results 'none'; there are some"):
        load_results("none")


def test_declared_reads_pass_and_others_do_not(folder, monkeypatch):
    write_zoo(folder)
    monkeypatch.setenv("CALIB_DECLARED", os.pathsep.join(["zoo/zoo.csv", "zoo/n*.npz"]))
    load_zoo("net")
    with pytest.raises(UndeclaredDataError, match=r"published/guo2017.csv is read but not"):
        load_published("guo2017")
    monkeypatch.setenv("CALIB_DECLARED", "zoo/zoo.csv")
    with pytest.raises(UndeclaredDataError, match=r"zoo/net.npz"):
        load_zoo("net")
    monkeypatch.setenv("CALIB_DECLARED", "")
    with pytest.raises(UndeclaredDataError, match=r"zoo/zoo.csv"):
        zoo_index()


class TestPaired:
    def split(self, y, order):
        return Outputs(
            y, order=order, classes=np.zeros((len(y), 1), int), scores=np.ones((len(y), 1))
        )

    def test_same_order(self):
        assert check_paired(self.split([0, 1], "a"), self.split([0, 1], "a")).tolist() == [0, 1]

    def test_other_order_is_refused_although_labels_agree(self):
        with pytest.raises(ValueError, match="'a' and 'b' cannot be paired"):
            check_paired(self.split([0, 1], "a"), self.split([0, 1], "b"))

    def test_other_labels_are_refused(self):
        with pytest.raises(ValueError, match="labels differ"):
            check_paired(self.split([0, 1], "a"), self.split([1, 1], "a"))
