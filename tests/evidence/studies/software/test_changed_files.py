"""How a file is changed, and how what is read of it is judged, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.software import changed_files as study


def file_of(content, n, suffix=".csv"):
    return study.File(suffix, content, None, range(n))


def table(*lines):
    return "\n".join(lines).encode()


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


TRUTH = SimpleNamespace(
    task="classes",
    kind="probabilities",
    n_classes=2,
    names=["a", "b"],
    y=np.array([0, 1]),
    scores=np.array([[0.75, 0.25], [0.5, 0.5]]),
)


class Read(SimpleNamespace):
    def __len__(self):
        return len(self.y)


def read_as(**changes):
    return Read(**(vars(TRUTH) | changes))


@pytest.mark.parametrize(
    ("lines", "read", "verdict"),
    [
        (["y,p", "a,.75", "b,.5"], {}, "same"),
        (["y,p", "a,.75", "b,.6"], {"scores": [[0.75, 0.25], [0.4, 0.6]]}, "other"),
        (["p,y", "a,.75", "b,.5"], {"y": [1, 0]}, "other"),
        (["y,p", "a,.75", "b,.5"], {"y": [1, 1]}, "a stated row was read as another"),
        (
            ["y,p", "a,.75", "b,.5"],
            {"kind": "odds"},
            "a stated row was read as another",
        ),
        (["y,p", "a,.75"], {}, "1 rows are stated, and 2 read"),
        # rows that changed places stand where they are read
        (
            ["y,p", "b,.5", "a,.75"],
            {"y": [1, 0], "scores": [[0.5, 0.5], [0.75, 0.25]]},
            "other",
        ),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".zip"])
def test_what_is_read_is_held_to_what_is_stated(lines, read, verdict, suffix):
    truth = read_as()
    found = read_as(
        **{
            name: value if isinstance(value, str) else np.array(value)
            for name, value in read.items()
        }
    )
    whole = study.File(suffix, table("y,p", "a,.75", "b,.5"), None, truth)
    if suffix in study.SEALED:
        verdict = "a changed file was believed" if read else "same"
    assert study.verdict(whole, table(*lines), found) == verdict


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
    assert study.with_bytes_changed(LETTERS, Scripted(*draws)) == content


@pytest.mark.parametrize(
    ("share", "line", "head"), [(0.4, 10, 500), (0.5, 10, 10), (0.5, 450, 400)]
)
def test_half_of_the_changes_lie_in_the_heading(monkeypatch, share, line, head):
    monkeypatch.setattr(
        study, "with_bytes_changed", lambda content, rng: b"?" * len(content)
    )
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
