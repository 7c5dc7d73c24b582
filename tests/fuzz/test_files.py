"""Changed files of every kind that is read: refused, or read; never believed if sealed."""

import matplotlib as mpl
import pytest

from fuzz import files

mpl.use("Agg")
QUICK = 25  # changes of each; `make fuzz` makes more, see README.md


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
    """The suite would see a foreign error, and a file that is believed against its checksum."""
    path = tmp_path / "a"
    path.write_bytes(b"")
    assert files.outcome(lambda path: {}[0], path, 1, False).startswith("foreign KeyError")
    assert files.outcome(lambda path: 2, path, 1, True) == "a changed file was believed"
    assert files.outcome(lambda path: 2, path, 1, False) == "other"
    assert files.outcome(lambda path: 1, path, 1, True) == "same"
