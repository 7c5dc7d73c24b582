"""How often the rules before the model of shares erred, where the truth is known."""

import pytest

from evidence import load_results
from evidence.claims.quantifiers import ASKED
from evidence.studies.shares.operating_characteristics import FIRST, OF_FORECASTS


def test_the_error_rates_are_those_that_are_asked_for():
    """At most 4 % a side in every cell, of a nominal 2.5 %; the first rule had none such."""
    found = load_results("operating_characteristics")
    likely = (found["of"] == "settings") | (found["icc"] <= 0.3)
    none = (
        found[(found["truth"] == "none") & likely]
        .groupby("rule")[["holds", "fails"]]
        .max()
    )
    assert (none.loc[OF_FORECASTS] < 0.04).all() and (none.loc[FIRST] > 0.2).all()
    designs = found[found["of"] == "networks"]
    assert set(designs["data_sets"]) >= set(range(1, 6))
    assert set(designs["n"]) >= {5, 80}
    assert set(designs["icc"]) >= {0, 0.1, 0.2, 0.3}
    assert set(designs["others"]) == {0, 0.1}
    asked = sorted({0.5, *ASKED.values()})
    assert sorted(set(designs["asked"])) == pytest.approx(asked)
