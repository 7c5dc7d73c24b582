"""What the ledger's shares owe to their prior."""

import pandas as pd
import pytest

from evidence.studies.shares import share_priors


def test_a_word_is_reversed_where_both_are_sure_of_the_contrary():
    first = pd.Series(["shown", "shown", "open", "refuted", "refuted"])
    second = pd.Series(["refuted", "open", "refuted", "refuted", "shown"])
    reversals = share_priors.is_reversed(first, second).tolist()
    assert reversals == [True, False, False, False, True]


def test_by_the_ledgers_own_prior_its_shares_and_words_come_again():
    spread, factor = share_priors.PRIORS["as in the ledger"]
    scales = share_priors.scales_of(factor)
    rows = share_priors.judged_elsewhere().query("n < 20")
    rows = rows[rows["share"].notna()].groupby(["unit", "label"]).head(1)
    assert len(rows) >= 4
    for row in rows.itertuples():
        mean, word = share_priors.judged_by_prior(row, spread, scales)
        assert mean == pytest.approx(row.share, abs=1e-3), row.id
        assert word == row.label
