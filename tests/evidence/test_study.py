"""The study: its table, intervals, notes, cache and resumption."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from book.evidence import Predictions, study
from book.evidence.arena import study as arena
from book.evidence.study import run_study
from calib import (
    HistogramBinning,
    IsotonicCalibration,
    OneVsRest,
    TemperatureScaling,
    TopLabel,
    classwise_ece,
    ece,
    ks_error,
    nll,
    softmax,
)
from calib_report import ModelOutputs


def network(seed, n=300, k=4):
    rng = np.random.default_rng(seed)
    z = 2 * rng.standard_normal((2 * n, k))
    y = (z + 1.5 * rng.gumbel(size=z.shape)).argmax(axis=1)
    return z[:n], y[:n], z[n:], y[n:]


CALIBRATORS = {"none": None, "temperature": TemperatureScaling()}
METRICS = {"ECE": partial(ece, n_bins=10), "NLL": nll}
run = partial(run_study, progress=False, n_jobs=1)


def test_values_by_hand():
    table = run({"a": network(0), "b": network(1)}, CALIBRATORS, METRICS)
    assert list(table.columns) == study.COLUMNS
    assert len(table) == 8 and not table.duplicated(["prediction", "calibrator", "metric"]).any()
    z, y, test_z, test_y = network(1)
    p = TemperatureScaling().fit(z, y).predict_proba(test_z)
    rows = table.set_index(["prediction", "calibrator", "metric"])
    assert rows.loc[("b", "temperature", "ECE"), "value"] == ece(test_y, p, n_bins=10)
    assert rows.loc[("b", "none", "NLL"), "value"] == nll(test_y, softmax(test_z))
    assert rows["low"].isna().all() and (rows["note"] == "").all()


def test_predictions_of_the_zoo_and_arrays_agree():
    z, y, test_z, test_y = network(0)
    held = Predictions(
        "a",
        "logits",
        ModelOutputs(y, order="calibration", logits=z),
        ModelOutputs(test_y, order="test", logits=test_z),
    )
    pd.testing.assert_frame_equal(
        run({"a": held}, CALIBRATORS, METRICS), run({"a": network(0)}, CALIBRATORS, METRICS)
    )


def test_probabilities_enter_as_their_logarithm():
    z, y, test_z, test_y = network(0)
    held = Predictions(
        "a",
        "probabilities",
        ModelOutputs(y, order="calibration", probabilities=softmax(z)),
        ModelOutputs(test_y, order="test", probabilities=softmax(test_z)),
    )
    a = run({"a": held}, CALIBRATORS, METRICS)["value"]
    np.testing.assert_allclose(a, run({"a": network(0)}, CALIBRATORS, METRICS)["value"], atol=1e-6)


def test_no_calibration_set_is_named():
    z, y, *_ = network(0)
    held = Predictions("a", "logits", None, ModelOutputs(y, order="test", logits=z))
    with pytest.raises(ValueError, match="'a' has no calibration set"):
        run({"a": held}, CALIBRATORS, METRICS)
    with pytest.raises(ValueError, match="'a' has 2 arrays, expected four"):
        run({"a": (z, y)}, CALIBRATORS, METRICS)


def test_one_score_maps_and_notes():
    calibrators = {"top": TopLabel(IsotonicCalibration())}
    table = run({"a": network(0)}, calibrators, {"KS": ks_error, "cwECE": classwise_ece})
    rows = table.set_index("metric")
    z, y, test_z, test_y = network(0)
    score, hit = TopLabel(IsotonicCalibration()).fit(z, y).predict_pairs(test_z, test_y)
    assert rows.loc["KS", "value"] == ks_error(hit, score)
    assert np.isnan(rows.loc["cwECE", "value"]) and "y_prob" in rows.loc["cwECE", "note"]


def test_a_map_that_cannot_be_fitted_has_a_note():
    z = np.eye(3)[[0, 1, 2, 0]] * 4
    y = np.array([0, 1, 2, 0])
    table = run({"a": (z, y, z, y)}, CALIBRATORS, METRICS)
    failed = table[table.calibrator == "temperature"]
    assert failed["value"].isna().all()
    assert failed["note"].str.contains("every row is classified correctly").all()
    assert table[table.calibrator == "none"]["value"].notna().all()


def test_intervals_are_those_of_the_bootstrap_and_do_not_depend_on_the_order():
    options = {"n_resamples": 50, "seed": 3}
    table = run({"a": network(0), "b": network(1)}, CALIBRATORS, METRICS, **options)
    assert (table["low"] < table["high"]).all()
    turned = run({"b": network(1), "a": network(0)}, CALIBRATORS, METRICS, **options)
    keys = ["prediction", "calibrator", "metric"]
    pd.testing.assert_frame_equal(
        table.sort_values(keys, ignore_index=True), turned.sort_values(keys, ignore_index=True)
    )
    other = run({"a": network(0)}, CALIBRATORS, METRICS, n_resamples=50, seed=4)
    assert not other["low"].equals(table[table.prediction == "a"]["low"])


def test_two_processes_give_the_same_table(tmp_path):
    options = {"n_resamples": 20, "cache_folder": tmp_path}
    two = run({"a": network(0)}, CALIBRATORS, METRICS, **options | {"n_jobs": 2})
    one = run({"a": network(0)}, CALIBRATORS, METRICS, n_resamples=20)
    pd.testing.assert_frame_equal(one, two)
    assert len(list(tmp_path.iterdir())) == 2


class Counting(TemperatureScaling):
    """Counts its fits; the third raises."""

    fits = 0

    def fit(self, *args, **kwargs):
        Counting.fits += 1
        if Counting.fits == 3:
            raise KeyboardInterrupt
        return super().fit(*args, **kwargs)


def test_an_interrupted_study_resumes(tmp_path):
    networks = {str(seed): network(seed) for seed in range(4)}
    calibrators = {"counting": Counting()}
    Counting.fits = 0
    with pytest.raises(KeyboardInterrupt):
        run(networks, calibrators, METRICS, cache_folder=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 2
    table = run(networks, calibrators, METRICS, cache_folder=tmp_path)
    assert Counting.fits == 5  # two before, the interrupted one, the two that were missing
    plain = run(networks, {"counting": TemperatureScaling()}, METRICS)
    pd.testing.assert_frame_equal(table, plain)
    run(networks, calibrators, METRICS, cache_folder=tmp_path)
    assert Counting.fits == 5


@pytest.mark.parametrize(
    "change",
    [
        {"predictions": {"a": network(5)}},
        {"calibrators": {"c": OneVsRest(HistogramBinning(n_bins=9))}},
        {"metrics": {"ECE": partial(ece, n_bins=11)}},
        {"n_resamples": 10},
        {"seed": 1},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_change_is_computed_anew(change, tmp_path):
    base = {
        "predictions": {"a": network(0)},
        "calibrators": {"c": OneVsRest(HistogramBinning())},
        "metrics": {"ECE": partial(ece, n_bins=10)},
        "cache_folder": tmp_path,
    }
    run(**base)
    assert len(list(tmp_path.iterdir())) == 1
    run(**base | change)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_change_of_the_code_is_computed_anew(tmp_path, monkeypatch):
    run({"a": network(0)}, CALIBRATORS, METRICS, cache_folder=tmp_path)
    monkeypatch.setattr(study, "_code", lambda _: "other code")
    run({"a": network(0)}, CALIBRATORS, METRICS, cache_folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_what_a_metric_of_another_module_calls_is_part_of_the_code(monkeypatch):
    """A change of the arena's table is one of the code of the arena's metrics, and of no other."""
    table = Path(arena.__file__).with_name("table.py")
    read = Path.read_bytes

    def changed(path):
        return read(path) + (b"#" if path == table else b"")

    codes = []
    for function in (read, changed):
        study._hash_of.cache_clear()
        monkeypatch.setattr(Path, "read_bytes", function)
        codes.append((study._code([ece]), study._code([partial(arena.top_label_chance)])))
    study._hash_of.cache_clear()
    assert codes[0][0] == codes[1][0]
    assert codes[0][1] != codes[1][1]


def test_what_the_cache_holds_is_what_is_read(tmp_path):
    first = run({"a": network(0)}, CALIBRATORS, METRICS, cache_folder=tmp_path)
    again = run({"a": network(0)}, CALIBRATORS, METRICS, cache_folder=tmp_path)
    pd.testing.assert_frame_equal(first, again)
    for path in tmp_path.iterdir():
        assert {row[1] for row in json.loads(path.read_text())} == set(METRICS)


def test_a_metric_without_source_is_refused_by_the_cache(tmp_path):
    metric = eval("lambda y_true, y_prob: 0.0")
    with pytest.raises(ValueError, match="cannot be cached"):
        run({"a": network(0)}, {"none": None}, {"zero": metric}, cache_folder=tmp_path)
    assert run({"a": network(0)}, {"none": None}, {"zero": metric})["value"].tolist() == [0.0]


class Own:
    """Temperature scaling of someone's own, and what else `tail` says."""

    def __init__(self, tail=None):
        self.tail = tail

    def fit(self, logits, y):
        self.map = TemperatureScaling().fit(logits, y)
        return self

    def predict_proba(self, logits):
        return self.map.predict_proba(logits) if self.tail is None else self.tail(self, logits)


def in_place(own, logits):
    logits /= own.map.temperature_
    return softmax(logits)


def more_columns(own, logits):
    return np.column_stack([softmax(logits), np.zeros(len(logits))])


def one_column_less(own, logits):
    return softmax(logits[:, :-1])


def exits(own, logits):
    raise SystemExit(3)


def values(table, calibrator):
    return table[table.calibrator == calibrator]["value"].tolist()


def test_a_map_that_changes_what_it_is_given_changes_nothing_else():
    maps = {"own": Own(in_place), "plain": Own(), "none": None}
    table = run({"a": network(0)}, maps, METRICS, sizes=(100, 200, None))
    np.testing.assert_allclose(values(table, "own"), values(table, "plain"), rtol=1e-9)
    assert values(table, "none") == values(run({"a": network(0)}, CALIBRATORS, METRICS), "none")


def test_a_metric_that_changes_what_it_is_given_changes_nothing_else():
    def in_place_too(y_true, y_prob):
        y_prob *= 0
        return 0.0

    table = run({"a": network(0)}, {"none": None}, {"own": in_place_too} | METRICS)
    assert values(table, "none")[1:] == values(run({"a": network(0)}, CALIBRATORS, METRICS), "none")


@pytest.mark.parametrize("tail", [more_columns, one_column_less])
def test_as_many_columns_as_classes(tail):
    z, y, test_z, test_y = network(0)
    table = run({"a": (z, y, test_z[test_y < 3], test_y[test_y < 3])}, {"own": Own(tail)}, METRICS)
    assert table["value"].isna().all()
    assert table["note"].str.contains(r"predict_proba: shape \(\d+, [35]\), expected").all()


def of_labels(seed, task, n=400):
    rng = np.random.default_rng(seed)
    s = rng.random(n)
    y = (rng.random(n) < s**2).astype(int)
    return ModelOutputs(y, probabilities=np.column_stack([1 - s, s]), task=task)


def test_maps_keep_the_task_of_the_outputs():
    test = of_labels(1, "labels")
    maps = {"temperature": TemperatureScaling(), "top": TopLabel(IsotonicCalibration())}
    table = run({"a": (of_labels(0, "labels"), test)}, maps, {"ECE": ece}).set_index("calibrator")
    p = TemperatureScaling().fit(of_labels(0, "labels").as_logits(), of_labels(0, "labels").y)
    of_label = ece(test.y, p.predict_proba(test.as_logits())[:, 1])
    assert table.loc["temperature", "value"] == of_label
    assert "task 'labels'" in table.loc["top", "note"]


def test_the_cache_knows_the_task(tmp_path):
    for task in ("classes", "labels"):
        held = {"a": (of_labels(0, task), of_labels(1, task))}
        cached = run(held, CALIBRATORS, METRICS, cache_folder=tmp_path)
        pd.testing.assert_frame_equal(cached, run(held, CALIBRATORS, METRICS))
    assert len(list(tmp_path.iterdir())) == 4


def cost(y_true, y_prob, matrix):
    return float(matrix[y_true, y_prob.argmax(axis=1)].mean())


def test_the_cache_knows_every_number_of_an_option(tmp_path):
    first = np.ones((40, 40))
    second = first.copy()
    second[5:35, 5:35] = 2
    found = [
        run({"a": network(0, k=30)}, {"none": None}, {"cost": metric}, cache_folder=tmp_path)
        for metric in (partial(cost, matrix=first), partial(cost, matrix=second))
    ]
    assert found[0]["value"][0] == 1 < found[1]["value"][0]


def test_sizes_may_be_an_iterator():
    table = run({"a": network(0)}, CALIBRATORS, METRICS, sizes=map(int, ["100", "200"]))
    assert table["n"].unique().tolist() == [0, 100, 200]


def raises(y_true, y_prob):
    return 1 / 0


def undefined(y_true, y_prob):
    return np.nan


@pytest.mark.parametrize("n_resamples", [0, 10])
def test_what_a_metric_raises_is_a_note(n_resamples):
    metrics = {"raises": raises, "undefined": undefined, "NLL": nll}
    table = run({"a": network(0)}, {"none": None}, metrics, n_resamples=n_resamples)
    notes = table.set_index("metric")["note"]
    assert notes["raises"] == "ZeroDivisionError: division by zero"
    assert "undefined is not a number" in notes["undefined"] and notes["NLL"] == ""


def test_a_map_that_exits_has_a_note():
    table = run({"a": network(0)}, {"own": Own(exits), "none": None}, METRICS)
    assert table["note"].tolist() == ["SystemExit: 3"] * 2 + [""] * 2


MISSING = ["torch"]


def needs_a_module(own, logits):
    if MISSING:
        raise ModuleNotFoundError(f"No module named {MISSING[0]!r}")
    return softmax(logits)


def test_a_fit_that_failed_is_tried_again(tmp_path):
    maps = {"own": Own(needs_a_module)}
    assert run({"a": network(0)}, maps, METRICS, cache_folder=tmp_path)["value"].isna().all()
    MISSING.clear()
    assert run({"a": network(0)}, maps, METRICS, cache_folder=tmp_path)["value"].notna().all()


class Slotted:
    """The network as it is, in a class without a dictionary."""

    __slots__ = ()

    def fit(self, logits, y):
        return self

    def predict_proba(self, logits):
        return softmax(logits)


def test_a_map_may_have_slots(tmp_path):
    table = run({"a": network(0)}, {"own": Slotted(), "none": None}, METRICS, cache_folder=tmp_path)
    assert values(table, "own") == values(table, "none")


@pytest.mark.slow
def test_where_a_process_ends_is_said():
    def ends(own, logits):
        import os

        os._exit(9)

    with pytest.raises(RuntimeError, match="without a word, at 'own' on 'a' or soon after"):
        run({"a": network(0)}, {"own": Own(ends)}, METRICS, n_jobs=2)


def test_progress_bar(capsys):
    run({"a": network(0)}, CALIBRATORS, METRICS, progress=True)
    assert "2/2" in capsys.readouterr().err
    assert run_study is run_study


HELD = ({"a": network(0)}, {"none": None}, METRICS)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"seed": -1, "n_resamples": 20}, "seed: -1"),
        ({"confidence_level": 95, "n_resamples": 20}, "confidence_level: 95"),
        ({"seed": 1.5}, "seed: 1.5"),
    ],
)
def test_options_of_a_study_are_checked(option, message):
    with pytest.raises((ValueError, TypeError), match=message):
        run(*HELD, **option)


def test_predictions_have_names():
    with pytest.raises(TypeError, match="predictions: list, expected a dict by name"):
        run([network(0)], {"none": None}, METRICS)
