"""Committed results: complete, consistent, and the same when a sample of them is recomputed."""

import sys
from itertools import product

import numpy as np
import pytest
from helpers import ROOT, need_shared

import calib
import calib_report
from book.evidence import load_published, load_results, source_index, source_names

sys.path.insert(0, str(ROOT))
from data.results import evaluate, extra, guo, halves, intervals, kind, refits, replicate, tables

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
    def test_every_source_is_there_with_all_that_it_allows(self, metrics):
        files = source_index().set_index("name")
        assert list(dict.fromkeys(metrics.source)) == source_names()
        for name, rows in metrics.groupby("source"):
            known = files.known[name]
            assert {f"top-{calibrator}" for calibrator in evaluate.MAPS} < set(rows.calibrator)
            assert (known == "top5") == ("temperature-top5" in set(rows.calibrator))
            full = known in ("logits", "probabilities")
            assert (set(evaluate.WHOLE) <= set(rows.calibrator)) == full
            assert set(evaluate.TOP_METRICS) <= set(rows.metric)
            assert (set(evaluate.FULL_METRICS) <= set(rows.metric)) == full
            assert ("ks_within_5" in set(rows.metric)) == (known != "top1")

    def test_values_are_numbers_in_range(self, metrics):
        assert not metrics.duplicated(["source", "calibrator", "samples", "metric"]).any()
        fractions = metrics[~metrics.metric.isin(["nll", "brier"])]
        assert fractions.value.between(0, 1).all()
        infinite = metrics[~np.isfinite(metrics.value)]
        assert set(infinite.metric) == {"nll"}
        assert set(infinite[infinite.calibrator == "none"].source) == {"cleanlab-20news"}
        assert set(infinite.calibrator) == {"none", "spline"}  # these can say zero

    def test_ks_is_at_least_the_gap_of_the_means(self, metrics):
        wide = metrics.pivot(
            index=["source", "calibrator", "samples"], columns="metric", values="value"
        )
        assert (wide.ks >= (wide.accuracy - wide.confidence).abs() - 1e-9).all()
        assert (wide.ece >= (wide.accuracy - wide.confidence).abs() - 1e-9).all()
        assert (wide.rmsce >= wide.ece - 1e-9).all() and (wide.mce >= wide.rmsce - 1e-9).all()

    def test_intervals(self, metrics):
        found = load_results("intervals")
        key = ["source", "calibrator", "samples", "metric"]
        both = found.merge(metrics, on=key, suffixes=("", "_metrics"))
        assert len(both) == len(found)
        assert np.allclose(both.value, both.value_metrics, atol=1e-5)
        assert (found.low <= found.high).all() and (found.standard_error >= 0).all()
        assert set(found.n_resamples) == {intervals.N_RESAMPLES}
        assert set(found.source) == set(metrics.source)
        accuracy = found[found.metric == "accuracy"]
        assert (accuracy.low < accuracy.value).all() and (accuracy.value < accuracy.high).all()

    def test_halves(self):
        found = load_results("halves")
        assert set(found.n_halves) == {halves.N_HALVES} == {1000}
        assert set(found.source) == set(halves.sources())
        quantiles = found[[column for column in found if column.startswith("q")]]
        assert (np.diff(quantiles, axis=1) >= 0).all()

    def test_bins_of_guos_siblings(self, metrics):
        found = load_results("guo")
        assert list(dict.fromkeys(found.source)) == guo.SIBLINGS
        raw = metrics[(metrics.calibrator == "none") & (metrics.samples == "all")]
        for name in ("accuracy", "confidence"):
            sums = found.groupby("source")["hit_sum" if name == "accuracy" else "score_sum"].sum()
            expected = raw[raw.metric == name].set_index("source").value
            n = found.groupby("source")["count"].sum()
            assert np.allclose(sums / n, expected[sums.index], atol=1e-6)

    def test_matrix_scaling_is_there_for_every_whole_vector(self, metrics):
        found = load_results("matrix").set_index("source").ece
        whole = metrics[metrics.calibrator == "matrix-odir"].source
        assert set(found.index) == set(whole)
        assert found[found.isna()].index.tolist() == ["netcal-cifar100-wideresnet-16-4"]


def test_more_maps_and_networks_in_kind(metrics):
    found = load_results("kind")
    whole = metrics[metrics.calibrator == "vector"].source
    assert set(found.source) == set(whole) | set(kind.OTHERS)
    assert not found.duplicated(["source", "calibrator", "samples", "metric"]).any()
    both = found[(found.calibrator == "matrix") & (found.metric == "ece")]
    matrix = load_results("matrix").set_index("source").ece
    shared = both[both.source.isin(matrix.index)]
    assert np.allclose(shared.value, matrix[shared.source], atol=1e-5)


def test_refitted_intervals_are_of_the_same_values(metrics):
    found = load_results("refits")
    held = metrics[metrics.samples == "held out"]
    both = found.merge(held, on=["source", "calibrator", "metric"], suffixes=("", "_metrics"))
    assert len(both) == len(found)
    assert np.allclose(both.value, both.value_metrics, atol=1e-5)
    assert (found.low < found.high).all() and (found.split_low <= found.split_high).all()
    measured = set(zip(found.calibrator, found.metric, strict=True))
    wanted = set(product(refits.VECTORS, refits.METRICS_OF_VECTORS))
    assert measured <= wanted | set(product(refits.SCORES, refits.METRICS_OF_SCORES))


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

    def test_differences_and_reasons(self, replication):
        assert np.allclose(replication.recomputed - replication.printed, replication.difference)
        assert replication.reason.str.len().min() > 5
        wrong = replication.reason.str.startswith("agrees") & (replication.difference.abs() > 0.002)
        assert not wrong.any()

    def test_resnet110_uncalibrated_and_temperature(self, replication):
        rows = self.cells(
            replication,
            source="kull-cifar10-resnet110",
            method=["Uncalibrated", "Temperature scaling"],
        )
        assert sorted(set(rows.table)) == [1, 2, 4, 5, 6] and len(rows) == 10
        assert (rows.difference.abs() <= 0.002).all()

    def test_all_six_methods_are_there(self, replication):
        rows = self.cells(replication, source="kull-cifar10-resnet110")
        assert len(rows) == 30 and rows.method.nunique() == 6

    def test_the_other_three_networks(self, replication):
        rows = self.cells(replication, relation="same network", paper="gupta2021")
        rows = rows[rows.source != "kull-cifar10-resnet110"]
        assert len(rows) == 9
        assert (rows.difference.abs() <= 0.002).all()

    def test_cells_with_halves_have_a_place(self, replication):
        rows = replication[replication.place.notna()]
        assert rows.place.between(0, 1).all()
        assert (rows.low <= rows.recomputed).all() and (rows.recomputed <= rows.high).all()
        group_1 = self.cells(rows, relation="presumed sibling")
        assert group_1.source.nunique() == 13
        assert set(group_1.metric) == {"Accuracy", "ECE", "MCE"}
        group_2 = rows[rows.source.str.startswith("calibench")]
        assert group_2.groupby("source").size().tolist() == [44, 44]
        assert {"KDE-ECE", "MCE", "Top-1 Brier"} <= set(rows[rows.table == 7].metric)


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
def test_recomputed_in_kind():
    need_shared("mirror")
    name = "ferrer-cifar10-vgg19-bn"
    wanted = load_results("kind").query("source == @name and metric == 'ece'")
    found = [row for row in kind.measure(name) if row["metric"] == "ece"]
    assert [row["calibrator"] for row in found] == wanted.calibrator.tolist()
    assert [row["value"] for row in found] == pytest.approx(wanted.value.tolist(), abs=1e-5)


@pytest.mark.shared
def test_recomputed_replication(replication):
    need_shared("mirror")
    parts = [*replicate.resnet110_cifar10(["Temperature scaling"]), *replicate.birds()]
    rows = replication.set_index(["source", "table", "metric", "method"])
    for row in parts:
        wanted = rows.loc[(row["source"], row["table"], row["metric"], row["method"])]
        assert row["recomputed"] == pytest.approx(wanted.recomputed, abs=1e-4)
        assert row["reason"] == wanted.reason


@pytest.mark.shared
def test_recomputed_halves():
    """The first of the thousand halves lie among the quantiles of all."""
    need_shared("mirror")
    found = load_results("halves").set_index(["source", "method", "metric"])
    for name in ("calibench-cifar10-resnet50-focal", "northcutt-cifar10-resnet18"):
        for row in halves.half_values(name, 5):
            wanted = found.loc[(name, row["method"], row["metric"])]
            assert wanted.q0 - 1e-5 <= min(row["values"])
            assert max(row["values"]) <= wanted.q100 + 1e-5


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
        return calib_report.ModelOutputs(y, order="drawn", probabilities=said)

    def test_whole_vectors_give_the_ordinary_temperature(self):
        """With all but one class known nothing is missing, so both fits are the same."""
        split = self.net()
        scores, classes = (array[:, :4] for array in split.ranked)
        head = calib_report.ModelOutputs(split.y, order="drawn", scores=scores, classes=classes)
        partial = evaluate.PartialTemperature(5, floor=1e-12).fit(head)
        whole = calib.TemperatureScaling().fit(np.log(split.prob), split.y)
        assert partial.temperature_ == pytest.approx(whole.temperature_, rel=1e-6)
        assert whole.temperature_ == pytest.approx(2, abs=0.1)
        calibrated = whole.predict_proba(np.log(split.prob)).max(axis=1)
        assert np.allclose(partial.predict(head).pairs[0], calibrated, atol=1e-6)


class TestTables:
    def test_pieces_are_kept_and_the_run_resumes(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setattr(tables, "PIECES", tmp_path)
        monkeypatch.setattr(tables, "code_key", lambda _: "key")
        first = tables.compute_pieces("some", _rows, ["a"], processes=1)
        assert first == [{"item": "a", "value": 0.1}]
        assert tables.compute_pieces("some", _rows, ["b", "a"], processes=1) == [
            {"item": "b", "value": 0.1},
            {"item": "a", "value": 0.1},
        ]
        assert capsys.readouterr().out.count("some") == 2
        assert not list(tmp_path.rglob("*.part"))

    def test_other_code_computes_again(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setattr(tables, "PIECES", tmp_path)
        for key in ("one", "two"):
            monkeypatch.setattr(tables, "code_key", lambda _, key=key: key)
            tables.compute_pieces("some", _rows, ["a"], processes=1)
        assert capsys.readouterr().out.count("some") == 2

    def test_a_failure_keeps_the_finished_pieces(self, tmp_path, monkeypatch):
        monkeypatch.setattr(tables, "PIECES", tmp_path)
        with pytest.raises(ZeroDivisionError):
            tables.compute_pieces("some", _rows, ["a", "fails"], processes=1)
        assert len(list(tmp_path.rglob("a.json"))) == 1
        assert not list(tmp_path.rglob("fails*"))

    def test_tables_have_ten_digits(self, tmp_path, monkeypatch):
        monkeypatch.setattr(tables, "FOLDER", tmp_path)
        monkeypatch.setattr(tables, "ROOT", tmp_path)
        tables.write_table("some", [{"name": "a", "value": 1 / 3}, {"name": "b", "value": ""}])
        assert (tmp_path / "some.csv").read_text() == "name,value\na,0.3333333333\nb,\n"


def _rows(item):
    return [{"item": item, "value": 1 / (0 if item == "fails" else 10)}]


@pytest.mark.shared
def test_recomputed_guo():
    need_shared("mirror")
    committed = load_results("guo").query("source == 'kull-cifar100-resnet110'")
    found = list(guo.bins("kull-cifar100-resnet110"))
    for column in ("count", "score_sum", "hit_sum"):
        assert np.allclose([row[column] for row in found], committed[column])
    committed = load_results("matrix").set_index("source").ece
    name = "kerrigan-cifar10-resnet110"
    assert np.isclose(guo.matrix(name)["ece"], committed[name], atol=1e-5)


def test_maps_of_classes_need_more_data_than_a_temperature():
    """The committed sizes hold every map and size, and a few fits come out the same."""
    from data.results import sizes

    found = load_results("sizes")
    assert set(found["source"]) == set(sizes.NETWORKS)
    fitted = found[found["n"] > 0]
    assert fitted["n"].min() == 50
    assert fitted["n"].max() == 25000
    ten = fitted[fitted["classes"] == 10]
    assert set(ten["calibrator"]) == set(sizes.MAPS)


def test_halves_name_winners_by_chance():
    from data.results import split_half

    found = load_results("split_half")
    assert found["differs"].between(0, 1).all()
    assert set(found["methods"]) == set(split_half.METHODS)
    same = found[found["first"] == found["second"]].groupby("first")["differs"].mean()
    assert same["nll"] < same["ece"]


def test_the_baseline_of_halves_by_hand():
    """Two rankings that agree on their first place differ in none, else in all."""
    from data.results.split_half import kendall

    a = np.array([[1.0, 2, 3], [1, 2, 3]])
    b = np.array([[1.0, 3, 2], [3, 2, 1]])
    assert kendall(a, b) == pytest.approx([1 / 3, -1])
