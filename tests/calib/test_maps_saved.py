"""Saved maps: what is loaded predicts the same, and what is not a map is refused by its field."""

import json

import numpy as np
import pytest
from maps import (
    LOGIT_MAPS,
    SCORE_MAPS,
    data_of,
    fitted,
    outputs,
)
from sklearn.base import clone

import calib
from calib import (
    BBQ,
    CrossValidated,
    HistogramBinning,
    MatrixScaling,
    load_map,
    save_map,
    saved_fields,
)
from calib.maps.base import MAPS, Calibrator, LogitCalibrator, ScoreCalibrator
from calib.maps.saved import as_json


@pytest.mark.parametrize("calibrator", [*SCORE_MAPS, *LOGIT_MAPS], ids=repr)
def test_what_is_loaded_predicts_the_same_bits(calibrator, tmp_path):
    before = fitted(calibrator)
    assert {n for n in vars(before) if n.endswith("_")} == set(
        calibrator._all_learned()
    )
    save_map(before, tmp_path / "map.json")
    after = load_map(tmp_path / "map.json")
    x, _ = data_of(calibrator)
    np.testing.assert_array_equal(outputs(after, x), outputs(before, x))
    assert (
        after.get_params().keys() == before.get_params().keys()
        and after._n == before._n
    )
    assert [path.name for path in tmp_path.iterdir()] == ["map.json"]


def test_a_combination_that_cannot_be_fitted_and_a_grid_of_arrays_are_saved(tmp_path):
    z = np.repeat(np.eye(3), 10, axis=0) + 0.1 * np.random.default_rng(0).random(
        (30, 3)
    )
    grid = {"lam": np.array([0.0, 10.0]), "mu": [0.0, 0.1]}
    tuned = CrossValidated(MatrixScaling(mu=0.1), grid, 2).fit(
        z, np.repeat([0, 1, 2], 10)
    )
    save_map(tuned, tmp_path / "map.json")
    assert np.isinf(tuned.nll_).any()
    loaded = load_map(tmp_path / "map.json")
    np.testing.assert_array_equal(loaded.nll_, tuned.nll_)
    assert loaded.best_params_ == tuned.best_params_


@pytest.mark.parametrize(
    "calibrator", [BBQ(), HistogramBinning(strategy="mass")], ids=repr
)
def test_scores_above_one_by_rounding_leave_edges_that_can_be_loaded(
    calibrator, tmp_path
):
    """Sums of float32 probabilities exceed one by an eps; the last edges were 1 + eps and 1."""
    score = np.linspace(0.5, 1, 60)
    score[-20:] = 1 + 2e-16 * np.arange(20)
    assert score.max() > 1
    calibrator = clone(calibrator).fit(score, np.arange(60) % 3 > 0)
    assert (np.diff(calibrator.edges_) >= 0).all() and calibrator.edges_[-1] == 1
    save_map(calibrator, tmp_path / "map.json")
    assert load_map(tmp_path / "map.json").edges_.tolist() == calibrator.edges_.tolist()


def test_fields_of_a_saved_map_are_those_of_its_file(tmp_path):
    calibrator = calib.VectorScaling()
    x, y = data_of(calibrator)
    k = x.shape[1]
    about = {"kind": "probabilities", "floor": 1e-6, "frequencies": np.full(k, 1 / k)}
    about["classes"] = [f"class {number}" for number in range(k)]
    calibrator.fit(x, y)
    save_map(calibrator, tmp_path / "map.json", **about)
    fields = saved_fields(calibrator, **about)
    assert json.loads((tmp_path / "map.json").read_text()) == fields
    (tmp_path / "more.json").write_text(json.dumps(fields | {"by": "somebody"}))
    loaded = load_map(tmp_path / "more.json")
    np.testing.assert_array_equal(outputs(loaded, x), outputs(calibrator, x))
    # a number of NumPy is a number of JSON in the file
    single = saved_fields(calibrator, floor=np.float32(0.5))
    assert json.loads(json.dumps(single))["floor"] == 0.5
    with pytest.raises(ValueError, match=r"^floor: "):
        saved_fields(calibrator, floor=2)


def test_every_public_map_can_be_saved_and_no_other_class():
    public = {name: getattr(calib, name) for name in calib.__all__}
    classes = {name: c for name, c in public.items() if isinstance(c, type)}
    maps = {
        name: cls
        for name, cls in classes.items()
        if issubclass(cls, ScoreCalibrator | LogitCalibrator)
    }
    assert maps == MAPS


def test_what_cannot_be_loaded_is_not_saved(tmp_path):
    class Mine(Calibrator):
        def __init__(self):
            self.x_ = 1

    with pytest.raises(calib.NotFittedError):
        save_map(calib.TemperatureScaling(), tmp_path / "map.json")
    with pytest.raises(TypeError, match="Mine is not a map of calib"):
        save_map(Mine(), tmp_path / "map.json")
    broken = fitted(SCORE_MAPS[0])
    broken.values_[1] = np.nan
    with pytest.raises(ValueError, match=r"not JSON compliant|values_"):
        save_map(broken, tmp_path / "map.json")
    broken.values_[1] = 1.5
    with pytest.raises(ValueError, match="values_: expected"):
        save_map(broken, tmp_path / "map.json")
    for option in ({"classes": ["a"]}, {"classes": "abc"}, {"kind": "x"}, {"floor": 0}):
        with pytest.raises(ValueError, match=f"^{next(iter(option))}: "):
            save_map(fitted(LOGIT_MAPS[0]), tmp_path / "map.json", **option)
    assert not list(tmp_path.iterdir())


HISTOGRAM, ENSEMBLE = HistogramBinning(n_bins=2), calib.EnsembleTemperatureScaling()
TOP, EACH = calib.TopLabel(HISTOGRAM), calib.OneVsRest(HISTOGRAM)


@pytest.mark.parametrize(
    ("calibrator", "place", "value", "message"),
    [
        (
            HISTOGRAM,
            "format",
            "calib map, version 9",
            "format: 'calib map, version 9', expected",
        ),
        (HISTOGRAM, "kind", "logits", "kind: 'logits'"),
        (HISTOGRAM, "floor", "a", "floor: 'a'"),
        (HISTOGRAM, "map class", "os.system", "class: 'os.system' is not a map"),
        (HISTOGRAM, "map class", "ece", "class: 'ece' is not a map"),
        (HISTOGRAM, "map params", {"n_bins": 2}, "params: "),
        (HISTOGRAM, "map params n_bins", "2", "n_bins: '2'"),
        (HISTOGRAM, "map learned", {"edges_": [0, 1]}, "values_: it is missing"),
        (HISTOGRAM, "map learned values_", [0.1], r"values_: shape \(1,\).*m being 2"),
        (HISTOGRAM, "map learned values_", [[0.1, 0.2]], r"values_: shape \(1, 2\)"),
        (HISTOGRAM, "map learned values_ 0", "a", "values_: shape"),
        (HISTOGRAM, "map learned values_ 0", float("inf"), "values_: a number is not"),
        (HISTOGRAM, "map learned values_ 0", 1.5, "values_: expected"),
        (HISTOGRAM, "map learned edges_ 0", 0.9, "edges_: expected numbers that rise"),
        (HISTOGRAM, "map learned edges_ 2", 2, "edges_: expected numbers from 0 to 1"),
        (
            ENSEMBLE,
            "map learned temperature_",
            -1.0,
            "temperature_: expected numbers above",
        ),
        (ENSEMBLE, "map learned temperature_", [1.0], "temperature_: shape"),
        (ENSEMBLE, "map learned weights_", [1.0, 0.0], "weights_: shape"),
        (ENSEMBLE, "map learned weights_", [0.5, 0.6, 0.7], "what it predicts: row"),
        (ENSEMBLE, "classes", ["a", "a", "b"], "classes: "),
        (ENSEMBLE, "frequencies", [0.5, 0.5], "frequencies: "),
        (ENSEMBLE, "frequencies", [0.5, 0.5, 0.5], "frequencies: "),
        (TOP, "map learned map_", 3, "class: it is missing"),
        (EACH, "map learned maps_", [], "maps_: expected a list of 3 maps"),
        (EACH, "map learned maps_ 1 learned values_", [0.1], r"values_: shape \(1,\)"),
        (EACH, "map learned maps_ 1 class", "TemperatureScaling", "params: "),
        (
            TOP,
            "map learned map_",
            "a temperature",
            "class: TemperatureScaling, expected a Score",
        ),
        (ENSEMBLE, "n", -1, "n: -1, expected an integer"),
        (ENSEMBLE, "n", "many", "n: 'many'"),
    ],
)
def test_a_field_that_does_not_fit_is_named(
    calibrator, place, value, message, tmp_path
):
    path = tmp_path / "map.json"
    save_map(fitted(calibrator), path)
    content = field = json.loads(path.read_text())
    *before, last = [int(name) if name.isdecimal() else name for name in place.split()]
    for name in before:
        field = field[name]
    temperature = as_json(fitted(calib.TemperatureScaling()))
    field[last] = temperature if value == "a temperature" else value
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=rf"map\.json: not a saved map: .*{message}"):
        load_map(path)


def test_a_map_inside_another_is_of_as_many_classes(tmp_path):
    """Without a number of its own that tells the classes, it would fail where it predicts."""
    chosen = calib.CrossValidated(calib.VectorScaling(), {"bias": [False]}, n_folds=2)
    path = tmp_path / "map.json"
    save_map(fitted(chosen), path)
    content = json.loads(path.read_text())
    inner = content["map"]["learned"]["map_"]["learned"]
    for name, values in inner.items():
        inner[name] = values[:2] if isinstance(values, list) else values
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=r"shape \(2,\).*K being 3"):
        load_map(path)


def test_a_map_of_bins_without_a_bin_is_refused(tmp_path):
    path = tmp_path / "map.json"
    save_map(fitted(HISTOGRAM), path)
    description = json.loads(path.read_text())
    description["map"]["learned"] |= {"edges_": [0.0], "values_": []}
    path.write_text(json.dumps(description))
    with pytest.raises(ValueError, match=r"not a saved map: values_: shape \(0,\)"):
        load_map(path)


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"[]", b"PK\x03\x04", b"[" * 10**5]
)
def test_other_files_are_refused(content, tmp_path):
    (tmp_path / "map.json").write_bytes(content)
    with pytest.raises(ValueError, match="not a saved map"):
        load_map(tmp_path / "map.json")
    with pytest.raises(FileNotFoundError):
        load_map(tmp_path / "absent.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.update(n="many"), "n: .*many"),
        (lambda content: content.update(n=0), "n: 0"),
        (lambda content: content.update(classes=3), "3|int"),
        (
            lambda content: content["map"]["learned"]["maps_"].__setitem__(0, OTHER),
            "TemperatureScaling",
        ),
        (
            lambda content: content["map"]["learned"]["maps_"][0]["learned"].update(
                edges_=[0], values_=[]
            ),
            "values_: shape",
        ),
    ],
)
def test_fields_that_no_shape_tells_are_checked(change, message, tmp_path):
    z = np.random.default_rng(0).normal(size=(60, 3)) + np.eye(3)[np.arange(60) % 3]
    y = np.arange(60) % 3
    save_map(calib.OneVsRest(HistogramBinning()).fit(z, y), tmp_path / "map.json")
    content = json.loads((tmp_path / "map.json").read_text())
    save_map(calib.TemperatureScaling().fit(z, y), tmp_path / "other.json")
    OTHER.update(json.loads((tmp_path / "other.json").read_text())["map"])
    change(content)
    (tmp_path / "map.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match=message):
        load_map(tmp_path / "map.json")


OTHER: dict = {}  # a map of another kind, as a file holds it
