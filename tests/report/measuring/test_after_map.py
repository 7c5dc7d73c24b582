"""What was asked, answered as it is and after the map."""

import numpy as np
from tempered_models import drawn

import calib_report
from calib_report import analyse


def test_groups_are_judged_after_the_map_as_well():
    """All groups are overconfident alike, but one: after one temperature it alone is off."""
    y, logits = drawn(6000, 3, temperature=2.5)
    ward = np.random.default_rng(4).choice(["a", "b", "c", "d"], len(y))
    logits[ward == "d"] /= 2.5
    outputs = calib_report.read({"y": y, "logits": logits, "ward": ward}, groups="ward")
    rows = {row["group"]: row for row in analyse(outputs).numbers["groups"]["ward"]}
    for name in "abc":
        assert rows[name]["before"]["flagged"] and rows[name]["before"]["value"] > 0.05
        assert abs(rows[name]["after"]["value"]) < rows[name]["before"]["value"] / 2
    assert not rows["d"]["before"]["flagged"]
    assert rows["d"]["after"]["flagged"] and rows["d"]["after"]["value"] < -0.03
