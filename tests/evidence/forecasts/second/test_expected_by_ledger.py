"""What the ledger expects of the second set, as it is stored."""

import numpy as np
import pandas as pd
import pytest

from evidence.claims import ledger
from evidence.claims import stored as stored_ledger
from evidence.forecasts.second import expected_by_ledger, registered

LINES = registered.load_lines()
TABLE = registered.load_table()


@pytest.mark.slow
def test_the_columns_are_those_that_are_stored():
    """Of every ninth line, which has all rules and kinds of evidence."""
    columns = [*TABLE.columns.drop(expected_by_ledger.COLUMNS_OF_LEDGER)]
    chosen = TABLE.iloc[::9]
    result = expected_by_ledger.with_columns(chosen[columns])[
        expected_by_ledger.COLUMNS_OF_LEDGER
    ].astype(float)
    stored = chosen[expected_by_ledger.COLUMNS_OF_LEDGER].astype(float)
    pd.testing.assert_frame_equal(result, stored, rtol=1e-3, atol=2e-3)


def test_a_claim_that_is_added_later_moves_no_forecast(monkeypatch):
    """It moves the scales that the ledger learns; the forecasts have those of their day."""

    def later():
        raise AssertionError("the ledger's scales of today were asked for")

    for module in (stored_ledger, ledger):
        monkeypatch.setattr(module, "load_scales", later)
    line = next(line for line in LINES if line.id == "amount-ece")
    stored = TABLE.set_index("id").loc[line.id]
    for end, value in expected_by_ledger.forecast_of_line(line).items():
        assert value == pytest.approx(stored[f"ledger_{end}"], rel=1e-3)


def test_what_the_ledger_cannot_tell_is_empty():
    amount = TABLE["unit"] != ""
    ends = TABLE[[f"ledger_{end}" for end in expected_by_ledger.QUANTILES]]
    assert TABLE.loc[amount, "ledger_probability"].isna().all()
    assert ends[~amount].isna().all(axis=None)
    assert (ends.isna().all(axis=1) | ends.notna().all(axis=1)).all()
    known = ends.dropna()
    assert (np.diff(known.to_numpy(), axis=1) >= 0).all() and len(known) >= 40
    assert TABLE["ledger_probability"].between(0.001, 0.999).sum() >= 80
    assert TABLE.loc[~amount, "base_probability"].nunique() == 1
