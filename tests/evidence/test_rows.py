"""Tables of studies: written whole, or refused."""

import numpy as np
import pytest

import calib
import evidence
from evidence.rows import means, rows_of_bins, write_table


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


def test_a_bin_is_a_row_with_its_number_count_and_sums():
    """Scores .25 and .5 of one bin of two, and .75 of the other."""
    score, hit = np.array([0.25, 0.5, 0.75]), np.array([1, 0, 1])
    first, second = rows_of_bins({"of": "a"}, calib.equal_width(2)(score, hit))
    sums = {"count": 2, "score_sum": 0.75, "hit_sum": 1}
    assert first == {"of": "a", "bin": 1} | sums
    sums = {"count": 1, "score_sum": 0.75, "hit_sum": 1}
    assert second == {"of": "a", "bin": 2} | sums


def test_columns_of_rows_have_a_mean_and_a_deviation():
    row = means([{"ece": 1.0}, {"ece": 3.0}])
    assert row == {"ece": 2, "ece_sd": pytest.approx(np.sqrt(2))}
