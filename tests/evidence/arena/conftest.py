"""Two of the bundled sets, on which maps of anyone are tried."""

import shutil

import pytest

from evidence.arena import bundled_sets
from evidence.data import csv_bytes

FEW = ["ferrer-pneumonia-resnet50", "sst2-dan3-w100-s1"]


@pytest.fixture(scope="session")
def few(tmp_path_factory):
    """A folder with two of the bundled sets."""
    folder = tmp_path_factory.mktemp("sets")
    rows = [
        row
        for name, row in bundled_sets.bundled(bundled_sets.bundle_folder()).items()
        if name in FEW
    ]
    (folder / "about.csv").write_bytes(csv_bytes(rows))
    for name in FEW:
        shutil.copy(bundled_sets.bundle_folder() / f"{name}.npz", folder)
    return folder
