"""The published cases hold what their reference gives."""

import json

import numpy as np
import pytest

from evidence.conformance import compare_program, reference
from evidence.conformance import write_cases as published

QUICK = ("by-hand", "weights")  # the exact sums of each other one take a second
EACH = [
    pytest.param(name, case, id=name, marks=() if name in QUICK else pytest.mark.slow)
    for name, case in published.all_cases().items()
]


@pytest.mark.parametrize(("name", "case"), EACH)
def test_files_hold_what_the_reference_gives(name, case):
    path = next(compare_program.cases_folder().glob(f"[0-9][0-9]-{name}.json"))
    stored = json.loads(path.read_text())
    assert {k: stored[k] for k in case if k != "p"} == {
        k: case[k] for k in case if k != "p"
    }
    # as the processor has exp
    np.testing.assert_allclose(stored["p"], case["p"], rtol=1e-14)
    if len(case["y"]) <= 1000:
        assert (
            reference.values(case["y"], stored["p"], case.get("weight"))
            == stored["values"]
        )
    ids = [
        entry["id"]
        for entry in compare_program.read_json("definitions.json")["definitions"]
    ]
    assert ids == list(reference.DEFINITIONS)
