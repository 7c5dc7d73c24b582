"""The data set: the same bytes each time, and its loader reads what its checksums promise."""

import runpy
import zipfile

import numpy as np
import pytest

from evidence import load_zoo
from evidence.release import data_set


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "dataset"
    data_set.main(folder)
    return folder


def test_the_zip_holds_the_folder_in_the_same_bytes_each_time(folder):
    with zipfile.ZipFile(folder.with_suffix(".zip")) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
        assert {info.date_time for info in archive.infolist()} == {
            (1980, 1, 1, 0, 0, 0)
        }
    written = sorted(p for p in folder.rglob("*") if p.is_file())
    assert held == {
        p.relative_to(folder.parent).as_posix(): p.read_bytes() for p in written
    }
    data_set.main(folder)
    assert held == {name: (folder.parent / name).read_bytes() for name in held}


def test_its_loader_needs_no_book(folder):
    load = runpy.run_path(str(folder / "load.py"))["load"]
    name = "cifar10-resnet20"
    net, ours = load(name), load_zoo(name)
    assert (
        np.array_equal(net["test_logits"], ours.test.logits)
        and net["about"]["name"] == name
    )
    answers = load("michael-sat")
    assert answers["confidence_stated"].shape == answers["outcome"].shape
    assert np.nanmax(answers["confidence_stated"]) <= 1
    with pytest.raises(
        ValueError, match="'none' is not in the data set; it holds 20news-dan1"
    ):
        load("none")
    (folder / "zoo" / f"{name}.npz").write_bytes(b"changed")
    with pytest.raises(ValueError, match=rf"zoo/{name}.npz: SHA-256 \w+, expected \w+"):
        load(name)
