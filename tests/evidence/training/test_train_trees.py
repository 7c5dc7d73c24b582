"""The loop that trains on the phrases of trees, where torch is."""

import numpy as np
import pytest
from random_trees import random_tree

from evidence.training import trees
from evidence.training.datasets import Dataset, Examples
from evidence.training.runs import Run

torch = pytest.importorskip("torch")
train_trees = pytest.importorskip("evidence.training.train_trees")
RUN = Run("b", "sst5-trees", "treelstm", 1, 6, optimiser=("adagrad", 0.05), patience=2)


def sentences(n, rng):
    rank = {f"w{i}": i + 1 for i in range(8)}
    texts = [random_tree(rng, int(k)) for k in rng.integers(2, 8, n)]
    many = [trees.encode_tree(text, rank, is_binary=False) for text in texts]
    return Examples(many, np.array([tree.label[-1] for tree in many]))


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    parts = [sentences(n, rng) for n in (60, 30, 30)]
    return Dataset(5, *parts, words=9)


def test_training_stops_early_and_goes_back_to_the_best_epoch(data, monkeypatch):
    """Accuracies are made up: the third epoch is the best, two more follow."""
    reached = iter([0.2, 0.3, 0.6, 0.6, 0.5, 0.9])
    states = []

    def accuracy(model, examples, data):
        if examples is data.calibration:
            states.append({k: v.clone() for k, v in model.state_dict().items()})
            return next(reached)
        return 0.0

    monkeypatch.setattr(train_trees, "tree_accuracy", accuracy)
    model, _ = train_trees.train(RUN, data, data.train)
    assert len(states) == 5
    assert all((model.state_dict()[k] == v).all() for k, v in states[2].items())


def test_the_accuracy_is_the_share_of_sentences_that_are_right(data):
    model, accuracy = train_trees.train(RUN, data, data.train)
    logits = train_trees.logits_of(model, data.train.x, data)
    assert accuracy == (logits.argmax(1) == data.train.y).mean()
    assert train_trees.tree_accuracy(model, data.test, data) <= 1
