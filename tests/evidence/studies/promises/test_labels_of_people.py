"""Scores beside what people say, as stored."""

import pytest
from stored_rows import same_of_source

from evidence.studies.promises import labels_of_people


@pytest.mark.shared
@pytest.mark.parametrize("start", ["baan-snli", "lifeeval gpt"])
def test_sources_of_one_name_are_computed_again(start, monkeypatch):
    same_of_source(labels_of_people.rows, start, "labels_of_people", monkeypatch)
