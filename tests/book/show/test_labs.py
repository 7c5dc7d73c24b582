"""Each student has data of their own."""

import json

import numpy as np
import pandas as pd
import pytest

from book.show.labs import digest, my_part, own_seed


@pytest.fixture
def archive(monkeypatch, tmp_path):
    """A book's archive: a folder with one of data in it."""
    monkeypatch.setenv("CALIB_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "published").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "seed"), [("ad-a", 0xA1), ("Ad-A ", 0xA1), ("ada", 0xE2), ("a.d.a", 0xE2)]
)
def test_a_name_counts_as_it_is_spelt_and_else_by_its_letters(
    monkeypatch, archive, name, seed
):
    seeds = {digest("salt", "=ad-a"): "a1", digest("salt", "ada"): "e2"}
    (archive / "students.json").write_text(json.dumps({"salt": "salt", "seeds": seeds}))
    monkeypatch.setenv("CALIB_STUDENT", name)
    assert own_seed() == seed


def test_a_name_that_is_not_in_the_list_is_refused(monkeypatch, archive):
    (archive / "students.json").write_text('{"salt": "", "seeds": {}}')
    monkeypatch.setenv("CALIB_STUDENT", "emmy")
    with pytest.raises(ValueError, match="nobody of your class is called 'emmy'"):
        own_seed()


def test_each_student_has_rows_of_their_own_and_networks_stay_paired(
    monkeypatch, tmp_path
):
    arrays = np.arange(1000), np.arange(1000) * 2
    monkeypatch.setenv("CALIB_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "published").mkdir(parents=True)
    assert my_part(arrays) is arrays and own_seed(3) == 3
    monkeypatch.setenv("CALIB_STUDENT", "ada")
    # who learns alone: the archive's seals are of these numbers
    assert my_part(arrays) is arrays
    seeds = {digest("", "ada"): "a1", digest("", "emmy"): "e2"}
    (tmp_path / "students.json").write_text(json.dumps({"salt": "", "seeds": seeds}))
    parts = {}
    for name in ("ada", "Ada ", "emmy"):
        monkeypatch.setenv("CALIB_STUDENT", name)
        one, two = my_part(arrays)
        assert (
            len(one) == 800
            and np.array_equal(2 * one, two)
            and np.all(np.diff(one) > 0)
        )
        parts[name] = one
    assert np.array_equal(parts["ada"], parts["Ada "])
    assert not np.array_equal(parts["ada"], parts["emmy"])
    monkeypatch.delenv("CALIB_STUDENT")
    (tmp_path / "student.txt").write_text("emmy\n")
    assert np.array_equal(my_part(arrays)[0], parts["emmy"])
    table = pd.DataFrame({"a": arrays[0]})
    assert np.array_equal(my_part(table).a, parts["emmy"])
