"""The same work compiled by numba, checks of the rows included: what a compiled kernel would gain.

Written as one would write it in C: a pass over the rows, no array in between.
"""

import numpy as np
from numba import njit

from calib.check import columns

ATOL = 1e-4


@njit
def ece(y, p, n_bins=15):
    n, n_classes = p.shape
    gap = np.zeros(n_bins)
    for i in range(n):
        top, best, total, least = 0, p[i, 0], p[i, 0], p[i, 0]
        for k in range(1, n_classes):
            value = p[i, k]
            total += value
            least = min(least, value)
            if value > best:
                top, best = k, value
        if not (least >= 0 and abs(total - 1) <= ATOL):
            raise ValueError("not probabilities")
        score = np.float64(best)
        b = min(int(score * n_bins), n_bins - 1)
        while b > 0 and score <= b / n_bins:
            b -= 1
        gap[b] += (top == y[i]) - score
    return np.abs(gap).sum() / n


@njit
def nll(y, p):
    n, n_classes = p.shape
    loss = 0.0
    for i in range(n):
        total, least = np.float32(0), np.float32(1)
        for k in range(n_classes):
            total += p[i, k]
            least = min(least, p[i, k])
        if not (least >= 0 and abs(total - 1) <= ATOL):
            raise ValueError("not probabilities")
        loss -= np.log(np.float64(p[i, y[i]]))
    return loss / n


@njit
def blocks(score, hit):
    """Number of blocks of an isotonic regression; below the lowest hit nothing is sorted."""
    low = np.inf
    for i in range(len(score)):
        if hit[i]:
            low = min(low, score[i])
    kept = np.flatnonzero(score >= low)
    value, weight, last = np.empty(len(kept) + 1), np.empty(len(kept) + 1), 0
    value[0], weight[0] = -1.0 if len(kept) == len(score) else 0.0, 1.0
    for i in kept[np.argsort(score[kept])]:
        last += 1
        value[last], weight[last] = hit[i], 1.0
        while value[last - 1] >= value[last]:
            whole = weight[last - 1] + weight[last]
            mixed = value[last - 1] * weight[last - 1] + value[last] * weight[last]
            value[last - 1], weight[last - 1] = mixed / whole, whole
            last -= 1
    return last + (len(kept) < len(score))


def isotonic(y, p):
    """Blocks of each class."""
    return [blocks(column.astype(np.float64), y == k) for k, column in enumerate(columns(p))]
