"""How often intervals of priors hold the truth, as stored."""

import pytest
from stored_rows import same_of_source

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
