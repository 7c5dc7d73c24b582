"""Changed files of every kind that is read: refused, or read; never believed if sealed."""

import matplotlib as mpl
import numpy as np
import pytest

import calib_report
from fuzz import files

mpl.use("Agg")
QUICK = 12  # changes of each; `make fuzz` makes more, see README.md


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return files.corpus(tmp_path_factory.mktemp("whole"))


def test_changed_files_are_refused_or_read(corpus, tmp_path):
    found = {
        name: files.mutate(name, file, QUICK, tmp_path / str(number))[1]
        for number, (name, file) in enumerate(corpus.items())
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_what_is_wrong_is_seen(tmp_path):
    """The suite would see a foreign error, a file believed against its checksum, other numbers."""
    path = tmp_path / "a"
    path.write_bytes(b"")

    def read(answer, whole=1, **more):
        return files.outcome(files.File("", b"", answer, **more), path, whole)

    zero, one = (calib_report.ModelOutputs([0, 1], logits=z * np.eye(2)) for z in (0, 1))
    assert read(lambda path: {}[0]).startswith("foreign KeyError")
    assert read(lambda path: 2, sealed=True) == "a changed file was believed"
    assert read(lambda path: 2) == "other"
    assert read(lambda path: 1, sealed=True) == "same"
    second = {"right": ([0, 1], np.eye(2)), "wrong": ([0, 1], np.ones((2, 2)))}
    assert read(lambda path: one, zero, again=lambda path: second["right"]) == "other"
    found = read(lambda path: one, zero, again=lambda path: second["wrong"])
    assert found == "read as what it does not hold"
