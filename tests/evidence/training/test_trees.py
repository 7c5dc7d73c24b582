"""Sentences as trees: read from brackets, and put into batches."""

import numpy as np
from random_trees import random_tree

from evidence.training import trees

BRACKETS = "(3 (2 It) (4 (2 (2 's) (3 fun)) (2 .)))"


def test_a_tree_in_brackets_is_read_bottom_up():
    tree = trees.encode_tree(BRACKETS, {"it": 1, "fun": 2}, is_binary=False)
    assert tree.label.tolist() == [2, 2, 3, 2, 2, 4, 3]
    assert tree.word.tolist() == [1, 0, 2, 0, 0, 0, 0]
    assert tree.left.tolist() == [-1, -1, -1, 1, -1, 3, 0]
    assert tree.right.tolist() == [-1, -1, -1, 2, -1, 4, 5]
    assert tree.height.tolist() == [0, 0, 0, 1, 0, 2, 3]
    two = trees.encode_tree(BRACKETS, {}, is_binary=True)
    assert two.label.tolist() == [-1, -1, 1, -1, -1, 1, 1]


def test_a_batch_hands_each_node_its_own_children():
    """Words summed up the levels of a batch are those below each sentence."""
    rng = np.random.default_rng(3)
    texts = [random_tree(rng, n) for n in (1, 2, 7, 20, 33)]
    rank = {f"w{i}": 10**6 + i**3 for i in range(33)}
    many = [trees.encode_tree(text, rank, is_binary=False) for text in texts]
    batch = trees.batch_of(many)
    levels = [batch.words]
    queues = [[piece] for piece in np.split(levels[0], np.cumsum(batch.waiting[0]))]
    for height, children in enumerate(batch.children, 1):
        levels.append(np.concatenate(queues[height])[children].sum(1))
        pieces = np.split(levels[-1], np.cumsum(batch.waiting[height]))
        for queue, piece in zip(queues, pieces, strict=True):
            queue.append(piece)
    sums = np.concatenate(levels)[batch.roots]
    assert sums.tolist() == [int(tree.word.sum()) for tree in many]
    labels = batch.labels[batch.roots]
    assert labels.tolist() == [tree.label[-1] for tree in many]
