"""The sums of the metrics and maps in plain numpy: one pass, no checks, no weights, no ties.

What these take is the limit beside which `calib` is measured; their values are the library's, to
rounding, on data without ties and without scores on an edge.
"""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

BLOCK = 1 << 20


def ece(y, p, n_bins=15):
    top = p.argmax(axis=1)
    score = p[np.arange(len(y)), top].astype(np.float64)
    gap = np.bincount(np.ceil(score * n_bins).astype(int), (top == y) - score)
    return np.abs(gap).sum() / len(y)


def classwise_ece(y, p, n_bins=15):
    n, n_classes = p.shape
    size = n_classes * n_bins
    gap = np.zeros(size)
    first = n_bins * np.arange(n_classes, dtype=np.int32)
    rows_at_once = BLOCK // n_classes
    for start in range(0, n, rows_at_once):
        rows = p[start : start + rows_at_once]
        place = (rows * np.float32(n_bins)).astype(np.int32) + first
        gap -= np.bincount(place.ravel(), rows.ravel(), size)
        gap += np.bincount(
            place[np.arange(len(rows)), y[start : start + len(rows)]], None, size
        )
    return np.abs(gap).sum() / (n * n_classes)


def ace(y, p, n_bins=15):
    n, n_classes = p.shape
    starts = -(-n * np.arange(n_bins) // n_bins)
    size = np.diff(starts, append=n)
    total = 0.0
    for k in range(n_classes):
        key = np.sort((p[:, k].view(np.uint32) << 1) | (y == k))
        score = np.add.reduceat((key >> 1).view(np.float32), starts, dtype=np.float64)
        hits = np.add.reduceat(key & 1, starts, dtype=np.int64)
        total += (np.abs(hits - score) / size).sum()
    return total / (n_classes * n_bins)


def ks_error(hit, score):
    order = np.argsort(score)
    return np.abs(np.cumsum((hit - score)[order])).max() / len(score)


def nll(y, p):
    return -np.log(p[np.arange(len(y)), y].astype(np.float64)).mean()


def brier(y, p):
    square = np.einsum("ij,ij->", p, p, dtype=np.float64)
    return (square - 2 * p[np.arange(len(y)), y].sum(dtype=np.float64)) / len(y) + 1


def temperature(z, y):
    mine = z[np.arange(len(y)), y].astype(np.float64)

    def loss(log_inverse):
        inverse = np.exp(log_inverse)
        return logsumexp(inverse * z, axis=1).mean() - inverse * mine.mean()

    return np.exp(-minimize_scalar(loss, bounds=(-3, 3), method="bounded").x)
