"""The sets for a map of anyone: written small, and the same part each time."""

import numpy as np
import pandas as pd
import pytest

from evidence.arena import bundle, bundled_sets
from evidence.arena.prediction_sets import PredictionSet, load_set
from evidence.data import csv_rows, generator


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
    rows = {tuple(row) for row in np.float16(samples.calibration_logits).tolist()}
    assert {tuple(row) for row in calibration.logits.tolist()} <= rows


LABELS = np.array([0, 1, 1, 0, 1])


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A folder with one set of five samples of which three and two are bundled."""
    (tmp_path / "published").mkdir()
    (tmp_path / "arena").mkdir()
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    z = np.arange(10.0).reshape(5, 2)
    whole = PredictionSet("toy", "Toy", "text", z, LABELS, z + 1, LABELS)
    monkeypatch.setattr(bundle, "SETS", {"toy": (3, 2)})
    monkeypatch.setattr(bundle, "load_set", lambda name: whole)
    bundle.write_sets()
    return tmp_path / "arena" / "sets"


def test_a_part_of_the_pool_is_drawn_and_the_first_of_the_test_set(written):
    calibration, test = bundled_sets.load_bundled(written / "toy.npz")
    drawn = generator("bundle", "toy", seed=2026).permutation(5)[:3]
    assert calibration.y.tolist() == LABELS[drawn].tolist()
    assert calibration.logits[:, 0].tolist() == (2 * drawn).tolist()
    assert test.y.tolist() == [0, 1]
    assert test.logits.tolist() == [[1, 2], [3, 4]]


def test_the_table_says_how_many_samples_of_a_set_are_bundled(written):
    (row,) = csv_rows((written / "about.csv").read_bytes())
    assert (row["set"], row["calibration"], row["test"]) == ("toy", "3", "2")
    assert row["source"] == "the zoo of this book"


def test_the_stored_table_has_the_sizes_that_are_stated():
    rows = csv_rows((bundled_sets.bundle_folder() / "about.csv").read_bytes())
    sizes = {row["set"]: (int(row["calibration"]), int(row["test"])) for row in rows}
    assert sizes == bundle.SETS


def test_maps_of_scikit_learn_are_not_among_the_others(tmp_path, monkeypatch):
    table = pd.DataFrame({"map": ["a"], "nll": [1 / 3]})
    fitted = []
    monkeypatch.setattr(
        bundle,
        "fit_to_bundle",
        lambda maps, n_jobs: fitted.append({*maps}) or table,
    )
    monkeypatch.setattr(bundle, "others_file", lambda: tmp_path / "others.csv")
    bundle.write_others()
    assert (tmp_path / "others.csv").read_text() == "map,nll\na,0.333333\n"
    left_out = {*bundle.ARENA_MAPS} - fitted[0]
    assert left_out == {name for name in bundle.ARENA_MAPS if "scikit-learn" in name}
    assert len(left_out) == 3
