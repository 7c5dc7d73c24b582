"""Tables of studies: written whole, or refused."""

import pytest

import evidence
from evidence.rows import write_table


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty data folder in place of the checkout's."""
    for name in ("published", "zoo", "results"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    return tmp_path


def test_what_is_computed_goes_to_the_folder_that_the_environment_names(folder):
    (folder / "results/metrics").mkdir()
    write_table("metrics/some", [{"item": "a"}])
    assert (folder / "results/metrics/some.csv").read_text() == "item\na\n"
    assert evidence.load_results("some").to_dict("list") == {"item": ["a"]}


@pytest.mark.parametrize(
    ("digits", "third", "large"),
    [(10, "0.3333333333", "12345.5"), (4, "0.3333", "1.235e+04")],
)
def test_numbers_have_the_digits_of_their_table(digits, third, large, folder):
    (folder / "results/metrics").mkdir()
    row = {
        "third": 1 / 3,
        "large": 12345.5,
        "none": float("nan"),
        "n": 123456,
        "id": "1.23456",
    }
    write_table("metrics/some", [row], digits)
    written = (folder / "results/metrics/some.csv").read_text()
    assert written == f"third,large,none,n,id\n{third},{large},,123456,1.23456\n"


WRONG_ROWS = {
    "no row": ([], "metrics/some.csv: there is no row"),
    "a key less": ([{"a": 1, "b": 2}, {"a": 1}], "row 1 has not .* lacks \\['b'\\]"),
    "a key more": ([{"a": 1}, {"a": 1}, {"a": 1, "b": 2}], "row 2 .* has \\['b'\\]"),
}


@pytest.mark.parametrize("case", WRONG_ROWS)
def test_rows_that_are_no_table_are_refused_by_name(case, folder):
    rows, words = WRONG_ROWS[case]
    with pytest.raises(ValueError, match=words) as error:
        write_table("metrics/some", rows)
    assert str(error.value).startswith("metrics/some.csv: ")
    assert not (folder / "results/metrics/some.csv").exists()
