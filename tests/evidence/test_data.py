"""What may be read, from where, and what comes back."""

import hashlib
import os
import re

import numpy as np
import pytest
from helpers import ROOT

import evidence
from evidence.training import zoo_files

RNG = np.random.default_rng(0)
Z, Y = RNG.normal(size=(10, 3)), RNG.integers(3, size=10)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder with one network in place of the checkout's."""
    for name in ("published", "zoo", "results"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    about, sets = {"dataset": "Toy", "depth": 8}, ((Z[:4], Y[:4]), (Z[4:], Y[4:]))
    zoo_files.write_outputs("net", *sets, about, tmp_path / "zoo")
    sha256 = hashlib.sha256((tmp_path / "zoo" / "net.npz").read_bytes()).hexdigest()
    index = f"name,dataset,loss,sha256\nnet,Toy,,{sha256}\n"
    (tmp_path / "zoo" / "zoo.csv").write_text(index, encoding="utf-8")
    return tmp_path


def test_one_module_says_where_the_data_lie():
    """No other builds the path, which CALIB_DATA may change."""
    own_path = re.compile(r"/ \"data\"|/ \"data/")
    sources = (ROOT / "evidence").rglob("*.py")
    builders = {path.name for path in sources if own_path.search(path.read_text())}
    assert builders == {"data.py"}


def test_zoo_network(folder):
    net = evidence.load_zoo("net")
    assert repr(net) == "Predictions('net', known='logits', calibration=4, test=6)"
    assert net.about["dataset"] == "Toy" and net.about["depth"] == 8
    assert np.array_equal(net.test.y, Y[4:])
    assert np.array_equal(net.calibration.logits, Z[:4].astype(np.float16))
    assert net.test.logits.dtype == np.float64
    assert np.allclose(net.test.prob.sum(axis=1), 1, atol=1e-15)
    score, hit = net.test.pairs
    assert np.array_equal(score, net.test.prob.max(axis=1))
    assert np.array_equal(hit, net.test.prob.argmax(axis=1) == net.test.y)
    assert evidence.zoo_index().name.tolist() == ["net"]
    (folder / "zoo" / "net.npz").write_bytes(b"changed")
    with pytest.raises(
        ValueError, match=r"zoo/net.npz: its SHA-256 is [0-9a-f]{64}, expected"
    ):
        evidence.load_zoo("net")


def test_results(folder):
    (folder / "results" / "some.csv").write_text(
        "source,metric,low\na,ece,0.25\nNA,ks,\n"
    )
    frame = evidence.load_results("some")
    assert frame.source.tolist() == ["a", "NA"]
    assert frame.low.dtype == float and np.isnan(frame.low[1])
    with pytest.raises(ValueError, match="no results 'none'; there are some"):
        evidence.load_results("none")


def test_declared_reads_pass_and_others_do_not(folder, monkeypatch):
    monkeypatch.setenv("CALIB_DECLARED", os.pathsep.join(["zoo/zoo.csv", "zoo/n*.npz"]))
    evidence.load_zoo("net")
    with pytest.raises(
        evidence.UndeclaredDataError, match=r"published/guo2017.csv is read but"
    ):
        evidence.load_published("guo2017")
    monkeypatch.setenv("CALIB_DECLARED", "zoo/zoo.csv")
    with pytest.raises(evidence.UndeclaredDataError, match=r"zoo/net.npz"):
        evidence.load_zoo("net")
    monkeypatch.setenv("CALIB_DECLARED", "")
    with pytest.raises(evidence.UndeclaredDataError, match=r"zoo/zoo.csv"):
        evidence.zoo_index()


@pytest.mark.parametrize(
    ("order", "y", "told"),
    [("b", [0, 1], "'a' and 'b' cannot be paired"), ("a", [1, 1], "labels differ")],
)
def test_what_is_of_other_samples_is_not_paired_although_labels_may_agree(
    order, y, told
):
    def split(y, order):
        return evidence.Outputs(y, order=order, probabilities=np.eye(2))

    assert evidence.check_paired(split([0, 1], "a"), split([0, 1], "a")).tolist() == [
        0,
        1,
    ]
    with pytest.raises(ValueError, match=told):
        evidence.check_paired(split([0, 1], "a"), split(y, order))
