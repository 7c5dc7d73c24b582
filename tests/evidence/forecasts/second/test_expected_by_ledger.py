"""What the ledger expects of the second set, as it is stored."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from registered_lines import line_with

from evidence.claims import ledger
from evidence.claims import stored as stored_ledger
from evidence.claims.frames import read_table
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


def test_the_base_rate_is_that_of_the_first_sets_verdicts():
    """Of those that have an answer."""
    verdicts = read_table("forecasts/verdicts.csv")["true"].dropna().tolist()
    result = expected_by_ledger.base_rate()
    assert result == pytest.approx(sum(verdicts) / len(verdicts))


@pytest.mark.parametrize(
    ("rule", "frame", "name", "kind"),
    [
        ("one network", "ensembles", "any", "counts"),
        ("share above half", "networks", "any", "counts"),
        ("share", "networks", "any", "counts"),
        ("number", "network table", "every-network-overconfident", "counts"),
        ("number", "subjects", "temperature-mmlu", "counts"),
        ("number", "network table", "any", "networks"),
        ("one number", "ensemble table", "any", "networks"),
        ("correlation", "network table", "any", "language"),
        ("number", "task models", "any", "language"),
    ],
)
def test_a_line_is_asked_of_the_evidence_of_its_kind(
    monkeypatch, rule, frame, name, kind
):
    for other in ("counts", "networks", "language"):
        monkeypatch.setattr(
            expected_by_ledger, f"forecast_of_{other}", lambda line, other=other: other
        )
    line = dataclasses.replace(line_with(rule, name=name), frame=frame)
    assert expected_by_ledger.forecast_of_line(line) == kind


ENDS = {"low_90": -1.23456, "low_50": 0, "high_50": 123.456, "high_90": 1234.56}


@pytest.mark.parametrize(
    ("forecast", "unit", "cells"),
    [
        ({"probability": 0.12345}, "", ["0.123", *4 * [""], "0.465"]),
        ({"probability": 0.0}, "", ["0.001", *4 * [""], "0.465"]),
        ({"probability": 1.0}, "", ["0.999", *4 * [""], "0.465"]),
        (None, "", [*5 * [""], "0.465"]),
        (ENDS, "points", ["", "-1.235", "0", "123.5", "1235", ""]),
        (None, "points", 6 * [""]),
    ],
)
def test_a_line_has_what_is_expected_as_text(monkeypatch, forecast, unit, cells):
    """No probability is nearer to zero or one than a thousandth; columns of before are gone."""
    columns = expected_by_ledger.COLUMNS_OF_LEDGER
    monkeypatch.setattr(expected_by_ledger, "forecast_of_line", lambda line: forecast)
    table = TABLE.iloc[[3]].assign(unit=unit)
    for before in (table, table.drop(columns=columns)):
        result = expected_by_ledger.with_columns(before)
        assert [*result.columns] == [*TABLE.columns]
        assert result[columns].astype(object).fillna("").to_numpy().tolist() == [cells]
