"""Bad arguments and changed files: an answer or an error of our own, never another."""

import warnings

import matplotlib as mpl
import numpy as np
import pytest

from fuzz import corpus, files

mpl.use("Agg")
QUICK = 12  # calls or changes of each; `make fuzz` makes more, see __main__.py


@pytest.mark.parametrize("name", corpus.public())
def test_good_arguments_are_answered_and_bad_ones_answered_or_refused(name):
    """A new callable without values for its parameters fails here."""
    assert corpus.outcome(*corpus.call_of(name)) == "returned"
    assert not corpus.fuzz(name, 4 if name == "make_report" else QUICK)[1]


def test_changed_files_are_refused_or_read(tmp_path):
    found = {
        name: files.mutate(name, file, QUICK, tmp_path / "changed")[1]
        for name, file in files.corpus(tmp_path).items()
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_what_is_wrong_with_a_call_is_seen():
    def changes(y):
        y[0] = 7

    y = np.arange(5)
    assert corpus.outcome(lambda y: {}[0], {"y": y}).startswith("foreign KeyError")
    found = corpus.outcome(lambda y: warnings.warn("careful", stacklevel=1), {"y": y})
    assert found == "warning: careful"
    assert corpus.outcome(changes, {"y": y}) == "y was changed"


def test_what_is_wrong_with_a_file_is_seen(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"")

    def read(answer, whole=1, **more):
        return files.outcome(files.File("", b"", answer, **more), path, whole)

    assert read(lambda path: {}[0]).startswith("foreign KeyError")
    assert read(lambda path: 2, sealed=True) == "a changed file was believed"
    assert read(lambda path: 2) == "other"
    assert read(lambda path: 1, sealed=True) == "same"
