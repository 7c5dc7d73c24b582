"""The data set, built once."""

import pytest

from evidence.release import data_set


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "dataset"
    data_set.main(folder)
    return folder
