"""Labels of a second file: joined on names, or paired by position."""

import numpy as np
import pandas as pd
import pytest

from calib_report.reading.reader import read
from evidence.files_with_truth.samples import NAMED, NAMES, YES, P, Y, frame, prefixed

N = len(Y)


def test_joins_keep_what_both_files_hold(tmp_path):
    frame(id=np.arange(N)).to_csv(tmp_path / "p.csv", index=False)
    labels = [*NAMED[5:], *NAMES[:1] * 5][::-1]
    truth = pd.DataFrame({"id": np.arange(N)[::-1] + 5.0, "label": labels})
    truth.to_csv(tmp_path / "y.csv", index=False)
    outputs = read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    assert len(outputs) == N - 5 and "5 of the first and 5 of the second" in " ".join(
        map(str, outputs.notes)
    )
    assert outputs.names == NAMES and outputs.y.tolist() == Y[5:].tolist()


def test_rows_numbered_in_another_order_are_joined_or_paired_as_told(tmp_path):
    order = np.random.default_rng(6).permutation(120)
    prefixed("p_").to_csv(tmp_path / "p.csv")
    pd.DataFrame({"label": Y}).iloc[order].to_csv(tmp_path / "y.csv")
    with pytest.raises(
        ValueError, match="--ids '' joins them on the numbers, --ignore ''"
    ):
        read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    joined = read(tmp_path / "p.csv", labels=tmp_path / "y.csv", scores="p_", ids="")
    assert joined.y.tolist() == Y.tolist() and "joined on ''" in " ".join(
        map(str, joined.notes)
    )
    paired = read(tmp_path / "p.csv", labels=tmp_path / "y.csv", scores="p_", ignore="")
    assert paired.y.tolist() == Y[order].tolist() and "by position" in " ".join(
        map(str, paired.notes)
    )


def test_classes_may_bear_the_names_of_other_things(tmp_path):
    """Labels x, y and z of a second file are three labels, not one column named y."""
    frame(list("xyz"), P).to_csv(tmp_path / "p.csv", index=False)
    frame(list("xyz"), YES).to_csv(tmp_path / "y.csv", index=False)
    outputs = read(tmp_path / "p.csv", labels=tmp_path / "y.csv")
    assert outputs.task == "labels" and outputs.y.tolist() == YES.ravel().tolist()
