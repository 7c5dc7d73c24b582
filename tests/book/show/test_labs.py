"""Each student has data of their own."""

import json

import numpy as np
import pandas as pd

from book.show.labs import digest, my_part, own_seed


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
