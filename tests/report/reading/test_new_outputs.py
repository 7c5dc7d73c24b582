"""Scores without labels."""

import numpy as np
import pandas as pd

from calib_report.options import Options
from calib_report.reading.new_outputs import new_outputs
from calib_report.reading.reader import arrays_of
from evidence.files_with_truth.samples import LOGITS, NAMES, TOP, prefixed


def test_new_outputs_need_no_labels(tmp_path):
    prefixed("logit_", values=LOGITS).assign(id=np.arange(120)).to_csv(
        tmp_path / "new.csv"
    )
    new = new_outputs(arrays_of(tmp_path / "new.csv"), Options(), NAMES)
    np.testing.assert_allclose(new.scores, LOGITS)
    assert (new.kind, new.classes) == ("logits", NAMES)
    assert new.columns == tuple(f"logit_{name}" for name in NAMES)
    pairs = Options(pairs=True)
    stated = new_outputs(
        arrays_of(pd.DataFrame({"confidence": TOP})), pairs, ["wrong", "right"]
    )
    assert (
        stated.classes == ["wrong", "right"]
        and stated.scores[:, 1].tolist() == TOP.tolist()
    )
