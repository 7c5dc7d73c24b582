"""The list of the second set, and that its writer was first."""

import hashlib

import numpy as np
import pandas as pd
from helpers import ROOT

from evidence.claims import all_claims
from evidence.forecasts.second import expected_by_ledger, line_rules, registered

LINES = registered.load_lines()
TABLE = registered.load_table()


def test_the_list_asks_for_sentences_and_for_amounts():
    assert len(LINES) >= 120 and TABLE["id"].is_unique
    amount = TABLE["unit"] != ""
    assert amount.sum() >= max(40, len(LINES) / 3)
    assert TABLE.loc[~amount, "probability"].between(0, 1, inclusive="neither").all()
    assert TABLE.loc[amount, "probability"].isna().all()
    ends = TABLE.loc[amount, ["low_90", "low_50", "high_50", "high_90"]].to_numpy()
    assert (np.diff(ends, axis=1) >= 0).all() and (ends[:, 3] > ends[:, 0]).all()
    assert TABLE[["says", "because", "evidence", "rule"]].notna().all(axis=None)


def test_each_line_names_a_rule_and_a_claim_that_exist():
    claims = {claim.id for claim in all_claims()}
    assert {line.claim for line in LINES} - {""} <= claims
    for line in LINES:
        bounds = {"above", "below"} & set(line.parameters)
        assert line.rule in line_rules.RULES
        of_claim = line.rule in ("one network", "share above half", "share")
        asks_for_number = line.rule == "share" if of_claim else not bounds
        assert line.is_amount == asks_for_number


def test_the_writer_was_first():
    """What the writer said has the bytes that it had before the ledger was asked."""
    columns = [*TABLE.columns.drop(expected_by_ledger.COLUMNS_OF_LEDGER)]
    text = pd.read_csv(
        ROOT / "data" / "forecasts" / "registered-2.csv",
        dtype=str,
        keep_default_na=False,
    )
    written = text[columns].to_csv(index=False, lineterminator="\n").encode()
    assert hashlib.sha256(written).hexdigest().startswith("b1d2b19a03699d3c")
