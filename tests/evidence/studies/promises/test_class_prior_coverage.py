"""How often intervals of priors hold the truth: of a known network, and as stored."""

from types import SimpleNamespace

import numpy as np
import pytest
from stored_rows import same_of_source

from evidence import Outputs
from evidence.studies.promises import class_prior_coverage


@pytest.mark.shared
def test_a_source_is_computed_again(monkeypatch):
    source = "ferrer-pneumonia-resnet50"
    same_of_source(
        class_prior_coverage.coverage_of_priors,
        source,
        "class_prior_coverage",
        monkeypatch,
    )


def test_intervals_hold_the_priors_of_worlds_that_are_drawn_by_exact_densities(
    monkeypatch,
):
    """A network of three classes of which one is rare; its intervals promise 95 %."""
    rng = np.random.default_rng(6)
    z = 2 * rng.normal(size=(1500, 3)) - np.array([0, 0, 2])
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    study = class_prior_coverage
    net = SimpleNamespace(test=Outputs(y, logits=z))
    monkeypatch.setattr(study, "load_source", lambda name: net)
    monkeypatch.setattr(study, "N_COVERAGE", 20)
    halves, whole = study.coverage_of_priors("a")
    assert halves["design"] == "as in class_priors.csv"
    assert whole["design"] == "whole population"
    for row in (halves, whole):
        assert (row["n_worlds"], row["n_classes"], row["n_images"]) == (20, 3, 1500)
    # 2000 are drawn with replacement, of one half or of all
    assert halves["distinct"] < 750 < whole["distinct"] < 1500
    assert whole["covered"] > 0.85
