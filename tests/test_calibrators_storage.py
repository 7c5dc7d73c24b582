"""Saved maps: what is loaded predicts the same, and what is not a map is refused."""

import json

import numpy as np
import pytest
from helpers import mutated
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
from calib.calibrators.storage import FORMAT, _payload
from calib.files import sealed


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


def write_sealed(path, description, kind="scores", floor=1e-12, classes=None, **arrays):
    """Write a map with the checksum of what it holds, whatever that is."""
    about = {"map": description, "kind": kind, "floor": floor, "classes": classes}
    write(path, sealed(*FORMAT, about, _payload(arrays)), **arrays)


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
    arrays = {"edges": np.array([0, 0.5, 1]), "values": np.array(values)}
    write_sealed(tmp_path / "map.npz", description, **arrays)
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


def learned(name, **values):
    """Return the description of a map of three classes, and its arrays."""
    arrays = {key: np.asarray(value) for key, value in values.items() if np.ndim(value)}
    held_as = {f"{key}_": {"array": key} for key in arrays} | {"classes_": {"array": "columns"}}
    arrays["columns"] = np.arange(3)
    numbers = {key: value for key, value in values.items() if not np.ndim(value)}
    held = held_as | {f"{key}_": value for key, value in numbers.items()}
    held |= {"gradient_norm_": 0.0, "n_iter_": 1}
    return {"class": name, "params": {"tol": 1e-6, "max_iter": 100}, "learned": held}, arrays


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (learned("TemperatureScaling", temperature=-1.0), "temperature_ is out of range"),
        (learned("TemperatureScaling", temperature=0.0), "temperature_ is out of range"),
        (
            learned("EnsembleTemperatureScaling", temperature=1.0, weights=[2.0, -3.0, 0.0]),
            "weights_ is out of range",
        ),
        (
            learned("EnsembleTemperatureScaling", temperature=1.0, weights=[0.5, 0.6, 0.7]),
            "weights_ is out of range",
        ),
    ],
)
def test_numbers_out_of_range_are_refused_though_the_checksum_is_right(
    description, message, tmp_path
):
    about, arrays = description
    write_sealed(tmp_path / "map.npz", about, kind="logits", **arrays)
    with pytest.raises(ValueError, match=message):
        load_map(tmp_path / "map.npz")


def test_scores_beyond_one_are_refused_though_the_checksum_is_right(tmp_path):
    write_sealed(tmp_path / "a.npz", histogram(), edges=np.array([0, 0.5, 1]), values=[0.5, 1.5])
    with pytest.raises(ValueError, match="values_ is out of range"):
        load_map(tmp_path / "a.npz")


def test_a_grid_of_arrays_is_saved(data, tmp_path):
    tuned = CrossValidated(MatrixScaling(), {"lam": np.array([0.1, 1.0])}, n_folds=2).fit(*data)
    save_map(tuned, tmp_path / "map.npz")
    loaded = load_map(tmp_path / "map.npz")
    assert loaded.best_params_ == tuned.best_params_
    np.testing.assert_array_equal(loaded.predict_proba(data[0]), tuned.predict_proba(data[0]))


@pytest.mark.parametrize("seed", range(5))
def test_no_changed_file_is_taken_for_a_map(data, tmp_path, seed):
    """Bytes are flipped, cut, repeated and swapped: what is loaded is the map or an error."""
    z, y = data
    fitted = CrossValidated(MatrixScaling(), {"lam": [0.1, 1.0]}, n_folds=2).fit(z, y)
    save_map(fitted, tmp_path / "map.npz")
    whole, expected = (tmp_path / "map.npz").read_bytes(), fitted.predict_proba(z)
    rng = np.random.default_rng(seed)
    for _ in range(100):
        (tmp_path / "changed.npz").write_bytes(mutated(whole, rng))
        try:
            loaded = load_map(tmp_path / "changed.npz")
        except ValueError as error:
            assert "not a saved map" in str(error)
        else:  # the change was in a field of the archive that nothing reads
            np.testing.assert_array_equal(loaded.predict_proba(z), expected)
