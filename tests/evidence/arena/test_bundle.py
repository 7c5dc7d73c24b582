"""The sets for a map of anyone: written small, and the same part each time."""

import numpy as np

from evidence.arena import bundle, bundled_sets
from evidence.arena.prediction_sets import PredictionSet, load_set


def test_a_set_that_is_written_is_read_again(tmp_path, monkeypatch):
    (tmp_path / "published").mkdir()
    (tmp_path / "arena" / "sets").mkdir(parents=True)
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    z, y = np.array([[0.5, -1.0], [2.0, 0.25]]), np.array([0, 1])
    samples = PredictionSet("toy", "Toy", "text", z, y, z[:1], y[:1])
    bundle.write_set(samples)
    calibration, test = bundled_sets.load_bundled(
        bundled_sets.bundle_folder() / "toy.npz"
    )
    assert calibration.logits.tolist() == z.tolist() and calibration.y.tolist() == [
        0,
        1,
    ]
    assert test.logits.tolist() == z[:1].tolist() and test.y.tolist() == [0]
    about = bundle.about_set(samples)
    assert (about["classes"], about["calibration"], about["test"]) == (2, 2, 1)
    assert about["licence"] == "MIT"  # no public source has the name


def test_bundled_samples_of_a_network_are_of_its_set():
    name = "sst2-dan3-w100-s1"
    samples = load_set(name)
    calibration, test = bundled_sets.load_bundled(
        bundled_sets.bundle_folder() / f"{name}.npz"
    )
    n_calibration, n_test = bundle.SETS[name]
    assert (len(calibration), len(test)) == (n_calibration, n_test)
    assert test.y.tolist() == samples.test_y[:n_test].tolist()
    np.testing.assert_allclose(test.logits, samples.test_logits[:n_test], rtol=1e-3)
    rows = {tuple(row) for row in np.float16(samples.logits).tolist()}
    assert {tuple(row) for row in calibration.logits.tolist()} <= rows
