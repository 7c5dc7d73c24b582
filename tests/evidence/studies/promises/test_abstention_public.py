"""Public networks that abstain, as stored."""

import pytest
from stored_rows import same_of_source

from evidence.studies.promises import abstention_public


@pytest.mark.shared
def test_a_source_is_computed_again(monkeypatch):
    source = "ferrer-pneumonia-resnet50"
    same_of_source(
        abstention_public.abstention, source, "abstention_public", monkeypatch
    )
