"""What a word asks for beside what its sentences have, by hand."""

from types import SimpleNamespace

import pandas as pd
import pytest

from evidence.studies.shares import share_words as study

JUDGED = pd.DataFrame(
    [
        ("a", "zoo", "claim", "share", "always", 0.5),
        ("a", "public", "claim", "share", "always", 1.0),
        ("b", "zoo", "claim", "share", "always", 0.75),
        ("c", "zoo", "claim", "share", "always", 0.875),
        ("d", "zoo", "theorem", "share", "always", 0.0),
        ("e", "zoo", "claim", "steps", "always", 0.0),
        *[(f"f{i}", "zoo", "claim", "share", "most", 0.25) for i in range(3)],
    ],
    columns=["id", "evidence", "status", "unit", "word", "share"],
)


def test_a_word_of_four_tests_has_the_pool_and_the_range_of_their_shares(monkeypatch):
    pooled = []

    def pool(likelihoods, scales):
        pooled.append((likelihoods, scales))
        share = SimpleNamespace(mean=0.6, quantiles=lambda: (0.4, 0.7))
        return SimpleNamespace(mean_share=lambda: share)

    monkeypatch.setattr(study, "judged_elsewhere", lambda: JUDGED)
    monkeypatch.setattr(study.stored, "load_scales", lambda: "scales")
    monkeypatch.setattr(study, "likelihood", lambda key: key)
    monkeypatch.setattr(study, "pool", pool)
    [row] = study.rows()
    keys = [("a", "zoo"), ("a", "public"), ("b", "zoo"), ("c", "zoo")]
    assert pooled == [(keys, "scales")]
    assert row == {
        "word": "always",
        "asks": 1,
        "sentences": 3,
        "tests": 4,
        "share": 0.6,
        "low": 0.4,
        "high": 0.7,
        "least": 0.5,
        "middle": pytest.approx((0.75 + 0.875) / 2),
        "most": 1,
    }
