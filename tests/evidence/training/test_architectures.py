"""Networks of the zoo, where torch is."""

import numpy as np
import pytest
from random_trees import random_tree

from evidence.training import trees


def test_batched_states_are_those_of_one_tree_after_the_other():
    torch = pytest.importorskip("torch")
    from evidence.training.architectures import TreeLSTM

    rng = np.random.default_rng(4)
    texts = [random_tree(rng, n) for n in (1, 3, 18, 25)]
    rank = {f"w{i}": i + 1 for i in range(25)}
    many = [trees.encode_tree(text, rank, is_binary=False) for text in texts]
    model = TreeLSTM(6, 26, 5).eval()
    with torch.no_grad():
        together = model(trees.batch_of(many))
        alone = torch.cat([model(trees.batch_of([tree])) for tree in many])
    torch.testing.assert_close(together, alone)
