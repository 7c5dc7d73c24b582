"""How a file is changed, and how what is read of it is judged, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.software import changed_files as study


def file_of(content, n, suffix=".csv"):
    return study.File(suffix, content, None, range(n))


def named(names, y=(0,)):
    return SimpleNamespace(names=names, y=np.array(y), n_classes=len(names))


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        (["cat", "dog", "a_ B"], [2, 0, 1]),
        # no label is of the second or third class, which may have another name
        (["x", "ab", "dog"], [1, 0, 2]),
        (["x", "dog", "cat"], None),
        (["0", "1", "2"], [0, 1, 2]),
    ],
)
def test_classes_are_found_by_their_names(names, columns):
    assert study.columns_of(named(["A-B", "cat", "dog"]), named(names)) == columns


@pytest.mark.parametrize(
    ("refusal", "verdict"),
    [("no row\nno label", "an error of several lines"), ("no row", "refused")],
)
def test_an_error_has_one_line(monkeypatch, refusal, verdict):
    monkeypatch.setattr(study, "judged", lambda *call: ("refused", refusal))
    assert study.outcome(file_of(b"", 0), None) == verdict


def test_of_a_map_its_probabilities_are_compared():
    whole = study.File(".json", b"", lambda path: path, np.array([0.5, 0.25]))
    assert study.outcome(whole, np.array([0.5, 0.25])) == "same"
    assert study.outcome(whole, np.array([0.5, 0.5])) == "other"


class Scripted:
    """A generator whose draws are written down."""

    def __init__(self, *draws, share=0.0):
        self.draws = iter(draws)
        self.share = share

    def integers(self, *_, **__):
        return next(self.draws)

    def random(self):
        return self.share

    def bytes(self, n):
        return b"#" * n


LETTERS = b"abcdefghijkl"


@pytest.mark.parametrize(
    ("draws", "content"),
    [
        ((0, [6, 2], 2, [1, 3], 1, 0), b"a`ceefghijkl"),
        ((1, [6, 2]), b"ab"),
        ((2, [6, 2]), b"abghijkl"),
        ((3, [6, 2]), b"abcdefcdefghijkl"),
        ((4, [6, 2]), b"ab########kl"),
    ],
)
def test_bits_turn_and_bytes_are_cut_out_repeated_or_overwritten(draws, content):
    assert study.mutated(LETTERS, Scripted(*draws)) == content


@pytest.mark.parametrize(
    ("share", "line", "head"), [(0.4, 10, 500), (0.5, 10, 10), (0.5, 450, 400)]
)
def test_half_of_the_changes_lie_in_the_heading(monkeypatch, share, line, head):
    monkeypatch.setattr(study, "mutated", lambda content, rng: b"?" * len(content))
    content = b"a" * line + b"\n" + b"b" * (499 - line)
    changed = study.changed(content, Scripted(share=share))
    assert changed == b"?" * head + content[head:]


def test_outcomes_of_changes_are_counted(tmp_path, monkeypatch):
    outcomes = iter(["same", "a fault", "same", "refused", "a fault"])
    read = []

    def outcome(file, path):
        read.append(path.read_bytes())
        return next(outcomes)

    monkeypatch.setattr(study, "changed", lambda content, rng: rng.bytes(4))
    monkeypatch.setattr(study, "outcome", outcome)
    whole = file_of(LETTERS, 2)
    counts, examples = study.mutate("a", whole, 5, tmp_path / "new", seed=7)
    assert counts == {"same": 2, "wrong": 2, "refused": 1}
    assert examples == {"a fault": "change 1, seed 7"}
    assert len({*read}) == 5
