"""Committed results: complete, consistent, and the same when a sample of them is recomputed."""

import sys

import numpy as np
import pytest
from helpers import ROOT, need_shared

import calib
from book.evidence import Outputs, load_published, load_results

sys.path.insert(0, str(ROOT))
from data.results import evaluate, extra, tables

CLOSED = {"none", "top-histogram", "top-histogram-mass", "top-isotonic", "histogram", "isotonic"}
SAMPLE = [
    "kull-cifar10-resnet110",
    "kull-cifar100-densenet40",
    "northcutt-cifar10-vgg11-bn",
    "northcutt-imagenet-resnet152",
    "mehul0x-imagenet-vit-clip",
    "kerrigan-cifar10-resnet110",
    "cleanlab-20news",
]


@pytest.fixture(scope="module", autouse=True)
def mirror():
    with pytest.MonkeyPatch.context() as patch:
        if (ROOT.parent / "shared" / "mirror").is_dir():
            patch.setenv("CALIB_SOURCES", str(ROOT.parent / "shared" / "mirror"))
        yield


@pytest.fixture(scope="module")
def metrics():
    return load_results("metrics")


@pytest.fixture(scope="module")
def replication():
    return load_results("replication")


class TestCommitted:
    def test_ks_is_at_least_the_gap_of_the_means(self, metrics):
        wide = metrics.pivot(
            index=["source", "calibrator", "samples"], columns="metric", values="value"
        )
        assert (wide.ks >= (wide.accuracy - wide.confidence).abs() - 1e-9).all()
        assert (wide.ece >= (wide.accuracy - wide.confidence).abs() - 1e-9).all()
        assert (wide.rmsce >= wide.ece - 1e-9).all() and (wide.mce >= wide.rmsce - 1e-9).all()


def test_calarena_measures_as_we_do(metrics):
    """Accuracy, ECE, NLL and Brier score of ResNet-110, as trained and after one temperature."""
    theirs = load_results_of_calarena()
    ours = metrics[(metrics.source == "kull-cifar10-resnet110") & (metrics.samples == "held out")]
    ours = ours.set_index(["calibrator", "metric"]).value
    for method, calibrator in (("Uncalibrated", "none"), ("Temperature scaling", "temperature")):
        for metric, name in (("Accuracy", "accuracy"), ("NLL", "nll"), ("Brier", "brier")):
            factor = 100 if metric == "Accuracy" else 1
            wanted = theirs[method, metric]
            assert factor * ours[calibrator, name] == pytest.approx(wanted, rel=1e-3)
        assert 100 * ours[calibrator, "ece"] == pytest.approx(theirs[method, "ECE"], abs=0.005)


def load_results_of_calarena():
    from book.evidence.claims.frames import calarena

    rows = calarena()
    rows = rows[(rows["dataset"] == "CIFAR-10") & (rows["model"] == "ResNet-110")]
    return rows.set_index(["method", "metric"])["value"]


class TestReplication:
    def cells(self, replication, **wanted):
        for column, values in wanted.items():
            values = values if isinstance(values, list) else [values]
            replication = replication[replication[column].isin(values)]
        return replication

    def test_printed_values_are_the_published_ones(self, replication):
        key = ["paper", "table", "metric", "dataset", "model", "loss", "method"]
        for paper, rows in replication.fillna({"loss": ""}).groupby("paper"):
            both = rows.merge(load_published(paper), on=key)
            assert len(both) == len(rows)
            assert (both.printed == both.value).all()


@pytest.mark.shared
@pytest.mark.parametrize("name", SAMPLE)
def test_recomputed(name, metrics):
    need_shared("mirror")
    expected = metrics[metrics.source == name].reset_index(drop=True)
    found = evaluate.measure(name)
    assert [row["metric"] for row in found] == expected.metric.tolist()
    for row, (_, wanted) in zip(found, expected.iterrows(), strict=True):
        tolerance = 1e-9 if row["calibrator"] in CLOSED else 1e-5
        assert row["calibrator"] == wanted.calibrator
        assert row["value"] == pytest.approx(wanted.value, abs=tolerance), dict(wanted)


@pytest.mark.shared
def test_recomputed_human_labels():
    need_shared("mirror")
    committed = load_results("human").to_dict("records")
    for row, wanted in zip(extra.human(), committed, strict=True):
        assert row == pytest.approx(wanted, abs=1e-9)


class TestPartialTemperature:
    def net(self, n_classes=5, temperature=2.0, n=20_000):
        rng = np.random.default_rng(0)
        true = rng.dirichlet(np.full(n_classes, 0.5), size=n) + 1e-3
        y = (np.log(true) + rng.gumbel(size=true.shape)).argmax(axis=1)
        said = calib.softmax(temperature * np.log(true))
        return Outputs(y, order="drawn", probabilities=said)

    def test_whole_vectors_give_the_ordinary_temperature(self):
        """With all but one class known nothing is missing, so both fits are the same."""
        split = self.net()
        scores, classes = (array[:, :4] for array in split.ranked)
        head = Outputs(split.y, order="drawn", scores=scores, classes=classes)
        partial = evaluate.PartialTemperature(5, floor=1e-12).fit(head)
        whole = calib.TemperatureScaling().fit(np.log(split.prob), split.y)
        assert partial.temperature_ == pytest.approx(whole.temperature_, rel=1e-6)
        assert whole.temperature_ == pytest.approx(2, abs=0.1)
        calibrated = whole.predict_proba(np.log(split.prob)).max(axis=1)
        assert np.allclose(partial.predict(head).pairs[0], calibrated, atol=1e-6)


def test_pieces_are_kept_until_the_code_changes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tables, "PIECES", tmp_path)
    monkeypatch.setattr(tables, "PROCESSES", 1)
    for key, told in (("one", 2), ("one", 0), ("two", 2)):
        monkeypatch.setattr(tables, "code_key", lambda _, key=key: key)
        found = tables.compute_pieces("some", _rows, ["b", "a"])
        assert found == [{"item": "b", "value": 0.1}, {"item": "a", "value": 0.1}]
        assert capsys.readouterr().out.count("some") == told
    with pytest.raises(ZeroDivisionError):
        tables.compute_pieces("some", _rows, ["c", "fails"])
    assert len(list(tmp_path.rglob("c.json"))) == 1
    assert not list(tmp_path.rglob("fails*"))


def test_rows_that_stand_in_a_table_are_kept(tmp_path, monkeypatch):
    for name in ("FOLDER", "ROOT", "PIECES"):
        monkeypatch.setattr(tables, name, tmp_path)
    monkeypatch.setattr(tables, "code_key", lambda _: "key")
    tables.write_table("some", [{"item": "a", "value": 1 / 3}, {"item": "b", "value": ""}])
    assert (tmp_path / "some.csv").read_text() == "item,value\na,0.3333333333\nb,\n"
    found = tables.added("some", _rows, ["c", "b"], "item")
    assert found == [{"item": "c", "value": 0.1}, {"item": "b", "value": ""}]


def _rows(item):
    return [{"item": item, "value": 1 / (0 if item == "fails" else 10)}]
