"""What a changed file states, row by row, and how a file is changed, by hand."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from evidence.studies.software import changed_files as study

HEADING, FIRST, SECOND = "label,p", "a,0.25", "b,0.5"


def file_of(content, n, suffix=".csv"):
    return study.File(suffix, content, None, range(n))


def table(*lines):
    return "\n".join(lines).encode()


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_are_those_with_text_whatever_ends_them(code):
    content = "é,1\r\n\n b\r c\x0bd\n \n".encode(code)
    assert study.lines_of(content) == ["é,1", " b", " c\x0bd"]


@pytest.mark.parametrize(
    ("lines", "n", "stated"),
    [
        ([HEADING, FIRST, SECOND], 2, [FIRST, SECOND]),
        (["lapel,p", FIRST, SECOND], 2, [FIRST, SECOND]),
        ([HEADING, "x,0.25", SECOND], 2, ["x,0.25", SECOND]),
        ([HEADING, "x,0.25", SECOND], 1, [SECOND]),
        ([HEADING, FIRST, SECOND, FIRST], 3, [FIRST, SECOND, FIRST]),
        # one row less was read than is stated
        ([HEADING, FIRST, SECOND], 1, [FIRST, SECOND]),
        ([FIRST, SECOND], 2, [FIRST, SECOND]),
        ([HEADING], 0, []),
    ],
)
def test_rows_of_a_table_stand_under_its_heading(lines, n, stated):
    whole = file_of(table(HEADING, FIRST, SECOND), 2)
    assert study.rows_of(whole, table(*lines), n) == stated


def test_a_log_has_no_heading():
    log = file_of(b"{1}\n{2}\n", 2, ".jsonl")
    assert study.rows_of(log, b"{3}\n{2}\n", 1) == ["{3}", "{2}"]


@pytest.mark.parametrize(
    ("heading", "is_other"),
    [(b"b;a", True), (b"a;b", False), (b"a;c", False), (b"b\ta", True)],
)
def test_names_that_changed_places_state_another_order(heading, is_other):
    whole = file_of(b"a;b\n1;0", 1)
    assert study.is_other_order(whole, heading + b"\n1;0") == is_other


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('[{"y": 1}, {"y": 0}]', ['[["y", 1]]', '[["y", 0]]']),
        ('{"y": [1, 0], "p": [0.5, 0.25]}', ["[1, 0.5]", "[0, 0.25]"]),
        ('{"names": ["y"], "data": [[1], [0]]}', ["[[1]]", "[[0]]"]),
        (
            '{"y": {"0": 1, "1": 0}, "p": {"1": 0.25, "0": 0.5}}',
            ["[1, 0.5]", "[0, 0.25]"],
        ),
        (
            '{"y": {"0": 1, "1": 0}, "p": {"0": 0.5, "2": 0.25}}',
            ["[1, 0.5]", "[0, null]", "[null, 0.25]"],
        ),
        ('{"a": {"y": 1}, "b": {"y": 0}}', ['["a", [["y", 1]]]', '["b", [["y", 0]]]']),
        ('{"y": 1, "y": 0}', []),
        ('{"y": [1, 0]', []),
    ],
)
def test_rows_of_json_are_of_a_list_of_columns_or_of_objects(text, rows):
    assert study.rows_of(file_of(b"", 2, ".json"), text.encode(), 2) == rows


@pytest.mark.parametrize(
    ("suffix", "write"),
    [(".parquet", parquet.write_table), (".feather", feather.write_feather)],
)
def test_rows_of_columns_are_those_that_their_own_library_reads(suffix, write):
    sink = pa.BufferOutputStream()
    write(pa.table({"y": [1, 0], "p": [0.5, 0.25]}), sink)
    content = sink.getvalue().to_pybytes()
    whole = file_of(content, 2, suffix)
    assert study.rows_of(whole, content, 2) == ["[1, 0.5]", "[0, 0.25]"]
    assert study.rows_of(whole, content[:9], 2) == []


def test_a_row_of_tensors_is_a_label_and_three_logits():
    labels, logits = b"A" * 8 + b"B" * 8, b"a" * 24 + b"b" * 24
    content = b"?" * 144 + labels + logits
    whole = file_of(content, 2, ".safetensors")
    rows = [b"A" * 8 + b"a" * 24, b"B" * 8 + b"b" * 24]
    assert study.rows_of(whole, content, 2) == rows
    assert study.rows_of(whole, content + b"?", 2) == []


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
