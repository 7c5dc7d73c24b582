"""Tables of results that a test writes by hand."""

import pandas as pd
import pytest

from evidence.claims import frames, kin

SOURCES = [
    {
        "name": "guo-a",
        "dataset": "CIFAR-10",
        "model": "ResNet",
        "known": "logits",
    },
    {"name": "guo-b", "dataset": "SVHN", "model": "VGG", "known": "top label"},
    {"name": "kull-c", "dataset": "SVHN", "model": None, "known": "logits"},
]
ZOO = [
    {
        "name": f"cnn-w8-s{seed}",
        "dataset": "cifar10-10k",
        "architecture": "CNN",
        "family": "cnns",
        "loss": "cross-entropy",
        "test_accuracy": 0.75,
        "parameters": 1000,
    }
    for seed in (1, 2)
]


@pytest.fixture
def give_table(monkeypatch):
    """Put rows in the place of a stored table; all other tables are as they are."""
    real = frames.read_table
    given = {}
    monkeypatch.setattr(
        frames,
        "read_table",
        lambda path: given[path] if path in given else real(path),
    )

    def give(path, rows):
        given[path] = pd.DataFrame(rows)

    return give


@pytest.fixture
def networks(give_table):
    """Three public networks and two seeds of one of ours, in the place of all."""
    give_table("sources/sources.csv", SOURCES[:2])
    give_table("sources/sources-promises.csv", SOURCES[2:])
    give_table("zoo/zoo.csv", ZOO)
    kin.models_of_networks.cache_clear()
    kin.public_authors.cache_clear()
    yield give_table
    kin.models_of_networks.cache_clear()
    kin.public_authors.cache_clear()
