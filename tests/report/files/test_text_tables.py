"""Tables as text: written as they were read, and wide ones."""

import pytest

from calib_report.contract import ReadingError
from calib_report.files import formats
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import WHOLE


def test_a_table_is_given_back_as_it_is_written(tmp_path):
    WHOLE.assign(code="007").to_csv(tmp_path / "a.csv", index=False)
    frame = formats.as_written(tmp_path / "a.csv")
    assert frame.columns.tolist() == [*WHOLE, "code"] and set(frame["code"]) == {"007"}
    written = [
        line.split(",")[0] for line in (tmp_path / "a.csv").read_text().splitlines()
    ]
    assert ["cat", *frame["cat"]] == written


def test_a_wide_csv_is_read(tmp_path):
    names = ",".join(f"class{k}" for k in range(2500))
    (tmp_path / "wide.csv").write_text(f"y,{names}\n0" + ",0.5" * 2500)
    assert read(tmp_path / "wide.csv", scores="class", kind="logits").scores.shape == (
        1,
        2500,
    )


AB = {"y": [0, 1], "p": [0.5, 0.25]}


@pytest.mark.parametrize(
    ("name", "text", "columns"),
    [
        ("a.csv", "y,p\n0,.5\n1,.25\n", AB),
        ("a.csv", "y;p\n0;0,5\n1;0,25\n", AB),
        ("a.csv", "y\tp\n0\t.5\n1\t.25\n", AB),
        ("a.csv", "y|p\n0|.5\n1|.25\n", AB),
        ("a.tsv", "y\tp;q\n0\t.5\n1\t.25\n", {"y": [0, 1], "p;q": [0.5, 0.25]}),
        ("a.txt", "y p\n0 .5\n1 .25\n", AB),
        ("a.csv", "sep=;\ny;p,q\n0;.5\n1;.25\n", {"y": [0, 1], "p,q": [0.5, 0.25]}),
        # comments above, also one that is the heading of numbers
        ("a.csv", "# by hand\n\ny,p\n0,.5\n1,.25\n", AB),
        ("a.csv", "# y,p\n0,.5\n1,.25\n", AB),
        # spaces about cells, and empty columns behind the last
        ("a.csv", "y , p\n0, .5\n1, .25\n", AB),
        ("a.csv", "y,p,,\n0,.5,,\n1,.25,,\n", AB),
        # an index without a name, and columns that are counted
        ("a.csv", ",y\n0,1\n1,0\n", {"": [0, 1], "y": [1, 0]}),
        ("a.csv", "0,1\n3,.5\n4,.25\n", {"0": [3, 4], "1": [0.5, 0.25]}),
        # one column of data alone: a label comes again, a number stands among numbers
        ("a.csv", "cat\ndog\ncat\n", {"": ["cat", "dog", "cat"]}),
        ("a.csv", "1\n2\n", {"": [1, 2]}),
        ("a.csv", "y\n1\n2\n", {"y": [1, 2]}),
        # a heading of two words above single ones is of one column
        ("a.csv", "my label\ncat\ndog\n", {"my label": ["cat", "dog"]}),
        # words for nothing stay
        ("a.csv", "y,k\nNA,a\nnone,b\n", {"y": ["NA", "none"], "k": ["a", "b"]}),
    ],
)
def test_a_text_of_cells_is_read_as_it_is_written(name, text, columns, tmp_path):
    (tmp_path / name).write_text(text)
    named = formats.load(tmp_path / name).named
    found = {
        key: [_plain(cell) for cell in array.tolist()] for key, array in named.items()
    }
    assert found == {key: [*map(_plain, cells)] for key, cells in columns.items()}


def _plain(cell):
    """A number whether or not its cell is text."""
    try:
        return float(cell)
    except ValueError:
        return cell


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ("y,y\n0,1\n", "more than one column is named 'y'"),
        (
            "0.5,0.25\n0.5,0.75\n",
            "its first line holds the numbers 0.5, 0.25: the first",
        ),
        ("y,,\n0,,7\n", "more than one column is named ''"),
    ],
)
def test_a_text_of_no_table_is_refused(text, message, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ReadingError, match=message):
        formats.load(tmp_path / "a.csv")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_text_is_told_by_its_bytes(encoding, tmp_path):
    (tmp_path / "a.csv").write_bytes("naïve,p\n0,.5\n".encode(encoding))
    assert list(formats.load(tmp_path / "a.csv").named) == ["naïve", "p"]
