"""Prediction sets before and after a temperature: by hand, and of a public network as stored."""

import numpy as np
import pytest
from stored_rows import same_of_source

from evidence.data import generator
from evidence.studies.promises import set_sizes


def test_a_class_of_one_sample_is_covered_wholly_or_not_at_all():
    """Off by .1 with a probability of .9, else by .9: of nine scores the ninth covers .9."""
    labels, rng = np.array([0, 2]), np.random.default_rng(0)
    gap = set_sizes.chance_gap(labels, 9, rng, n_draws=20_000)
    assert gap == pytest.approx(0.9 * 0.1 + 0.1 * 0.9, abs=0.005)


def test_of_many_samples_chance_leaves_no_gap():
    labels, rng = np.repeat([0, 1], 10**6), np.random.default_rng(0)
    assert set_sizes.chance_gap(labels, 10**6, rng) < 0.001


def test_changes_are_those_of_each_split():
    """Sets of 1, 2 and 3 labels become sets of 2."""
    before = [{"size": size, "class_gap": 0.25} for size in (1.0, 2.0, 3.0)]
    after = [{"size": 2.0, "class_gap": gap} for gap in (0.25, 0.5, 0.75)]
    assert set_sizes.changes(before, after) == pytest.approx(
        {
            "grew": 1 / 3,
            "growth": 0,
            "growth_low": -0.95,
            "growth_high": 0.95,
            "class_gap_change": 0.25,
        }
    )


class Sets:
    """Sets that know what they were fitted to."""

    def fit(self, p, y, rng):
        self.p, self.y, self.lot = p, y, rng.random()
        return self


def test_a_third_is_for_the_temperature_one_for_the_threshold_and_one_to_measure(
    monkeypatch,
):
    rng = np.random.default_rng(3)
    z = rng.normal(size=(90, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    monkeypatch.setattr(set_sizes, "SCORES", {"lac": Sets()})
    monkeypatch.setattr(
        set_sizes,
        "measure_sets",
        lambda fitted, p, y, rng: {"fitted": fitted.p, "lot": fitted.lot, "tested": p},
    )
    found = set_sizes.on_split("a", 4, 2 * z, y)
    order = generator("a", 4).permutation(90)
    fit, own, test = order[:30], order[30:60], order[60:]
    scaling = set_sizes.calib.TemperatureScaling().fit(2 * z[fit], y[fit])
    for key, proba in (
        ("none", set_sizes.calib.softmax),
        ("temperature", scaling.predict_proba),
    ):
        row = found[key, "lac"]
        np.testing.assert_array_equal(row["fitted"], proba(2 * z[own]))
        np.testing.assert_array_equal(row["tested"], proba(2 * z[test]))
        assert row["temperature"] == scaling.temperature_
        assert row["lot"] == generator("a", 4, "lots").random()
        assert row["class_gap_chance"] == set_sizes.chance_gap(
            y[test], 30, generator("a", 4, "chance")
        )


def test_a_row_is_a_mean_over_splits_beside_the_sets_without_a_map(monkeypatch):
    def on_split(name, split, z, y):
        return {
            ("none", "lac"): {"size": 2.0, "class_gap": 0.5},
            ("temperature", "lac"): {"size": 2.0 + split, "class_gap": 0.25},
        }

    monkeypatch.setattr(set_sizes, "N_SPLITS", 3)
    monkeypatch.setattr(set_sizes, "on_split", on_split)
    monkeypatch.setattr(set_sizes, "logits_and_labels", lambda name: (None, None))
    none, temperature = set_sizes.splits("a")
    assert (none["calibrator"], none["size"], none["growth"]) == ("none", 2, 0)
    assert (temperature["size"], temperature["growth"]) == (3, 1)
    assert temperature["grew"] == pytest.approx(2 / 3)
    assert temperature["class_gap_change"] == -0.25 and temperature["n_splits"] == 3


@pytest.mark.shared
def test_a_source_is_computed_again(monkeypatch):
    source = "ferrer-emotion-wav2vec"
    same_of_source(set_sizes.splits, source, "set_sizes", monkeypatch)
