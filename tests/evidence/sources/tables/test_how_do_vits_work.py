"""Networks on corrupted images, read as they are written, or refused."""

import pytest

from evidence.sources.tables import how_do_vits_work


def test_a_corruption_is_read_with_and_without_the_last_column():
    line = "3,fog,2.5,0.0,0.9,0.25,0.9,0,0.9,0.1,0.7,1.0,0.1,0.5,0.8,0.0625"
    rows = how_do_vits_work.rows_of_file("ImageNet-C", f"{line}\n{line},0.05\n")
    assert rows[0] == rows[1]
    assert (rows[0]["accuracy"], rows[0]["ece"], rows[0]["nll"]) == (
        "25.000",
        "6.250",
        "2.5000",
    )
    with pytest.raises(ValueError, match="line 1: 15 columns, expected 17"):
        how_do_vits_work.rows_of_file("ImageNet-C", line.rpartition(",")[0])
