"""Every definition written as a literal loop, in plain Python: slow and easy to check by eye."""

from fractions import Fraction
from math import log, sqrt


def top_label(y_true, y_prob):
    pairs = []
    for y, row in zip(y_true, y_prob, strict=True):
        best = 0
        for k in range(len(row)):
            if row[k] > row[best]:
                best = k
        pairs.append((float(row[best]), int(best == y)))
    return pairs


def one_vs_rest(y_true, y_prob, k):
    return [(float(row[k]), int(y == k)) for y, row in zip(y_true, y_prob, strict=True)]


def ranks(row):
    return sorted(range(len(row)), key=lambda k: (-float(row[k]), k))


def top_r(y_true, y_prob, r):
    pairs = []
    for y, row in zip(y_true, y_prob, strict=True):
        k = ranks(row)[r - 1]
        pairs.append((float(row[k]), int(k == y)))
    return pairs


def within_top_r(y_true, y_prob, r):
    pairs = []
    for y, row in zip(y_true, y_prob, strict=True):
        classes = ranks(row)[:r]
        pairs.append((sum(float(row[k]) for k in classes), int(y in classes)))
    return pairs


def width_bin(score, n_bins, closed="right"):
    for m in range(n_bins):
        low, high = m / n_bins, (m + 1) / n_bins
        if closed == "right" and (low < score <= high or (m == 0 and score <= 0)):
            return m
        if closed == "left" and low <= score < high:
            return m
    return n_bins - 1


def mass_bin(score, pairs, n_bins, weights):
    below = sum(Fraction(w) for (s, _), w in zip(pairs, weights, strict=True) if s < score)
    whole = sum(Fraction(w) for w in weights)
    return min(int(n_bins * below / whole), n_bins - 1)


def gaps(pairs, bin_of, n_bins, weights=None):
    """Return for each bin: weight, weighted sum of hits - scores."""
    weights = [1] * len(pairs) if weights is None else weights
    table = [[0.0, 0.0] for _ in range(n_bins)]
    for (score, hit), m, w in zip(pairs, bin_of, weights, strict=True):
        table[m][0] += w
        table[m][1] += w * (hit - score)
    return table


def width_gaps(pairs, n_bins=15, closed="right", weights=None):
    bin_of = [width_bin(score, n_bins, closed) for score, _ in pairs]
    return gaps(pairs, bin_of, n_bins, weights)


def mass_gaps(pairs, n_bins=15, weights=None):
    weights = [1] * len(pairs) if weights is None else weights
    bin_of = [mass_bin(score, pairs, n_bins, weights) for score, _ in pairs]
    return gaps(pairs, bin_of, n_bins, weights)


def norm(table, kind):
    whole = sum(w for w, _ in table)
    held = [(w, gap / w) for w, gap in table if w > 0]
    if kind == "l1":
        return sum(w / whole * abs(gap) for w, gap in held)
    if kind == "l2":
        return sqrt(sum(w / whole * gap**2 for w, gap in held))
    return max(abs(gap) for _, gap in held)


def classwise_ece(y_true, y_prob, n_bins=15, closed="right", weights=None):
    n_classes = len(y_prob[0])
    total = 0.0
    for k in range(n_classes):
        table = width_gaps(one_vs_rest(y_true, y_prob, k), n_bins, closed, weights)
        total += norm(table, "l1")
    return total / n_classes


def nll(y_true, y_prob, weights=None):
    weights = [1] * len(y_true) if weights is None else weights
    terms = [-w * log(float(row[y])) for y, row, w in zip(y_true, y_prob, weights, strict=True)]
    return sum(terms) / sum(weights)


def brier(y_true, y_prob, weights=None):
    weights = [1] * len(y_true) if weights is None else weights
    total = 0.0
    for y, row, w in zip(y_true, y_prob, weights, strict=True):
        for k in range(len(row)):
            total += w * (float(row[k]) - (k == y)) ** 2
    return total / sum(weights)
