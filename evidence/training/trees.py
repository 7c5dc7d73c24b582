"""Sentences as trees: brackets to arrays, and trees to one batch, level by level. NumPy only."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

NO_LABEL = -1  # of a neutral phrase, where two classes are left


@dataclass(frozen=True)
class Tree:
    """The n nodes of a tree, children before their parent, each field an array (n,).

    `word` is the rank of a leaf's word and 0 of any other; `left` and `right` are the children's
    places, -1 of a leaf; `height` is 0 of a leaf; the last node is the sentence.
    """

    label: np.ndarray
    word: np.ndarray
    left: np.ndarray
    right: np.ndarray
    height: np.ndarray


def nodes_of(text: str) -> list[tuple[int, str, int, int]]:
    """Label, word and children of each node of a tree in brackets, as `(3 (2 a) (4 joy))`."""
    nodes: list[tuple[int, str, int, int]] = []
    parts: list[list[str]] = [[]]
    for token in re.findall(r"[()]|[^ ()]+", text):
        if token == "(":
            parts.append([])
            continue
        if token != ")":
            parts[-1].append(token)
            continue
        label, *rest = parts.pop()
        # one part is a word, two are the places of children
        word = rest[0] if len(rest) == 1 else ""
        left, right = (-1, -1) if word else map(int, rest)
        nodes.append((int(label), word, left, right))
        # a parent knows its children by their places
        parts[-1].append(str(len(nodes) - 1))
    return nodes


def encode_tree(text: str, rank: dict[str, int], is_binary: bool) -> Tree:
    """A tree in brackets as arrays; of two classes, 0 is negative and 1 positive."""
    rows = nodes_of(text)
    labels, words, left, right = zip(*rows, strict=True)
    height: list[int] = []
    for _, word, *children in rows:
        height.append(0 if word else 1 + max(height[child] for child in children))
    label = np.array(labels)
    if is_binary:
        # 0 and 1 are negative, 3 and 4 positive
        label = np.array([0, 0, NO_LABEL, 1, 1])[label]
    ranks = np.array([rank.get(word.lower(), 0) for word in words])
    return Tree(label, ranks, np.array(left), np.array(right), np.array(height))


@dataclass(frozen=True)
class Batch:
    """The n nodes of some trees sorted by height, then by the height of their parent.

    `words` are those of the leaves, which come first, and `labels` those of all nodes. A node
    waits for the level of its parent: `waiting` has, for each height, how many of its nodes wait
    for each later one, and `children`, for each height above 0, the places (nodes, 2) of its
    children among all that wait for it. `roots` are the places of the sentences, tree by tree.
    """

    words: np.ndarray
    labels: np.ndarray
    waiting: list[list[int]]
    children: list[np.ndarray]
    roots: np.ndarray


def batch_of(trees: Sequence[Tree]) -> Batch:
    """Put the nodes of some trees in one row, leaves first."""
    sizes = np.array([len(tree.label) for tree in trees])
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)

    def row(field: str) -> np.ndarray:
        return np.concatenate([getattr(tree, field) for tree in trees])

    height = row("height")
    is_inner = height > 0
    children = (np.stack([row("left"), row("right")], 1) + starts[:, None])[is_inner]
    # a sentence has no parent: its state waits for the end, above all heights
    waits_for = np.full(len(height), height.max() + 1)
    waits_for[children] = height[is_inner, None]
    order = np.lexsort((waits_for, height))
    counts = np.zeros((height.max() + 1, height.max() + 2), int)
    np.add.at(counts, (height, waits_for), 1)
    # the place of each node among those that wait for the same level, lower nodes first
    by_level = np.lexsort((np.argsort(order), waits_for))
    before = np.cumsum(counts.sum(0)) - counts.sum(0)
    queued = np.empty_like(order)
    queued[by_level] = np.arange(len(order)) - before[waits_for[by_level]]
    of_node = np.zeros((len(height), 2), int)
    of_node[is_inner] = queued[children]
    inner = np.split(of_node[order], np.cumsum(counts.sum(1))[:-1])[1:]
    words, place = row("word")[order], np.argsort(order)
    return Batch(
        words[: counts[0].sum()],
        row("label")[order],
        counts.tolist(),
        inner,
        place[np.cumsum(sizes) - 1],
    )
