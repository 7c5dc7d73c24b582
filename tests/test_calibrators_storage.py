"""Saved maps: what is loaded predicts the same, and what is not a map is refused."""

import json

import numpy as np
import pytest
from maps import LOGIT_MAPS, SCORE_MAPS, VIEW_MAPS
from sklearn.base import clone

from calib import (
    CrossValidated,
    MatrixScaling,
    NotFittedError,
    TemperatureScaling,
    softmax,
)
from calib.calibrators import load_map, save_map
from calib.calibrators.base import Calibrator


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    z = 2 * rng.standard_normal((300, 3))
    return z, (z + 1.5 * rng.gumbel(size=z.shape)).argmax(axis=1)


@pytest.mark.parametrize("calibrator", SCORE_MAPS, ids=repr)
def test_score_maps_survive(calibrator, tmp_path):
    rng = np.random.default_rng(1)
    score = rng.random(200)
    fitted = clone(calibrator).fit(score, rng.random(200) < score**2)
    save_map(fitted, tmp_path / "map.npz")
    loaded = load_map(tmp_path / "map.npz")
    np.testing.assert_array_equal(loaded.predict(score), fitted.predict(score))
    assert repr(loaded) == repr(fitted)


@pytest.mark.parametrize("calibrator", LOGIT_MAPS, ids=repr)
def test_logit_maps_survive(calibrator, data, tmp_path):
    z, y = data
    fitted = clone(calibrator).fit(z, y)
    save_map(fitted, tmp_path / "map.npz")
    loaded = load_map(tmp_path / "map.npz")
    predict = "predict_score" if calibrator in VIEW_MAPS else "predict_proba"
    np.testing.assert_array_equal(getattr(loaded, predict)(z), getattr(fitted, predict)(z))
    assert loaded.get_params().keys() == fitted.get_params().keys()
    assert [path.name for path in tmp_path.iterdir()] == ["map.npz"]


def test_every_fitted_attribute_is_declared(data):
    z, y = data
    for calibrator in [*LOGIT_MAPS, *SCORE_MAPS]:
        fit = clone(calibrator)
        fit.fit(*([z, y] if calibrator in LOGIT_MAPS else [softmax(z)[:, 1], y == 1]))
        learned = {name for name in vars(fit) if name.endswith("_")}
        assert learned == set(calibrator._learned_shapes())


def test_a_combination_that_cannot_be_fitted_survives(tmp_path):
    z = np.repeat(np.eye(3), 10, axis=0) + 0.1 * np.random.default_rng(0).random((30, 3))
    tuned = CrossValidated(MatrixScaling(mu=0.1), {"lam": [0.0, 10.0], "mu": [0.0, 0.1]}, 2)
    save_map(tuned.fit(z, np.repeat([0, 1, 2], 10)), tmp_path / "map.npz")
    assert np.isinf(tuned.nll_).any()
    np.testing.assert_array_equal(load_map(tmp_path / "map.npz").nll_, tuned.nll_)


def test_no_pickle_and_json_inside(data, tmp_path):
    save_map(TemperatureScaling().fit(*data), tmp_path / "map.npz")
    with np.load(tmp_path / "map.npz", allow_pickle=False) as file:
        about = json.loads(file["about"].tobytes())
    assert about["map"]["class"] == "TemperatureScaling"


def test_unfitted_and_foreign_maps_are_refused(tmp_path):
    with pytest.raises(NotFittedError):
        save_map(TemperatureScaling(), tmp_path / "map.npz")

    class Mine(Calibrator):
        def __init__(self):
            self.x_ = 1

    with pytest.raises(TypeError, match="Mine is not a map of calib"):
        save_map(Mine(), tmp_path / "map.npz")
    assert not list(tmp_path.iterdir())


def write(path, about, **arrays):
    np.savez(path, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)


def histogram(**changes):
    return {
        "class": "HistogramBinning",
        "params": {"n_bins": 2, "strategy": "width", "floor": 0.0},
        "learned": {"edges_": {"array": "edges"}, "values_": {"array": "values"}},
    } | changes


@pytest.mark.parametrize(
    ("description", "values", "message"),
    [
        (histogram(), [0.1, 0.2, 0.3], "values_ does not have the expected shape"),
        (histogram(), [0.1, np.inf], "values_ holds numbers that are not finite"),
        (histogram(learned={"edges_": 1}), [0.1, 0.2], r"it holds \['edges_'\]"),
        (histogram(params={"n_bins": 2}), [0.1, 0.2], "it has the parameters"),
        (
            histogram(params={"n_bins": 2, "strategy": 1, "floor": 0.0}),
            [0.1, 0.2],
            "strategy: 1, expected a value such as 'width'",
        ),
        (histogram(**{"class": "os.system"}), [0.1, 0.2], "os.system"),
    ],
)
def test_files_that_do_not_fit_together_are_refused(description, values, message, tmp_path):
    about = {"format": "calib map, version 2", "map": description}
    write(tmp_path / "map.npz", about, edges=np.array([0, 0.5, 1]), values=np.array(values))
    with pytest.raises(ValueError, match=message):
        load_map(tmp_path / "map.npz")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x80\x04N."])
def test_other_files_are_refused(content, tmp_path):
    (tmp_path / "map.npz").write_bytes(content)
    with pytest.raises(ValueError, match="not a saved map"):
        load_map(tmp_path / "map.npz")
    with pytest.raises(FileNotFoundError):
        load_map(tmp_path / "absent.npz")


def test_other_versions_are_refused(tmp_path):
    write(tmp_path / "map.npz", {"format": "calib map, version 9", "map": histogram()})
    with pytest.raises(ValueError, match="expected the format"):
        load_map(tmp_path / "map.npz")


def test_pickled_objects_are_refused(tmp_path):
    np.savez(tmp_path / "map.npz", about=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="not a saved map"):
        load_map(tmp_path / "map.npz")
