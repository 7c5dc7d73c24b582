"""Sentences about language models: the tests by hand, the file, and the stored verdicts."""

import re

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

from book.evidence.claims import language as claims


@pytest.fixture(scope="module")
def judged():
    return claims.judge_all()


@pytest.fixture
def made_up(monkeypatch):
    """Six models whose stated confidence is better calibrated than their tokens, bar the last."""
    models = [f"model-{i}" for i in range(6)]
    rows = [
        {
            "source": "tao",
            "model": model,
            "dataset": "MMLU-Pro",
            "group": "all",
            "confidence": kind,
            "unanswered": "left out",
            "accuracy": 0.4 + 0.1 * i,
            "mean_confidence": 0.9,
            "ece": 0.5 - 0.1 * i + (0.05 if (kind == "token") == (i < 5) else 0),
            "ece_low": 0.01,
            "ece_chance": 0.005,
            "auroc": 0.5 + 0.02 * i + 0.001 * (i % 2),
            "auroc_low": 0.5 + 0.02 * i - 0.03,
            "risk_50": 0.6 - 0.1 * i,
        }
        for i, model in enumerate(models)
        for kind in ("token", "verbal")
    ]
    index = pd.DataFrame({"model": models, "parameters": 2.0 ** np.arange(6), "kind": "chat"})
    monkeypatch.setattr(claims, "read_table", lambda path: pd.DataFrame(rows))
    monkeypatch.setattr(claims, "language_models", lambda: index)


class TestByHand:
    def test_kinds_are_compared_within_a_model(self, made_up):
        found = claims.kinds(
            "tao", metric="ece", better="verbal", than="token", quantifier="mostly"
        )
        assert found.estimate == pytest.approx(5 / 6) and "5 of 6" in found.reason
        much = claims.kinds(
            "tao", metric="ece", better="verbal", than="token", factor=0.7, quantifier="mostly"
        )
        assert much.estimate == pytest.approx(1 / 6)  # the fifth: 0.1 and 0.15
        other = claims.kinds(
            "tao", metric="auroc", better="verbal", than="token", quantifier="mostly"
        )
        assert other.estimate == 0  # they tie

    def test_a_correlation_has_its_interval_within_one(self, made_up):
        found = claims.correlation("tao", x="accuracy", y="auroc", sign=1)
        assert found.verdict == "holds" and found.estimate == pytest.approx(1, abs=1e-3)
        assert -1 <= found.low <= found.high <= 1
        assert claims.correlation("tao", x="accuracy", y="auroc", sign=-1).verdict == "fails"
        none = claims.correlation("tao", x="accuracy", y="auroc", sign=0, margin=0.3)
        assert none.verdict == "fails"
        few = claims.correlation(
            "tao", x="accuracy", y="ece", sign=1, rows={"model": ["model-0", "model-1"]}
        )
        assert few.verdict == "too few cases"

    def test_columns_and_numbers_are_compared(self, made_up):
        found = claims.exceeds(
            "tao", column="mean_confidence", over="accuracy", quantifier="mostly"
        )
        assert found.estimate == pytest.approx(5 / 6)  # 0.9 is not above 0.9
        assert claims.exceeds_on_average(
            "tao", column="accuracy", over="mean_confidence"
        ).estimate == (pytest.approx(-0.25))
        found = claims.above("tao", column="auroc_low", limit=0.5, quantifier="mostly")
        assert found.estimate == pytest.approx(4 / 6)
        better = claims.above(
            "tao",
            column="auroc_low",
            limit=0.5,
            quantifier="always",
            rows={"half": "more accurate"},
        )
        assert better.estimate == 1


class TestFile:
    def test_unknown_sources_tests_and_parameters_are_refused(self):
        for spec, message in (
            (("other", {"test": "exceeds"}), "unknown source"),
            (("tao", {"test": "guess"}), "unknown test"),
            (("tao", {"test": "above", "colour": 1}), "unknown parameters"),
        ):
            with pytest.raises(ValueError, match=message):
                claims.check_spec("id", *spec)

    def test_twenty_claims_of_papers_that_are_cited(self):
        found = claims.load_claims()
        assert len(found) >= 20
        cited = set(
            re.findall(r"^@\w+\{([^,]+),", (ROOT / "book/references.bib").read_text(), re.M)
        )
        assert {claim["paper"] for claim in found} <= cited

    def test_changed_rules_are_logged_with_both_verdicts(self, judged):
        log = claims.read_table("claims-language-log.csv")
        assert log.notna().all(axis=None)
        verdicts = judged.set_index(["id", "source"]).verdict
        for row in log.itertuples():
            assert verdicts[row.claim, row.source] == row.verdict_after


class TestLedger:
    def test_it_is_stored_as_it_is_judged(self, judged):
        stored = (ROOT / "data" / "ledger-language.csv").read_text(encoding="utf-8")
        text = judged.to_csv(index=False, float_format="%.4g", lineterminator="\n")
        assert stored == text, "python -m book.evidence.claims.language --update"

    def test_every_claim_is_tested_and_not_all_hold(self, judged):
        assert (judged.verdict != "not tested").all()
        assert {"holds", "fails", "mixed"} <= set(judged.verdict)
        assert judged[["estimate", "low", "high"]].notna().all(axis=None)
        assert (judged.low <= judged.estimate + 1e-9).all()
        assert (judged.estimate <= judged.high + 1e-9).all()
