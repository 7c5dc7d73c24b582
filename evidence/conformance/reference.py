"""The definitions of `definitions.json` in plain Python: slow, exact, without any library.

Numbers are read as they are stored, sums are fractions, and only roots, logarithms and the kernel
of the smooth error are rounded. Where a definition does not apply to a case, it returns None.
"""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from operator import mul
from typing import Any

getcontext().prec = 50
GRID = [j / 512 for j in range(513)]

Labels = list[int]
Rows = list[list[float]]
Weights = list[Fraction]
ExactPairs = list[tuple[Fraction, int]]  # score and hit of each sample
Bins = list[tuple[Fraction, Fraction]]  # weight and gap of each bin that holds samples


def top(y: Labels, p: Rows) -> ExactPairs:
    """Scores and hits of the predicted class: the first of the largest entries of each row."""
    predicted = [row.index(max(row)) for row in p]
    pairs = zip(p, y, predicted, strict=True)
    return [(Fraction(row[k]), int(label == k)) for row, label, k in pairs]


def of_class(y: Labels, p: Rows, k: int) -> ExactPairs:
    """Scores and hits of one class against the rest."""
    return [
        (Fraction(row[k]), int(label == k)) for row, label in zip(p, y, strict=True)
    ]


def sums(pairs: ExactPairs, weight: Weights, bin_of: list[int]) -> Bins:
    """Sums of weights, and of weight times hit less score, of each bin that holds samples."""
    mass: dict[int, Fraction] = defaultdict(Fraction)
    gap: dict[int, Fraction] = defaultdict(Fraction)
    for (score, hit), w, b in zip(pairs, weight, bin_of, strict=True):
        mass[b] += w
        gap[b] += w * (hit - score)
    return [(mass[b], gap[b]) for b in sorted(mass) if mass[b] > 0]


def equal_width(
    pairs: ExactPairs, weight: Weights, m: int, closed: str = "right"
) -> Bins:
    """Bins between the float64 numbers nearest to 0, 1/M, ..., 1; the outermost edges belong."""
    edges = [Fraction(j / m) for j in range(1, m)]
    # a score that lies on an edge belongs to the bin below it, or to the one above
    place = bisect_left if closed == "right" else bisect_right
    return sums(pairs, weight, [place(edges, score) for score, _ in pairs])


def equal_mass(pairs: ExactPairs, weight: Weights, m: int) -> Bins:
    """Bin floor(M r / n) of a score with the weight r below it, n the whole: ties together."""
    of_score: dict[Fraction, Fraction] = defaultdict(Fraction)
    for (score, _), w in zip(pairs, weight, strict=True):
        of_score[score] += w
    weights = [of_score[score] for score in sorted(of_score)]
    below = dict(
        zip(sorted(of_score), accumulate(weights, initial=Fraction(0)), strict=False)
    )
    # exact fractions: no score falls beside an edge by rounding
    bin_of = [m * below[score] // sum(weight) for score, _ in pairs]
    return sums(pairs, weight, bin_of)


def cut_by_number(pairs: ExactPairs, weight: Weights, m: int) -> Bins:
    """Sorted scores, ties in the order given, cut into M parts whose lengths differ by one."""
    n, bin_of = len(pairs), [0] * len(pairs)
    order = sorted(range(n), key=lambda i: pairs[i][0])
    # the first n mod M parts have one sample more
    starts = [b * (n // m) + min(b, n % m) for b in range(1, m)]
    for place, i in enumerate(order):
        bin_of[i] = sum(start <= place for start in starts)
    return sums(pairs, weight, bin_of)


def l1(bins: Bins) -> Fraction:
    gaps = sum(abs(gap) for _, gap in bins)
    return Fraction(gaps, sum(mass for mass, _ in bins))


def l2(bins: Bins) -> Decimal:
    whole = sum(mass for mass, _ in bins)
    return root(Fraction(sum(gap**2 / mass for mass, gap in bins)) / whole)


def largest(bins: Bins) -> Fraction:
    return max(abs(gap) / mass for mass, gap in bins)


def plain_mean(bins: Bins) -> Fraction:
    return Fraction(sum(abs(gap) / mass for mass, gap in bins)) / len(bins)


def root(square: Fraction) -> Decimal:
    return (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()


def debiased(pairs: ExactPairs, weight: Weights, m: int) -> Decimal | None:
    """Kumar's: from each squared gap an estimate of its variance is taken off."""
    if set(weight) != {1}:
        return None
    whole, total = len(pairs), Fraction(0)
    # the same bins with all labels zero: minus the sums of the scores
    hits = equal_mass([(score, 0) for score, _ in pairs], weight, m)
    for (n, gap), (_, minus_scores) in zip(
        equal_mass(pairs, weight, m), hits, strict=True
    ):
        # the share of hits: hits less scores, less minus the scores
        share = (gap - minus_scores) / n
        # the variance of one sample cannot be estimated
        if n > 1:
            total += n / whole * ((gap / n) ** 2 - share * (1 - share) / (n - 1))
    return root(max(total, Fraction(0)))


def gap_of_scores(pairs: ExactPairs, weight: Weights) -> dict[Fraction, Fraction]:
    """Sums of weight times hit less score, of all samples that share a score."""
    gap: dict[Fraction, Fraction] = defaultdict(Fraction)
    for (score, hit), w in zip(pairs, weight, strict=True):
        gap[score] += w * (hit - score)
    return gap


def ks(pairs: ExactPairs, weight: Weights) -> Fraction:
    """Largest absolute sum of the gaps of all scores up to a threshold, over the whole weight."""
    gap = gap_of_scores(pairs, weight)
    sums_up_to = accumulate(gap[score] for score in sorted(gap))
    return max(map(abs, sums_up_to)) / sum(weight)


def two_bins(pairs: ExactPairs, weight: Weights) -> Fraction:
    """Integral over thresholds in [0, 1] of the squared gaps below and from there on."""
    gap = gap_of_scores(pairs, weight)
    total = sum(gap.values())
    below = last = integral = Fraction(0)
    # between two scores the sums stay; after the last one follows the threshold 1
    for score in [*sorted(gap), Fraction(1)]:
        integral += max(score - last, Fraction(0)) * (below**2 + (total - below) ** 2)
        # the gap of a score counts below every threshold above it
        below += gap[score]
        last = score
    return integral / sum(weight) ** 2


def smooth(pairs: ExactPairs, weight: Weights) -> Decimal | None:
    """Smooth ECE: the width that equals its own error, by bisection."""
    # a float that rounds above one would leave the interval
    at_most_one = [(min(score, Fraction(1)), hit) for score, hit in pairs]
    gap = gap_of_scores(pairs=at_most_one, weight=[w / sum(weight) for w in weight])
    gaps = [(math.pi * float(score), float(g)) for score, g in gap.items() if g]
    cosines = [math.fsum(g * math.cos(k * s) for s, g in gaps) for k in range(2000)]
    # below 0.004 two thousand cosines are too few
    low, high = 0.004, 1.0
    if smoothed(cosines, low) <= low:
        return None
    # the smoothed error falls as the width grows, so there is one such width
    while high - low > 1e-15:
        middle = (low + high) / 2
        low, high = (
            (middle, high) if smoothed(cosines, middle) > middle else (low, middle)
        )
    return Decimal((low + high) / 2)


def smoothed(cosines: list[float], width: float) -> float:
    """Integral of the absolute smoothed gaps. A reflected Gaussian is a sum of cosines.

    Between two zeros the integral is a difference of the antiderivative, a sum of sines.
    """
    damped = damped_by(cosines, width)

    def value(t: float) -> float:
        return math.fsum([c * math.cos(k * t) for k, c in damped])

    def antiderivative(t: float) -> float:
        return math.fsum(c * math.sin(k * t) / k if k else c * t for k, c in damped)

    waves, ends = cosines_on_grid(1 << len(damped).bit_length()), [0.0]
    amplitudes = [amplitude for _, amplitude in damped]
    values = [math.fsum(map(mul, amplitudes, wave)) for wave in waves]
    for (a, at_a), (b, at_b) in pairwise(zip(GRID, values, strict=True)):
        # a sign that changes: one zero between two points of so fine a grid
        if (at_a > 0) != (at_b > 0):
            ends.append(zero_between(value, a, b, at_a))
    heights = [antiderivative(t) for t in [*ends, 1.0]]
    return math.fsum(abs(b - a) for a, b in pairwise(heights))


def damped_by(cosines: list[float], width: float) -> list[tuple[float, float]]:
    """Frequency and amplitude of each cosine after the Gaussian, as far as it leaves something."""
    damped = []
    for k, c in enumerate(cosines):
        factor = math.exp(-((math.pi * k * width) ** 2) / 2)
        # below the last digit of a float nothing is added any more
        if factor < 1e-17:
            break
        damped.append((math.pi * k, c * factor * (2 if k else 1)))
    return damped


@cache
def cosines_on_grid(n: int) -> list[list[float]]:
    """The first n cosines at each point: the same for all widths."""
    return [[math.cos(math.pi * k * t) for k in range(n)] for t in GRID]


def zero_between(
    value: Callable[[float], float], a: float, b: float, at_a: float
) -> float:
    # bisection, to the last digits of a float
    while b - a > 1e-15:
        middle = (a + b) / 2
        a, b = (middle, b) if (value(middle) > 0) == (at_a > 0) else (a, middle)
    return a


def mean(losses: Iterable[Any], weight: list[Any]) -> Any:
    return sum(w * loss for w, loss in zip(weight, losses, strict=True) if w) / sum(
        weight
    )


def nll(y: Labels, p: Rows, weight: Weights, floor: float = 0.0) -> Decimal:
    loss = []
    for row, label in zip(p, y, strict=True):
        chance = max(row[label], floor)
        loss.append(-Decimal(chance).ln() if chance > 0 else Decimal("inf"))
    in_decimal = [Decimal(w.numerator) / Decimal(w.denominator) for w in weight]
    return mean(loss, in_decimal)


def squared(row: list[float], label: int) -> Fraction:
    return Fraction(sum((Fraction(q) - (k == label)) ** 2 for k, q in enumerate(row)))


def brier_of_pairs(pairs: ExactPairs, weight: Weights) -> Fraction:
    return mean([(score - hit) ** 2 for score, hit in pairs], weight)


def over_classes(
    y: Labels,
    p: Rows,
    weight: Weights,
    error: Callable[[ExactPairs, Weights], Fraction],
) -> Fraction:
    errors = [error(of_class(y, p, k), weight) for k in range(len(p[0]))]
    return Fraction(sum(errors)) / len(errors)


def nixon_ranges(pairs: ExactPairs, weight: Weights, m: int = 15) -> Fraction:
    return (
        Fraction(sum(abs(gap) / mass for mass, gap in equal_mass(pairs, weight, m))) / m
    )


def second(y: Labels, p: Rows) -> ExactPairs | None:
    return of_class(y, p, 1) if len(p[0]) == 2 else None


DEFINITIONS: dict[str, Callable[[Labels, Rows, Weights], Any]] = {
    "accuracy": lambda y, p, w: mean([hit for _, hit in top(y, p)], w),
    "confidence": lambda y, p, w: mean([score for score, _ in top(y, p)], w),
    "ece-right-15": lambda y, p, w: l1(equal_width(top(y, p), w, 15)),
    "ece-right-10": lambda y, p, w: l1(equal_width(top(y, p), w, 10)),
    "ece-left-15": lambda y, p, w: l1(equal_width(top(y, p), w, 15, "left")),
    "ece-left-10": lambda y, p, w: l1(equal_width(top(y, p), w, 10, "left")),
    "ece-mass-15": lambda y, p, w: l1(equal_mass(top(y, p), w, 15)),
    "ece-cut-15": lambda y, p, w: (
        l1(cut_by_number(top(y, p), w, 15)) if set(w) == {1} else None
    ),
    "ece-second-15": lambda y, p, w: (s := second(y, p)) and l1(equal_width(s, w, 15)),
    "classwise-15": lambda y, p, w: over_classes(
        y, p, w, lambda pairs, w: l1(equal_width(pairs, w, 15))
    ),
    "adaptive-classes-15": lambda y, p, w: over_classes(y, p, w, nixon_ranges),
    "plain-mean-15": lambda y, p, w: plain_mean(equal_width(top(y, p), w, 15)),
    "mce-15": lambda y, p, w: largest(equal_width(top(y, p), w, 15)),
    "rmsce-15": lambda y, p, w: l2(equal_width(top(y, p), w, 15)),
    "debiased-15": lambda y, p, w: debiased(top(y, p), w, 15),
    "ks": lambda y, p, w: ks(top(y, p), w),
    "two-bins": lambda y, p, w: two_bins(top(y, p), w),
    "smooth": lambda y, p, w: smooth(top(y, p), w),
    "brier": lambda y, p, w: mean(
        [squared(row, k) for row, k in zip(p, y, strict=True)], w
    ),
    "brier-second": lambda y, p, w: (s := second(y, p)) and brier_of_pairs(s, w),
    "brier-top": lambda y, p, w: brier_of_pairs(top(y, p), w),
    "nll": lambda y, p, w: nll(y, p, w),
    "nll-floor": lambda y, p, w: nll(y, p, w, floor=1e-12),
}


def values(
    y: Labels, p: Rows, weight: list[float] | None = None
) -> dict[str, float | str]:
    """Every definition's number of labels, probabilities and weights, where it applies."""
    w = [Fraction(1)] * len(y) if weight is None else [Fraction(v) for v in weight]
    answers = {name: definition(y, p, w) for name, definition in DEFINITIONS.items()}
    return {
        name: rounded(value) for name, value in answers.items() if value is not None
    }


def rounded(value: Any) -> float | str:
    """To twelve significant digits; JSON has no infinity, so it is text."""
    if isinstance(value, Fraction | int):
        value = Decimal(value.numerator) / Decimal(value.denominator)
    return "inf" if value.is_infinite() else float(f"{value:.12g}")
