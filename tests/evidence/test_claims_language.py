"""What the claims on language models read: the frames, by hand."""

import numpy as np
import pandas as pd
import pytest

from book.evidence import claims
from book.evidence.claims import language
from book.evidence.claims.comparisons import limit, lower
from book.evidence.claims.trends import correlates


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
            "auroc_high": 0.5 + 0.02 * i + 0.03,
            "risk_50": 0.6 - 0.1 * i,
        }
        for i, model in enumerate(models)
        for kind in ("token", "verbal")
    ]
    index = pd.DataFrame({"model": models, "parameters": 2.0 ** np.arange(6), "kind": "chat"})
    index = pd.DataFrame({"model": models, "parameters": 2.0 ** np.arange(6)})
    index = index.assign(kind="chat", family="one")
    monkeypatch.setattr(language, "read_table", lambda path: pd.DataFrame(rows))
    monkeypatch.setattr(language, "language_models", lambda: index)


def of(frame, **values):
    for column, value in values.items():
        frame = claims.frames.select(frame, column, value)
    return frame


def test_kinds_of_confidence_are_compared_within_a_model(made_up):
    ece = of(language.sets("tao"), metric="ECE")
    found = claims.judge(lower(ece, member="verbal", than="token"), "mostly")
    assert found.estimate == pytest.approx(5 / 6) and "5 of 6" in found.reason
    much = claims.judge(lower(ece, member="verbal", than="token", factor=0.7), "mostly")
    assert much.estimate == pytest.approx(1 / 6)  # the fifth: 0.1 and 0.15
    assert much.reason.startswith("verbal lower than 0.7 of token")


def test_correlations_are_over_models(made_up):
    rows = of(language.models("tao"), metric=["Accuracy", "AUROC"], method="token")
    found = claims.judge(
        correlates(rows, along="metric", x="Accuracy", y="AUROC", sign=1), "direction"
    )
    assert (found.verdict, found.n) == ("holds", 6)
    cases = correlates(rows, along="metric", x="Accuracy", y="AUROC", sign=0, margin=0.3)
    none = claims.judge(cases, "none")
    assert (none.verdict, none.counted) == ("fails", "fails")
    size = of(language.models("tao"), metric="ECE", method="verbal")
    cases = correlates(size, x="log_parameters", y="value", sign=-1)
    assert claims.judge(cases, "direction").verdict == "holds"


def test_a_change_is_sure_where_its_interval_excludes_zero(monkeypatch):
    rows = pd.DataFrame(
        [(-0.02, -0.03, -0.01), (0.02, 0.01, 0.03), (0.02, -0.01, 0.05)],
        columns=["difference", "subject_low", "subject_high"],
    ).assign(source="tao", comparison="tuned", second=list("abc"), metric="ece")
    rows = rows.assign(first_confidence="token", second_confidence="token")
    monkeypatch.setattr(language, "read_table", lambda path: rows)
    found = of(language.changes("tao"), of="surely")
    assert found["value"].tolist() == pytest.approx([1, 1, -1])
    assert set(found["metric"]) == {"ECE, token"} and set(found["method"]) == {"change by tuning"}


def test_quantised_twins_are_one_case_and_families_are_kin(monkeypatch):
    index = pd.DataFrame({"model": ["a", "a-FP8", "b-AWQ"], "family": ["one", "one", "two"]})
    monkeypatch.setattr(language, "language_models", lambda: index)
    rows = language.of_families(index[["model"]], "tao")
    assert rows["case"].tolist() == ["a", "a", "b-AWQ"]  # there is no b
    assert rows["kin"].tolist() == ["one", "one", "two"]
    rows = rows.assign(metric="ECE", method="verbal", value=[1.0, -1.0, 1.0])
    found = claims.judge(limit(rows, member="verbal", above=0), "mostly", rows)
    assert (found.n, found.estimate) == (2, 0.75) and "2 of 3" in found.reason
