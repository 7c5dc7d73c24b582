"""What may be read, from where, and what comes back."""

import hashlib
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from helpers import ROOT

import calib
from book.evidence import (
    UndeclaredDataError,
    check_paired,
    load_published,
    load_results,
    load_zoo,
    zoo_index,
)
from calib_report import ModelOutputs


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


def test_zoo_checks_before_it_parses(folder):
    write_zoo(folder)
    (folder / "zoo" / "net.npz").write_bytes(b"not an archive")
    with pytest.raises(ValueError, match="SHA-256"):
        load_zoo("net")


def test_zoo_lists_its_networks(folder):
    write_zoo(folder)
    with pytest.raises(ValueError, match="'other' is not in the zoo; it holds net"):
        load_zoo("other")


def test_zoo_refuses_labels_out_of_range(folder, monkeypatch):
    write_zoo(folder)
    path = folder / "zoo" / "net.npz"
    arrays = dict(np.load(path))
    arrays["test_y"][2] = 9
    np.savez(path, **arrays)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "zoo" / "zoo.csv").write_text(f"name,dataset,sha256\nnet,Toy,{sha256}\n")
    with pytest.raises(ValueError, match="y: row 2 is 9, expected an integer from 0 to 2"):
        load_zoo("net")


def test_results(folder):
    (folder / "results" / "some.csv").write_text("source,metric,low\na,ece,0.25\nNA,ks,\n")
    frame = load_results("some")
    assert frame.source.tolist() == ["a", "NA"]
    assert frame.low.dtype == float and np.isnan(frame.low[1])
    with pytest.raises(ValueError, match="no results 'none'; there are some"):
        load_results("none")


def test_no_data_names_the_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="set CALIB_DATA"):
        load_published("guo2017")


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


def test_predictions_alone_do_not_import_pandas(folder):
    write_zoo(folder)
    code = "import sys, book.evidence as e; e.load_zoo('net'); assert 'pandas' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


class TestSplit:
    def test_probabilities_only(self):
        split = ModelOutputs([1, 0], order="o", probabilities=np.array([[0.25, 0.75], [0.5, 0.5]]))
        assert split.logits is None
        score, hit = split.pairs
        assert score.tolist() == [0.75, 0.5] and hit.tolist() == [1, 1]

    def test_top_scores_have_no_full_vector(self):
        split = ModelOutputs([1], order="o", classes=[[1, 0]], scores=[[0.5, 0.25]])
        with pytest.raises(ValueError, match="only the top 2 of the probabilities are known"):
            _ = split.prob

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({}, "give logits, or probabilities, or scores"),
            ({"logits": np.eye(2), "probabilities": np.eye(2)}, "give logits, or"),
            ({"logits": np.eye(3)[:, :2]}, r"y: shape \(2,\), expected \(3,\)"),
            ({"logits": [[0, np.nan], [0, 0]]}, "row 0 holds nan in column 1"),
            ({"probabilities": [[0.5, 0.6], [1, 0]]}, "row 0 sums to 1.1"),
            ({"scores": [[0.5], [0.5]]}, "expected numbers and class indices of one shape"),
            ({"scores": [[0.5], [1.5]], "classes": [[0], [0]]}, "row 1 is 1.5"),
            ({"scores": [[0.1, 0.5], [1, 0]], "classes": [[0, 1], [0, 1]]}, "largest first"),
            ({"scores": [[0.5], [0.5]], "classes": [[0], [-1]]}, r"classes: row 1 is \[-1\]"),
        ],
    )
    def test_bad_input(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            ModelOutputs([0, 1], order="o", **arguments)

    def test_negative_label(self):
        with pytest.raises(ValueError, match="y: row 1 is -1"):
            ModelOutputs([0, -1], order="o", classes=[[0], [1]], scores=[[0.5], [0.5]])


class TestPaired:
    def split(self, y, order):
        return ModelOutputs(
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


class TestRanks:
    """The pairs of a rank are the same from a full vector, from its head, and from the views."""

    @pytest.fixture
    def full(self):
        rng = np.random.default_rng(1)
        prob = rng.dirichlet(np.ones(6), size=50)
        return ModelOutputs(rng.integers(6, size=50), order="o", probabilities=prob)

    @pytest.mark.parametrize("r", range(1, 6))
    def test_views(self, full, r):
        scores, classes = (array[:, :5] for array in full.ranked)
        head = ModelOutputs(full.y, order="o", scores=scores, classes=classes)
        for pairs, view in (
            ("top_r_pairs", calib.top_r),
            ("within_top_r_pairs", calib.within_top_r),
        ):
            wanted = view(r)(full.y, full.prob)
            for split in (full, head):
                score, hit = getattr(split, pairs)(r)
                assert np.allclose(score, wanted[0], atol=1e-15)
                assert np.array_equal(hit, wanted[1])

    def test_rounded_sums_are_at_most_one(self):
        split = ModelOutputs([0], order="o", scores=[[0.8, 0.2002]], classes=[[0, 1]])
        assert split.within_top_r_pairs(2)[0].tolist() == [1]

    @pytest.mark.parametrize("r", [0, 7])
    def test_rank_out_of_range(self, full, r):
        with pytest.raises(ValueError, match=f"r: {r}, expected a rank from 1 to 6"):
            full.top_r_pairs(r)
