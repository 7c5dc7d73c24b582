"""Every definition written as a literal loop, in plain Python: slow and easy to check by eye."""

from fractions import Fraction
from itertools import pairwise
from math import exp, log, pi, sqrt


def top_label(y_true, y_prob):
    return top_r(y_true, y_prob, 1)


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
    """Whole-numbered weights only, so that the division is exact."""
    below = sum(int(w) for (s, _), w in zip(pairs, weights, strict=True) if s < score)
    return min(n_bins * below // int(sum(weights)), n_bins - 1)


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
    filled = [(w, gap / w) for w, gap in table if w > 0]
    if kind == "l1":
        return sum(w / whole * abs(gap) for w, gap in filled)
    if kind == "l2":
        return sqrt(sum(w / whole * gap**2 for w, gap in filled))
    return max(abs(gap) for _, gap in filled)


def classwise_ece(y_true, y_prob, n_bins=15, closed="right", weights=None):
    n_classes = len(y_prob[0])
    total = 0.0
    for k in range(n_classes):
        table = width_gaps(one_vs_rest(y_true, y_prob, k), n_bins, closed, weights)
        total += norm(table, "l1")
    return total / n_classes


def nll(y_true, y_prob, weights=None):
    weights = [1] * len(y_true) if weights is None else weights
    terms = [
        -w * log(float(row[y]))
        for y, row, w in zip(y_true, y_prob, weights, strict=True)
    ]
    return sum(terms) / sum(weights)


def brier(y_true, y_prob, weights=None):
    weights = [1] * len(y_true) if weights is None else weights
    total = 0.0
    for y, row, w in zip(y_true, y_prob, weights, strict=True):
        for k in range(len(row)):
            total += w * (float(row[k]) - (k == y)) ** 2
    return total / sum(weights)


def ace(y_true, y_prob, n_bins=15, weights=None):
    return tace(y_true, y_prob, None, n_bins, "ranges", weights)


def tace(y_true, y_prob, threshold, n_bins=15, average="ranges", weights=None):
    n_classes = len(y_prob[0])
    weights = [1] * len(y_true) if weights is None else list(weights)
    total = 0.0
    for k in range(n_classes):
        positive = [
            (pair, w)
            for pair, w in zip(one_vs_rest(y_true, y_prob, k), weights, strict=True)
            if threshold is None or pair[0] > threshold
        ]
        kept_weight = sum(w for _, w in positive)
        if kept_weight == 0:
            continue
        table = mass_gaps(
            [pair for pair, _ in positive], n_bins, [w for _, w in positive]
        )
        for w, gap in table:
            if w > 0:
                share = {
                    "ranges": 1 / n_bins,
                    "kept": w / kept_weight,
                    "samples": w / sum(weights),
                }[average]
                total += share * abs(gap / w)
    return total / n_classes


def ks(pairs, weights=None):
    weights = [1] * len(pairs) if weights is None else weights
    worst = 0.0
    for threshold, _ in pairs:
        gap = 0.0
        for (score, hit), w in zip(pairs, weights, strict=True):
            if score <= threshold:
                gap += w * (hit - score)
        worst = max(worst, abs(gap))
    return worst / sum(weights)


def psce_curve(pairs, decay, weights=None):
    weights = [1] * len(pairs) if weights is None else weights
    curve = []
    for j in range(101):
        at = j / 100
        sides = []
        for side in (lambda score: score <= at, lambda score: score >= at):  # noqa: B023
            hits = total = 0.0
            for (score, hit), w in zip(pairs, weights, strict=True):
                if side(score):
                    share = w * decay ** (100 * abs(score - at))
                    hits += share * hit
                    total += share
            if total > 0:
                sides.append(hits / total)
        curve.append(sum(sides) / len(sides))
    return curve


def psce(pairs, decay, weights=None):
    weights = [1] * len(pairs) if weights is None else weights
    curve = psce_curve(pairs, decay, weights)
    total = 0.0
    for (score, _), w in zip(pairs, weights, strict=True):
        j = min(int(score * 100), 99)
        share = score * 100 - j
        total += w * abs((1 - share) * curve[j] + share * curve[j + 1] - score)
    return total / sum(weights)


def debiased_l2(table_of_counts):
    """Take (count, hits, sum of scores) for each bin."""
    whole = sum(count for count, _, _ in table_of_counts)
    total = 0.0
    for count, hits, scores in table_of_counts:
        if count > 1:
            a, c = hits / count, scores / count
            total += count / whole * ((a - c) ** 2 - a * (1 - a) / (count - 1))
    return sqrt(max(0.0, total))


def sweep(pairs, kind="l1"):
    chosen = mass_gaps(pairs, 1)
    for n_bins in range(2, len(pairs) + 1):
        bin_of = [
            mass_bin(score, pairs, n_bins, [1] * len(pairs)) for score, _ in pairs
        ]
        frequencies = []
        for m in range(n_bins):
            hits = [hit for (_, hit), b in zip(pairs, bin_of, strict=True) if b == m]
            if hits:
                frequencies.append(Fraction(sum(hits), len(hits)))
        if frequencies != sorted(frequencies):
            break
        chosen = mass_gaps(pairs, n_bins)
    return norm(chosen, kind)


def isotonic(pairs, weights):
    """Return the isotonic fit of the hits at each score, by the max-min formula."""
    values = sorted({score for score, _ in pairs})
    fit = {}
    for value in values:
        best = 0.0
        for low in (v for v in values if v <= value):
            means = []
            for high in (v for v in values if v >= value):
                block = [
                    (w, hit)
                    for (score, hit), w in zip(pairs, weights, strict=True)
                    if low <= score <= high
                ]
                if sum(w for w, _ in block) > 0:
                    means.append(
                        sum(w * hit for w, hit in block) / sum(w for w, _ in block)
                    )
            if means:
                best = max(best, min(means))
        fit[value] = best
    return fit


def reflected(t, score, kernel):
    """Return a kernel at a score, with its images behind 0 and 1."""
    return sum(
        kernel(t - (sign * score + 2 * k)) for k in range(-3, 4) for sign in (1, -1)
    )


def kernel_error(pairs, kernel, steps=400):
    """Return the integral over t of the absolute mean of kernels times the gaps (t or s)."""
    total = 0.0
    for j in range(steps):
        t = (j + 0.5) / steps
        total += abs(sum(reflected(t, s, kernel) * (h - s) for s, h in pairs)) / len(
            pairs
        )
    return total / steps


def two_bins(pairs):
    """Return the mean over thresholds of the squared gaps; between two scores all are alike."""
    edges = sorted({0.0, 1.0, *(s for s, _ in pairs)})
    total = 0.0
    for low, high in pairwise(edges):
        below = sum(h - s for s, h in pairs if s < high) / len(pairs)
        above = sum(h - s for s, h in pairs if s >= high) / len(pairs)
        total += (high - low) * (below**2 + above**2)
    return total


def gaussian(width):
    return lambda u: exp(-((u / width) ** 2) / 2) / (width * sqrt(2 * pi))


def smooth_ece(pairs):
    low, high = 1e-3, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (
            (middle, high)
            if kernel_error(pairs, gaussian(middle)) > middle
            else (low, middle)
        )
    return (low + high) / 2


def kde_ece(pairs, steps=2000):
    hits = [s for s, h in pairs if h]
    mean = sum(hits) / len(hits)
    spread = sqrt(sum((s - mean) ** 2 for s in hits) / len(hits))
    # a triweight reaches three deviations
    width = 3 * spread * (2 * len(pairs)) ** -0.2

    def triweight(u):
        return 35 / 32 * max(0.0, 1 - (u / width) ** 2) ** 3 / width

    total = 0.0
    for j in range(steps):
        t = (j + 0.5) / steps
        total += abs(sum(reflected(t, s, triweight) * (t - h) for s, h in pairs)) / len(
            pairs
        )
    return total / steps


def aurc(pairs, steps=20_000):
    """Return the mean over the coverages of the risk; of distinct scores."""
    surest = [1 - hit for _, hit in sorted(pairs, reverse=True)]
    below = [0]
    for miss in surest:
        below.append(below[-1] + miss)
    total = 0.0
    for j in range(steps):
        c = (j + 0.5) / steps
        whole = int(c * len(pairs))
        errors = below[whole] + (c * len(pairs) - whole) * surest[whole]
        total += errors / (c * len(pairs))
    return total / steps


def excess_aurc(pairs):
    wrong_last = sorted((hit for _, hit in pairs), reverse=True)
    best = [(1 - k / len(pairs), hit) for k, hit in enumerate(wrong_last)]
    return aurc(pairs) - aurc(best)
