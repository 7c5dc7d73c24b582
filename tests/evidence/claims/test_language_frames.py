"""What the claims on language models read: the frames, by hand."""

import numpy as np
import pandas as pd
import pytest

from evidence import claims
from evidence.claims import language_frames
from evidence.claims.comparisons import limit, lower


@pytest.fixture
def made_up(monkeypatch):
    """Six models whose stated confidence is better calibrated than their tokens, bar the last."""
    i, kind = np.repeat(np.arange(6), 2), np.tile(["token", "verbal"], 6)
    rows = pd.DataFrame({"model": [f"model-{n}" for n in i], "confidence": kind})
    rows = rows.assign(
        source="tao", dataset="MMLU-Pro", group="all", unanswered="left out"
    )
    rows = rows.assign(
        accuracy=0.4 + 0.1 * i, mean_confidence=0.9, ece_low=0.01, ece_chance=0.005
    )
    rows["ece"] = 0.5 - 0.1 * i + 0.05 * ((kind == "token") == (i < 5))
    rows["auroc"] = 0.5 + 0.02 * i + 0.001 * (i % 2)
    rows["auroc_low"], rows["auroc_high"] = 0.47 + 0.02 * i, 0.53 + 0.02 * i
    rows["risk_50"] = 0.6 - 0.1 * i
    index = pd.DataFrame(
        {"model": rows["model"].unique(), "parameters": 2.0 ** np.arange(6)}
    )
    index = index.assign(kind="chat", family="one")
    monkeypatch.setattr(language_frames, "read_table", lambda path: rows)
    monkeypatch.setattr(language_frames, "language_models", lambda: index)


def of(frame, **values):
    for column, value in values.items():
        frame = claims.case_tables.select(frame, column, value)
    return frame


def test_kinds_of_confidence_are_compared_within_a_model(made_up):
    ece = of(language_frames.sets("tao"), metric="ECE")
    cases = lower(ece, member="verbal", than="token")
    assert cases.values.tolist() == [True] * 5 + [False]
    much = lower(ece, member="verbal", than="token", factor=0.7)
    assert much.values.sum() == 1  # the fifth: 0.1 and 0.15
    assert much.summary == "verbal lower than 0.7 of token"


def test_a_change_is_sure_where_its_interval_excludes_zero(monkeypatch):
    rows = pd.DataFrame(
        [(-0.02, -0.03, -0.01), (0.02, 0.01, 0.03), (0.02, -0.01, 0.05)],
        columns=["difference", "subject_low", "subject_high"],
    ).assign(source="tao", comparison="tuned", second=list("abc"), metric="ece")
    rows = rows.assign(first_confidence="token", second_confidence="token")
    monkeypatch.setattr(language_frames, "read_table", lambda path: rows)
    surely = of(language_frames.changes("tao"), of="surely")
    assert surely["value"].tolist() == pytest.approx([1, 1, -1])
    assert set(surely["metric"]) == {"ECE, token"}
    assert set(surely["method"]) == {"change by tuning"}


def test_quantised_twins_are_one_case_and_families_are_kin(monkeypatch):
    index = pd.DataFrame(
        {"model": ["a", "a-FP8", "b-AWQ"], "family": ["one", "one", "two"]}
    )
    monkeypatch.setattr(language_frames, "language_models", lambda: index)
    rows = language_frames.with_families(index[["model"]], "tao")
    assert rows["case"].tolist() == ["a", "a", "b-AWQ"]  # there is no b
    assert rows["kin"].tolist() == ["one", "one", "two"]
    rows = rows.assign(metric="ECE", method="verbal", value=[1.0, -1.0, 1.0])
    cases = limit(rows, member="verbal", above=0)
    measured = claims.measured_networks(cases, "mostly", rows)
    assert measured.networks.tolist() == [0.5, 1.0]
    assert measured.clusters["kin"].tolist() == ["one", "two"]
