"""What is printed beside what is computed, by hand."""

import numpy as np
import pytest

from evidence.studies.parts import calarena_network as study

PRINTED = b"""benchmark,dataset,model,brier TS,nll TS,ece TS
cv-multiclass,c100,resnet110,9,9,9
cv-multiclass,c10,resnet110,0.5,2,0.25
"""


def test_a_difference_is_ours_less_what_is_printed_of_the_same_network(monkeypatch):
    monkeypatch.setattr(study, "read_declared", lambda name: PRINTED)
    prob = np.array([[1.0, 0.0], [0.75, 0.25]])
    rows = study.difference_rows("TS", "ours", np.array([1, 0]), prob)
    values = {row["metric"]: row["value"] for row in rows}
    # a label of probability zero counts as the least float32
    nll = (126 * np.log(2) + np.log(4 / 3)) / 2
    assert values == pytest.approx(
        {"brier": (2 + 2 / 16) / 2, "nll": nll, "ece": (1 + 0.25) / 2}
    )
    rows = study.difference_rows("TS", "ours", np.array([1, 0]), prob)
    differences = {row["metric"]: row["difference"] for row in rows}
    assert differences == pytest.approx(
        {"brier": 1.0625 - 0.5, "nll": nll - 2, "ece": 0.625 - 0.25}
    )
