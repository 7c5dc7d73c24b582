"""Which sentences of the stored ledgers are judged on networks, by hand."""

import pandas as pd
import pytest

from evidence.studies.parts import judged_sentences as study

LEDGER = pd.DataFrame(
    [
        ("a", "claim", "zoo"),
        ("a", "claim", "published"),
        ("a", "claim", "public"),
        ("b", "theorem", "zoo"),
        ("c", "open", "zoo"),
    ],
    columns=["id", "status", "evidence"],
)
NETWORKS = pd.DataFrame(
    [("a", "zoo", 1), ("b", "zoo", 2), ("a", "zoo", 3), ("c", "zoo", 4)],
    columns=["id", "evidence", "count"],
)


@pytest.fixture(autouse=True)
def _stored(monkeypatch):
    networks = pd.concat([NETWORKS, NETWORKS[:1].assign(evidence="published")])
    ledgers = dict.fromkeys(study.PARTS, LEDGER[:0]) | {"papers": LEDGER}
    monkeypatch.setattr(study.stored, "load_networks", lambda: networks)
    monkeypatch.setattr(study.stored, "load_ledger", lambda part: ledgers[part])
    study.stored_networks.cache_clear()
    yield
    study.stored_networks.cache_clear()


def test_claims_and_theorems_count_whose_networks_are_stored_and_not_printed():
    judged = study.judged_elsewhere()
    assert [*zip(judged["id"], judged["evidence"], strict=True)] == [
        ("a", "zoo"),
        ("b", "zoo"),
    ]


def test_the_networks_of_a_claim_are_those_of_one_kind_of_evidence():
    assert study.stored_networks()["a", "zoo"]["count"].tolist() == [1, 3]
