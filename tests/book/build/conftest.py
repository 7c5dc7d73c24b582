"""A small book of three pages, built once."""

import pytest
from three_pages import three_pages


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    return three_pages(tmp_path_factory.mktemp("glossary"))
