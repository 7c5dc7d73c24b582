"""Prediction sets of public networks, as stored."""

import pytest
from stored_rows import same_of_source

from evidence.studies.promises import set_sizes


@pytest.mark.shared
def test_a_source_is_computed_again(monkeypatch):
    source = "ferrer-emotion-wav2vec"
    same_of_source(set_sizes.splits, source, "set_sizes", monkeypatch)
