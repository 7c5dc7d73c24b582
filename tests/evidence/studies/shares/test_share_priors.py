"""What the ledger's shares owe to their prior."""

from types import SimpleNamespace

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


def test_shares_and_words_of_each_prior_are_compared_with_those_of_the_ledger(
    monkeypatch,
):
    """Four sentences: with a narrower mu one share moves by .25, and two words turn."""
    words = ["shown", "refuted", "open", "shown"]
    shares = [0.9, 0.1, 0.5, 0.8]
    turned = ["shown", "shown", "open", "open"]
    study = share_priors

    def judged_by_prior(number, spread, scales):
        if spread == 1.0:
            return shares[number] - 0.25 * (number == 0), turned[number]
        return shares[number], words[number]

    judged = SimpleNamespace(itertuples=lambda: range(4))
    monkeypatch.setattr(study, "judged_elsewhere", lambda: judged)
    monkeypatch.setattr(study, "judged_by_prior", judged_by_prior)
    usual, narrower, *others = study.rows()
    assert (usual["prior"], usual["tests"], usual["shown"]) == (
        "as in the ledger",
        4,
        2,
    )
    assert usual["median_share"] == pytest.approx(0.65)
    assert usual["turned"] == usual["moved_most"] == 0
    assert narrower["moved_most"] == pytest.approx(0.25) and narrower["moved"] == 0
    assert (narrower["shown"], narrower["refuted"]) == (2, 0)
    assert (narrower["turned"], narrower["reversed"]) == (2, 1)
    assert len(others) == 4


def test_scales_of_a_prior_are_its_own_or_a_multiple_of_those_learnt(
    monkeypatch,
):
    learnt = {"dataset": 1.0, "author": 0.5}
    monkeypatch.setattr(share_priors.stored, "load_scales", lambda: learnt)
    assert share_priors.scales_of(2.0) == {"dataset": 2, "author": 1}
    own = {"dataset": 3.0}
    assert share_priors.scales_of(own) is own


def test_each_other_prior_changes_one_thing():
    usual = share_priors.PRIORS["as in the ledger"]
    for name, prior in share_priors.PRIORS.items():
        assert (prior[0] == usual[0]) == ("mu" not in name), name
        if not isinstance(prior[1], dict):
            assert (prior[1] == usual[1] == 1) == ("effects" not in name), name
