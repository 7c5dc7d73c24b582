"""What a changed file states, row by row, by hand."""

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from evidence.studies.parts import stated_rows

HEADING, FIRST, SECOND = "label,p", "a,0.25", "b,0.5"


def file_of(content, n, suffix=".csv"):
    return stated_rows.File(suffix, content, None, range(n))


def table(*lines):
    return "\n".join(lines).encode()


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_are_those_with_text_whatever_ends_them(code):
    content = "é,1\r\n\n b\r c\x0bd\n \n".encode(code)
    assert stated_rows.lines_of(content) == ["é,1", " b", " c\x0bd"]


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
    assert stated_rows.rows_of(whole, table(*lines), n) == stated


def test_a_log_has_no_heading():
    log = file_of(b"{1}\n{2}\n", 2, ".jsonl")
    assert stated_rows.rows_of(log, b"{3}\n{2}\n", 1) == ["{3}", "{2}"]


@pytest.mark.parametrize(
    ("heading", "is_other"),
    [(b"b;a", True), (b"a;b", False), (b"a;c", False), (b"b\ta", True)],
)
def test_names_that_changed_places_state_another_order(heading, is_other):
    whole = file_of(b"a;b\n1;0", 1)
    assert stated_rows.is_other_order(whole, heading + b"\n1;0") == is_other


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
    assert stated_rows.rows_of(file_of(b"", 2, ".json"), text.encode(), 2) == rows


@pytest.mark.parametrize(
    ("suffix", "write"),
    [(".parquet", parquet.write_table), (".feather", feather.write_feather)],
)
def test_rows_of_columns_are_those_that_their_own_library_reads(suffix, write):
    sink = pa.BufferOutputStream()
    write(pa.table({"y": [1, 0], "p": [0.5, 0.25]}), sink)
    content = sink.getvalue().to_pybytes()
    whole = file_of(content, 2, suffix)
    assert stated_rows.rows_of(whole, content, 2) == ["[1, 0.5]", "[0, 0.25]"]
    assert stated_rows.rows_of(whole, content[:9], 2) == []


def test_a_row_of_tensors_is_a_label_and_three_logits():
    labels, logits = b"A" * 8 + b"B" * 8, b"a" * 24 + b"b" * 24
    content = b"?" * 144 + labels + logits
    whole = file_of(content, 2, ".safetensors")
    rows = [b"A" * 8 + b"a" * 24, b"B" * 8 + b"b" * 24]
    assert stated_rows.rows_of(whole, content, 2) == rows
    assert stated_rows.rows_of(whole, content + b"?", 2) == []
