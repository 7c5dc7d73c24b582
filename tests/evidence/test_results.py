"""Committed results: what they rest on, and the same when a sample of them is computed again."""

import ast
import re
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT, need_shared

import calib
from evidence import Outputs, load_published, load_results, pieces, sources
from evidence.claims.frames import calarena
from evidence.data import NAMES
from evidence.studies import __main__ as command
from evidence.studies.maps import (
    maps_on_simulated_networks,
    maps_on_six_networks,
    report_on_registered_networks,
)
from evidence.studies.metrics import estimators_with_truth
from evidence.studies.networks import ece_details, metrics_of_zoo, same_networks
from evidence.studies.papers import metrics_over_random_halves
from evidence.studies.parts import metrics_of_sources
from evidence.studies.promises import (
    abstention_public,
    class_prior_coverage,
    class_priors,
    ensembles,
    labels_of_people,
    set_sizes,
)


def same(found, stored, rel=1e-6, abs=1e-9):
    """Compare rows with the rows of a table that have the same words."""
    for row in found:
        there = load_results(stored) if isinstance(stored, str) else stored
        for key, value in row.items():
            if isinstance(value, str) and value:
                there = there[there[key].astype(str) == value]
        assert len(there) == 1, row
        for key, value in row.items():
            if isinstance(value, float):
                assert there[key].item() == pytest.approx(value, rel=rel, abs=abs), (
                    row,
                    key,
                )


STUDIES, RESULTS = ROOT / "evidence" / "studies", ROOT / "data" / "results"
PNEUMONIA = "ferrer-pneumonia-resnet50"
METRICS_OF = "kull-cifar10-resnet110 northcutt-imagenet-resnet152 mehul0x-imagenet-vit-clip".split()
SHARED = {
    **{
        f"metrics of {n}": (
            metrics_of_sources.measure_source,
            n,
            "metrics_of_public_networks",
        )
        for n in [*METRICS_OF, "cleanlab-20news"]
    },
    "people": (labels_of_people.rows, "baan-snli", "labels_of_people"),
    "answers": (labels_of_people.rows, "lifeeval gpt", "labels_of_people"),
    "sets": (set_sizes.splits, "ferrer-emotion-wav2vec", "set_sizes"),
    "abstention": (abstention_public.abstention, PNEUMONIA, "abstention_public"),
    "priors": (class_priors.in_new_worlds, PNEUMONIA, "class_priors"),
    "prior_coverage": (
        class_prior_coverage.coverage_of_priors,
        PNEUMONIA,
        "class_prior_coverage",
    ),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", SHARED)
def test_what_rests_on_public_files_is_computed_again(name, monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    function, source, stored = SHARED[name]
    rows = list(function(source))
    assert rows
    for row in rows:  # the least squares of a spline end 1e-5 apart on two processors
        same([row], stored, abs=2e-5 if row.get("calibrator") == "spline" else 1e-5)


@pytest.mark.shared
def test_another_group_measured_the_same_networks_alike(monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    again = pd.DataFrame(same_networks.rows())
    stored = load_results("same_networks")
    assert again.drop(columns="difference").equals(stored.drop(columns="difference"))
    np.testing.assert_allclose(again["difference"], stored["difference"], atol=1e-9)
    apart = stored.groupby("method")["difference"].agg(
        lambda values: values.abs().max()
    )
    assert apart["Uncalibrated"] < 1e-4 < apart["Temperature scaling"] < 0.05


def accuracies_apart(case, name):
    """How many standard errors two sources of one network are apart, of images that both have."""
    of_all = load_results("metrics_of_public_networks").query(
        "calibrator == 'none' and samples == 'all' and metric == 'accuracy'"
    )
    ours = of_all.set_index("source").loc[name]
    before = calarena().query("method == 'Uncalibrated' and metric == 'Accuracy'")
    theirs = before.set_index("case").loc[case]
    error = ours.value * (1 - ours.value) * (1 / theirs.n - 1 / ours.n)
    rounding = 1e-5  # theirs are float32
    return abs(theirs.value / 100 - ours.value) / max(np.sqrt(error), rounding)


def test_networks_that_are_said_to_be_the_same_are_right_alike():
    for case, name in NAMES["same_networks"].items():
        assert accuracies_apart(case, name) < 3, (case, name)
    # one name, another network
    resnet = "imagenet-resnet-152", "imagenet-resnet152"
    assert accuracies_apart(f"calarena-{resnet[0]}", f"northcutt-{resnet[1]}") > 7


@pytest.mark.shared
def test_a_split_of_an_opened_network_is_computed_again():
    arrays = np.load(need_shared("unsealed/originals/verified_vgg16_c10.npz"))
    logits = np.log(arrays["probs"].astype(float))
    (row,) = report_on_registered_networks.splits(
        "cifar10-vgg16", arrays["labels"], logits, n_splits=1
    )
    (stored,) = (
        load_results("report_on_registered_networks")
        .query("network == @row['network'] and split == 0")
        .to_dict("records")
    )
    for name, value in row.items():
        number = isinstance(value, float)
        assert stored[name] == (pytest.approx(value, rel=1e-6) if number else value)


def test_opened_files_that_are_absent_are_named(tmp_path, monkeypatch):
    monkeypatch.delenv(report_on_registered_networks.FOLDER, raising=False)
    with pytest.raises(FileNotFoundError, match="CALIB_OPENED names no folder"):
        list(report_on_registered_networks.rows())
    monkeypatch.setenv(report_on_registered_networks.FOLDER, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"cifar10-vgg16, .*by the SHA-256"):
        list(report_on_registered_networks.rows())


def test_what_rests_on_our_networks_is_computed_again():
    same(ensembles.ensemble("20news-dan1-w100"), "ensembles")
    stored = load_results("maps_on_six_networks").set_index(["network", "method"])
    for row in maps_on_six_networks.on_network(maps_on_six_networks.NETWORKS[0]):
        numbers = {
            key: float(row[key] or "nan") for key in ("held_out_nll", "test_nll")
        }
        there = stored.loc[(row["network"], row["method"])]
        np.testing.assert_allclose(
            there[list(numbers)].tolist(), [*numbers.values()], atol=2e-6
        )
    some = {
        key: metrics_of_zoo.CALIBRATORS[key] for key in ("temperature", "histogram")
    }
    rows = [
        row | {"value": float(row["value"])}
        for row in metrics_of_zoo.measure_network("cifar10-resnet20", some)
    ]
    assert {row["calibrator"] for row in rows} == {"none", "top-spline", *some}
    same(rows, "metrics_of_zoo", rel=2e-3, abs=1e-5)


@pytest.mark.parametrize("world", maps_on_simulated_networks.WORLDS)
def test_simulated_worlds_have_their_truth_and_are_computed_again(world):
    stored = load_results("maps_on_simulated_networks").query(
        "world == @world and classes == 2 and repetition == 0"
    )
    rows = list(maps_on_simulated_networks.compare_methods(world, 2, 0))
    assert [row[:2] for row in rows] == list(zip(stored.n, stored.method, strict=True))
    np.testing.assert_allclose([row[2] for row in rows], stored.excess_nll, atol=2e-6)
    rng = np.random.default_rng(5)
    y, _, truth = maps_on_simulated_networks.DrawnNetwork(world, 5, rng).sample(
        200_000, rng
    )
    np.testing.assert_allclose(truth.sum(axis=1), 1)
    np.testing.assert_allclose(np.bincount(y) / len(y), truth.mean(axis=0), atol=0.005)
    confident = truth.max(axis=1) > 0.7
    hit, score = (y == truth.argmax(axis=1))[confident], truth.max(axis=1)[confident]
    assert abs(hit.mean() - score.mean()) < 0.01


def test_printed_values_are_the_published_ones():
    key = ["paper", "table", "metric", "dataset", "model", "loss", "method"]
    for paper, rows in (
        load_results("replication").fillna({"loss": ""}).groupby("paper")
    ):
        both = rows.merge(load_published(paper), on=key)
        assert len(both) == len(rows) and (both.printed == both.value).all()


def test_calarena_measures_as_we_do():
    """Accuracy, ECE, NLL and Brier score of ResNet-110, as trained and after one temperature."""
    theirs = calarena().query("dataset == 'CIFAR-10' and model == 'ResNet-110'")
    theirs = theirs.set_index(["method", "metric"])["value"]
    ours = load_results("metrics_of_public_networks").query(
        "source == @METRICS_OF[0] and samples == 'held out'"
    )
    ours = ours.set_index(["calibrator", "metric"])["value"]
    for method, calibrator in (
        ("Uncalibrated", "none"),
        ("Temperature scaling", "temperature"),
    ):
        for metric, unit in {"Accuracy": 100, "NLL": 1, "Brier": 1, "ECE": 100}.items():
            value = unit * ours[calibrator, metric.lower()]
            assert value == pytest.approx(theirs[method, metric], rel=1e-3, abs=0.005)


def test_a_partial_temperature_of_nearly_whole_vectors_is_the_ordinary_one():
    """With all but one class known nothing is missing, so both fits are the same."""
    rng = np.random.default_rng(0)
    true = rng.dirichlet(np.full(5, 0.5), size=20_000) + 1e-3
    y = (np.log(true) + rng.gumbel(size=true.shape)).argmax(axis=1)
    split = Outputs(y, order="drawn", probabilities=calib.softmax(2 * np.log(true)))
    scores, classes = (array[:, :4] for array in split.ranked)
    head = Outputs(y, order="drawn", scores=scores, classes=classes)
    partial = metrics_of_sources.PartialTemperature(5, floor=1e-12).fit(head)
    whole = calib.TemperatureScaling().fit(np.log(split.prob), y)
    assert partial.temperature_ == pytest.approx(whole.temperature_, rel=1e-6)
    assert whole.temperature_ == pytest.approx(2, abs=0.1)
    calibrated = whole.predict_proba(np.log(split.prob)).max(axis=1)
    assert np.allclose(partial.predict(head).pairs[0], calibrated, atol=1e-6)


def test_priors_by_the_confusion_matrix():
    """With a known confusion it is inverted."""
    rng = np.random.default_rng(0)
    confusion = np.array([[0.8, 0.3], [0.2, 0.7]])
    y_own, y = rng.integers(2, size=50_000), (rng.random(50_000) < 0.9).astype(int)
    says = [(rng.random(len(t)) < confusion[1, t]).astype(int) for t in (y_own, y)]
    found = class_priors.confusion_priors(np.eye(2)[says[0]], y_own, np.eye(2)[says[1]])
    assert found == pytest.approx([0.1, 0.9], abs=0.02)


def test_true_values_are_limits_of_draws():
    rng = np.random.default_rng(0)
    score = rng.random(40)
    drawn = rng.integers(40, size=200_000)
    hit = rng.random(200_000) < (score**2)[drawn]
    for estimator, metric in estimators_with_truth.ESTIMATORS.items():
        limit = estimators_with_truth.true_value(estimator, score, score**2)
        assert metric(hit, score[drawn]) == pytest.approx(limit, abs=0.01)
    assert estimators_with_truth.error_without_bins(
        np.repeat([0.2, 0.8], 40), np.repeat([0.3, 0.8], 40)
    ) == pytest.approx(0.05)
    assert estimators_with_truth.error_without_bins(score, score**2) == ""


def test_a_setting_that_lacks_a_seed_supports_nothing(monkeypatch):
    names = [*(f"three-s{seed}" for seed in (1, 2, 3)), "two-s1", "two-s2", "published"]
    index = pd.DataFrame({"name": names, "seed": [1, 2, 3, 1, 2, None]})
    monkeypatch.setattr(metrics_of_zoo, "zoo_index", lambda: index)
    assert metrics_of_zoo.networks_with_all_seeds() == [
        "published",
        "three-s1",
        "three-s2",
        "three-s3",
    ]


def test_a_gap_of_one_class_is_found():
    rng = np.random.default_rng(0)
    prob = np.tile([[0.8, 0.2], [0.2, 0.8]], (5000, 1))
    even = np.where(rng.random(10_000) < 0.8, prob.argmax(axis=1), prob.argmin(axis=1))
    uneven = np.where(prob.argmax(axis=1) == 0, 0, even)
    p = [
        ece_details.class_gap_p(Outputs(y, probabilities=prob)) for y in (even, uneven)
    ]
    assert p[0] > 0.01 and p[1] < 1e-6


def _rows(item):
    return [{"item": item, "value": 1 / (0 if item == "fails" else 10)}]


def test_pieces_are_kept_until_the_code_changes_and_so_are_rows_of_a_table(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(pieces, "PIECES", tmp_path)
    monkeypatch.setattr(pieces, "results_folder", lambda: tmp_path)
    monkeypatch.setattr(pieces, "PROCESSES", 1)
    for key, told in (("one", 2), ("one", 0), ("two", 2)):
        monkeypatch.setattr(pieces, "code_key", lambda _, key=key: key)
        found = pieces.compute_pieces("some", _rows, ["b", "a"])
        assert found == [{"item": "b", "value": 0.1}, {"item": "a", "value": 0.1}]
        assert capsys.readouterr().out.count("some") == told
    with pytest.raises(ZeroDivisionError):
        pieces.compute_pieces("some", _rows, ["c", "fails"])
    assert len(list(tmp_path.rglob("c.json"))) == 1
    assert not list(tmp_path.rglob("fails*"))
    pieces.write_table(
        "some", [{"item": "a", "value": 1 / 3}, {"item": "b", "value": ""}]
    )
    assert (tmp_path / "some.csv").read_text() == "item,value\na,0.3333333333\nb,\n"
    found = pieces.stored_and_computed("some", _rows, ["c", "b"], "item")
    assert found == [{"item": "c", "value": 0.1}, {"item": "b", "value": ""}]


def test_a_table_is_computed_by_its_name_or_by_a_pattern():
    assert command.tables_named("covariate_shift") == ["covariate_shift"]
    sets = ["set_coverage_law", "set_sizes", "set_temperature"]
    assert command.tables_named("set_*") == sets
    shares = command.tables_named("shares/*")
    assert shares[0] == "share_ranks" and set(shares) == in_folder("shares")
    with pytest.raises(
        ValueError, match=r"'covariate' is no table .*; the nearest is covariate_shift"
    ):
        command.tables_named("covariate")


def in_folder(folder):
    """Return the studies of a folder."""
    return {name for name, place in command.FOLDERS.items() if place == folder}


def test_a_new_study_is_computed_with_the_others(tmp_path, monkeypatch):
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "__init__.py").touch()
    (tmp_path / "metrics" / "mean_gap.py").write_text("def rows():\n    yield {}\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "halves.py").touch()
    there = command.folders_of_studies(tmp_path)
    assert there == {"mean_gap": "metrics"}
    monkeypatch.setattr(command, "FOLDERS", command.FOLDERS | there)
    assert command.usual()[-1] == "mean_gap"
    assert command.tables_named("metrics/mean*") == ["mean_gap"]


def test_what_another_study_reads_is_computed_first():
    studies = [path.read_text("utf-8") for path in STUDIES.glob("*/*.py")]
    read = set(re.findall(r'load_results\("(\w+)"\)', "".join(studies)))
    # lots that were drawn once
    assert read - {*command.BY_NAME, "arena_lots"} == set(command.FIRST)


def tables_by_function(path):
    """The tables that each function of a module loads by name."""
    functions = [
        node
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]
    return {
        node.name: set(re.findall(r"load_results\('(\w+)'\)", ast.unparse(node)))
        for node in functions
    }


def test_a_table_of_the_arena_is_computed_after_those_that_it_reads():
    loads = tables_by_function(ROOT / "evidence" / "arena" / "__init__.py")
    assert loads["load_peer_cases"] == {"arena", "arena_peers"}
    order = command.tables_named("arena/*")
    compared = 0
    for name in order:
        code = (STUDIES / "arena" / f"{name}.py").read_text("utf-8")
        for function, tables in loads.items():
            for table in tables if f"{function}()" in code else ():
                assert order.index(table) < order.index(name), (table, name)
                compared += 1
    assert compared >= 4


@pytest.mark.parametrize("name", sorted(command.FOLDERS))
def test_a_study_and_its_table_have_one_name_and_one_folder(name):
    folder = command.FOLDERS[name]
    study = import_module(f"evidence.studies.{folder}.{name}")
    assert callable(study.rows)
    assert study.__doc__.startswith(f"Compute {name}.csv: ")
    assert (RESULTS / folder / f"{name}.csv").is_file()


def test_every_table_of_results_is_computed_by_one_command():
    computed = [*command.usual(), *command.BY_NAME]
    assert len(computed) == len(set(computed))
    modules = [
        path for path in STUDIES.glob("*/[!_]*.py") if path.parent.name != "parts"
    ]
    assert len(modules) == len(computed)  # no name in two folders
    stored = sorted(path.stem for path in RESULTS.rglob("*.csv"))
    # times beside other libraries (`make bench`), and lots that were drawn once
    assert stored == sorted([*computed, "times_by_size", "arena_lots"])


def test_every_folder_of_studies_says_what_it_is_about():
    described = (ROOT / "data" / "README.md").read_text("utf-8")
    for folder in set(command.FOLDERS.values()):
        subject = import_module(f"evidence.studies.{folder}").__doc__
        assert f"### results/{folder}/\n\n{subject}\n" in described


def test_pieces_are_old_where_anything_changed_that_they_rest_on():
    behind = set(pieces.files_behind(metrics_over_random_halves.rows))
    wanted = (
        "evidence/fit_and_measure.py",
        "evidence/network_outputs.py",
        "evidence/data.py",
    )
    assert {ROOT / name for name in (*wanted, "calib/maps/base.py")} <= behind
    assert ROOT / "evidence/studies/arena/arena.py" not in behind


@pytest.mark.parametrize(
    "name", ["zoo/zoo.csv", "sources/sources.csv", "sources/sources-imagenet.csv"]
)
def test_pieces_are_old_where_a_network_or_a_source_is_another(
    name, tmp_path, monkeypatch
):
    for part in ("published", "zoo", "sources"):
        (tmp_path / part).mkdir()
    path = tmp_path / name
    path.write_text("name,sha256\na,12\n")
    monkeypatch.setattr(pieces, "files_behind", lambda function: [])
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    before = pieces.code_key(metrics_over_random_halves.rows)
    assert pieces.code_key(metrics_over_random_halves.rows) == before
    path.write_text("name,sha256\na,34\n")
    assert pieces.code_key(metrics_over_random_halves.rows) != before


def test_pieces_are_old_where_the_packages_or_python_are_others(tmp_path, monkeypatch):
    lock = tmp_path / "requirements.lock"
    monkeypatch.setattr(pieces, "LOCK", lock)
    monkeypatch.setattr(pieces, "files_behind", lambda function: [])
    monkeypatch.setattr(pieces, "lists_of_data", lambda: [])
    keys = []
    for python, packages in (
        ("3.12.1 (main)", "numpy==2.0"),
        ("3.12.1 (main)", "numpy==2.1"),
        ("3.13.0 (main)", "numpy==2.1"),
    ):
        lock.write_text(packages)
        monkeypatch.setattr("sys.version", python)
        keys.append(pieces.code_key(metrics_over_random_halves.rows))
    assert len(set(keys)) == 3


def test_the_lock_of_pieces_is_that_of_the_checkout():
    assert pieces.LOCK.is_file() and "numpy==" in pieces.environment_key()


def test_every_list_of_sources_and_the_zoo_is_in_the_key_of_pieces():
    lists = set(pieces.lists_of_data())
    wanted = [f"sources/{name}.csv" for name in sources.LISTS]
    assert {ROOT / "data" / name for name in [*wanted, "zoo/zoo.csv"]} <= lists
