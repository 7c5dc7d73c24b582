"""The law of coverage, by hand and by many calibration sets."""

import numpy as np
import pytest

from evidence.studies.promises import set_coverage_law as study


def test_coverage_over_calibration_sets_has_the_mean_and_spread_of_its_law(monkeypatch):
    rng = np.random.default_rng(0)
    z = rng.normal(size=(600, 2))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    monkeypatch.setattr(study, "logits_and_labels", lambda name: (z, y))
    monkeypatch.setattr(study, "SIZES", (19,))
    [row] = study.coverage_beside_law("a")
    # the 18th of 20 places: Beta(18, 2)
    assert row["law_mean"] == pytest.approx(18 / 20)
    assert row["law_sd"] == pytest.approx(np.sqrt(18 * 2 / (20**2 * 21)))
    # a mean of 1000 has a standard error of .002
    assert row["mean"] == pytest.approx(18 / 20, abs=0.01)
    assert row["sd"] == pytest.approx(row["law_sd"], rel=0.15)
