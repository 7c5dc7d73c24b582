"""A promise about calibration that may be looked at after every batch of labels.

An ordinary test at 5 % breaks the promise of a calibrated model in one look of twenty, and so in
most years of weekly looks. An e-value may be looked at as often as one likes: it is the wealth of
somebody who bets against the promise, and it exceeds 20 *ever* in at most 5 of 100 cases where the
promise is kept (Ville 1939). The bets are derived in the chapter *A moving world*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check

# Stakes: each has the same share of the wealth, and the best one of them soon owns most of it.
STAKES = 0.75 * 0.6 ** np.arange(12)
# What a squared offset costs a bet: exp(s x - c x^2) <= 1 + s x wherever x >= -1 (Fan et al. 2015).
COSTS = -np.log1p(-STAKES) - STAKES

LOG_ODDS_OF_EDGES = np.array([-3.0, -1.5, 0.0, 1.5, 3.0])
# of regions of probability: .05, .18, .5, .82, .95
EDGES = scipy.special.expit(LOG_ODDS_OF_EDGES)
N_REGIONS = len(EDGES) + 1
LARGEST_SHIFT = 30.0  # of log odds; a larger one moves what is 0 or 1 but for rounding
SMALLEST_SPREAD = 1e-5  # of probabilities; what is nearer together is taken to be one
FEWEST_EVENTS = 5.0  # variance of a sum that is taken to be normal
MOST_LABELS = 10**7  # beyond which nobody waits for an answer

PATTERNS = ["more frequent", "less frequent", "too near a half", "too far from a half"]
# in one region of probability
PATTERNS += ["more frequent", "less frequent"] * N_REGIONS
REGIONS = [(0.0, 1.0)] * 4
REGIONS += [ends for ends in pairwise([0.0, *EDGES.tolist(), 1.0]) for _ in range(2)]


def _signs() -> np.ndarray:
    """Return the sign of the offset in each region of probability, a row a pattern."""
    everywhere = np.ones(N_REGIONS, int)
    outwards = np.repeat([-1, 1], N_REGIONS // 2)
    rows = [everywhere, -everywhere, outwards, -outwards]
    for only in np.eye(N_REGIONS, dtype=int):
        rows += [only, -only]
    return np.array(rows)


SIGNS = _signs()
# Half of the wealth bets on the level, a quarter on the slope, a quarter on single regions.
SHARES = np.repeat([1 / 4, 1 / 8, 1 / (8 * N_REGIONS)], [2, 2, 2 * N_REGIONS])


class _Sums(NamedTuple):
    """Sums over samples, in the order in which `look_sums` keeps them; the last axis is regions."""

    n_samples: np.ndarray
    offset: np.ndarray
    squared_offset: np.ndarray
    variance: np.ndarray  # that the probabilities expect
    score: np.ndarray
    cubed_score: np.ndarray

    @classmethod
    def of(cls, looks: np.ndarray) -> _Sums:
        """Return what looks, or their sum, hold: an array of shape (..., 6, 6)."""
        return cls(*np.moveaxis(looks, -1, 0))


@dataclass(frozen=True)
class DriftEvidence:
    """How much speaks against events being as frequent as is said, and what speaks most.

    Attributes
    ----------
    log_evidence : float
        Logarithm of the e-value.
    pattern : {"more frequent", "less frequent", "too near a half", "too far from a half"}
        What is wrong, if anything is.
    region : tuple of float
        Between which probabilities it is so: ``(0, 1)``, or one of six regions.
    start : int
        The look, from 0, since which it is so, if it is.
    """

    log_evidence: float
    pattern: str
    region: tuple[float, float]
    start: int

    def breaks(self, error: float = 0.05) -> bool:
        """Tell whether a promise that is kept would ever look so bad with at most that chance."""
        return bool(self.log_evidence >= -np.log(check.fraction(error, "error")))


def look_sums(hit: ArrayLike, score: ArrayLike) -> np.ndarray:
    """Return all that a gate has to remember of one look.

    Parameters
    ----------
    hit : array_like of int, shape (n,)
        1 where the event happened, else 0.
    score : array_like of float, shape (n,)
        Probability of the event that was said.

    Returns
    -------
    ndarray of float, shape (6, 6)
        In each of six regions of probability (edges .05, .18, .50, .82, .95): the number of
        samples, the sum of offsets (event less probability), of their squares, of the variances
        that the probabilities expect, of the probabilities, and of their third powers. Sums of
        looks, and of machines, are added.

    Raises
    ------
    ValueError
        Where arrays are not as described; it names the row.

    Examples
    --------
    >>> look_sums([1, 0, 1], [0.75, 0.25, 0.99])[:, 0].tolist()
    [0.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    """
    score, hit, _ = check.pairs(score, hit)
    region = np.searchsorted(EDGES, score)
    offset = hit - score
    terms = _Sums(
        n_samples=np.ones(len(score)),
        offset=offset,
        squared_offset=offset**2,
        variance=score * (1 - score),
        score=score,
        cubed_score=score**3,
    )
    return np.stack([np.bincount(region, term, N_REGIONS) for term in terms], axis=1)


def drift_evidence(looks: ArrayLike, *, tolerance: float = 0.02) -> DriftEvidence:
    """Return the evidence, over all looks together, that a promise of calibration is broken.

    The promise: whatever was seen before, events are on average as frequent as is said, up to a
    tolerance, over all probabilities and in each region. Where it is kept, the e-value exceeds
    ``1 / error`` at any look at all with a probability of at most ``error``. Bets begin at each
    look anew, so that a drift is seen soon that begins after years without one.

    Parameters
    ----------
    looks : array_like of float, shape (T, 6, 6)
        What :func:`look_sums` returned of each look, the first one first.
    tolerance : float
        Offset between frequency and probability that is allowed, from 0.

    Returns
    -------
    DriftEvidence

    Raises
    ------
    ValueError
        Where the looks have another shape, or the tolerance is negative or not finite.

    Notes
    -----
    Samples must be independent given those before: of several rows of one patient one may bet.
    The bets are those of Waudby-Smith & Ramdas (2024, section 3.2), with the predictable centre of
    Howard et al. (2021, theorem 4) taken to be the probability itself; the share of the wealth for
    the look ``t`` is ``1 / (t (t + 1))``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> looks = []
    >>> for week in range(30):
    ...     p = rng.beta(2, 3, size=500)
    ...     happened = rng.random(500) < p + 0.1 * (week >= 20)
    ...     looks.append(look_sums(happened, p))
    >>> drift_evidence(looks[:20]).breaks()
    False
    >>> drift = drift_evidence(looks)
    >>> drift.breaks(), drift.pattern, drift.start
    (True, 'more frequent', 20)
    """
    looks = _checked_looks(looks)
    _check_tolerance(tolerance)
    since = np.cumsum(looks[::-1], axis=0)[::-1]  # sums of each look and all after it
    number = np.arange(1, len(looks) + 1)
    wealth = _log_wealth(_Sums.of(since), tolerance) + np.log(SHARES)
    wealth -= np.log(number * (number + 1))[:, np.newaxis]
    reserve = -np.log(len(looks) + 1)  # of the wealth, for bets that begin later
    start, pattern = np.unravel_index(wealth.argmax(), wealth.shape)
    total = np.logaddexp(scipy.special.logsumexp(wealth), reserve)
    return DriftEvidence(float(total), PATTERNS[pattern], REGIONS[pattern], int(start))


def offset_sequence(
    looks: ArrayLike, *, confidence_level: float = 0.95
) -> tuple[float, float, float]:
    """Return the mean offset of all looks, with an interval that holds at every look at once.

    Parameters
    ----------
    looks : array_like of float, shape (T, 6, 6)
        What :func:`look_sums` returned of each look.
    confidence_level : float
        Probability that no interval, of any look, misses what it is of: the mean, over the
        samples so far, of what the offset of each was expected to be.

    Returns
    -------
    offset, low, high : float
        Frequency less mean probability, and the ends of its interval.

    Raises
    ------
    ValueError
        Where the looks have another shape or no sample, or the level is not between 0 and 1.
    TypeError
        Where it is no number.

    Notes
    -----
    The empirical Bernstein confidence sequence of Howard et al. (2021, theorem 4), mixed over
    twelve stakes, whose centre is the probability that was said.

    Examples
    --------
    >>> looks = [look_sums([0, 1] * 500, [0.4, 0.6] * 500)]
    >>> [round(end, 3) for end in offset_sequence(looks)]
    [0.0, -0.047, 0.047]
    """
    sums = _Sums.of(_checked_looks(looks).sum(axis=(0, 1)))
    if sums.n_samples == 0:
        raise ValueError("looks: no sample, so that there is no offset")
    confidence_level = check.fraction(confidence_level, "confidence_level")
    radius = _radius(float(sums.squared_offset), 1 - confidence_level) / sums.n_samples
    offset = sums.offset / sums.n_samples
    low, high = max(offset - radius, -1.0), min(offset + radius, 1.0)
    return float(offset), float(low), float(high)


def labels_to_tell(
    looks: ArrayLike, *, tolerance: float = 0.02, confidence_level: float = 0.95
) -> int | None:
    """Return about how many more labels tell whether the mean offset is within a tolerance.

    Parameters
    ----------
    looks : array_like of float, shape (T, 6, 6)
        What :func:`look_sums` returned of each look.
    tolerance : float
        Offset that is allowed.
    confidence_level : float
        Of the interval that is to lie within the tolerance, or of the evidence against it.

    Returns
    -------
    int or None
        If the offset and the spread of the samples so far stay as they are. 0 where they tell now;
        None of more than ten million.

    Raises
    ------
    ValueError
        As :func:`offset_sequence` and :func:`drift_evidence`.

    Examples
    --------
    >>> looks = [look_sums([0, 1] * 500, [0.4, 0.6] * 500)]
    >>> labels_to_tell(looks)
    3976
    """
    _check_tolerance(tolerance)
    offset, _, _ = offset_sequence(looks, confidence_level=confidence_level)
    sums = _Sums.of(_checked_looks(looks).sum(axis=(0, 1)))
    squared_offset = sums.squared_offset / sums.n_samples
    room = tolerance - abs(offset)
    threshold = np.log(1 / (1 - confidence_level)) - np.log(SHARES[0] / 2)

    def tells(n: int) -> bool:
        if room > 0:
            return bool(_radius(n * squared_offset, 1 - confidence_level) <= n * room)
        return bool(_log_mixture(-n * room, n * squared_offset) >= threshold)

    now = int(sums.n_samples)
    if tells(now):
        return 0
    most = now + MOST_LABELS
    return _smallest(tells, now, most) - now if tells(most) else None


def log_odds_shift(looks: ArrayLike) -> tuple[float, float]:
    """Return by how much to move the log odds of all samples, and whether more than that is wrong.

    Parameters
    ----------
    looks : array_like of float, shape (T, 6, 6)
        What :func:`look_sums` returned of each look.

    Returns
    -------
    shift : float
        To be added to the log odds, so that as many events are expected as happened. Infinite where
        no number up to 30 gives that: the event always happened, or never, as a rule.
    p_value : float
        Of what the shift leaves in the regions, by a chi-square test of one look. Where it is
        small the map is to be fitted again; else the shift repairs what was seen. Zero of an
        infinite shift.

    Raises
    ------
    ValueError
        Where the looks have another shape, or all probabilities are 0 or 1.

    Notes
    -----
    The sums hold no sample. In each region two probabilities stand for all, those with the same
    first three moments (a Gauss quadrature): the shift is exact where a region has one or two
    probabilities, else within about .002 for shifts up to 2, and within .1 up to 4.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.beta(2, 3, size=4000)
    >>> moved = scipy.special.expit(scipy.special.logit(p) + 0.3)
    >>> shift, p_value = log_odds_shift([look_sums(rng.random(4000) < moved, p)])
    >>> 0.2 < shift < 0.4, p_value > 0.05
    (True, True)
    """
    sums = _Sums.of(_checked_looks(looks).sum(axis=0))
    if not sums.variance.sum() > 0:
        raise ValueError(
            "looks: all probabilities are 0 or 1, so that no shift moves them"
        )
    typical = _TypicalProbabilities.of(sums)
    events = sums.offset + sums.score
    shift = _shift_to_expect(events.sum(), typical)
    if np.isinf(shift):
        return shift, 0.0
    return shift, _p_value_of_rest(events - typical.events(shift), typical, shift)


@dataclass(frozen=True)
class _TypicalProbabilities:
    """Two probabilities of each region, with the first three moments of those that were said.

    Both arrays are of shape (6, 2): the probabilities, and how many samples each stands for.
    """

    probability: np.ndarray
    count: np.ndarray

    @classmethod
    def of(cls, sums: _Sums) -> _TypicalProbabilities:
        """Return them by the sums of all looks."""
        n = np.maximum(sums.n_samples, 1)  # of a region without samples all are zero
        mean, cube = sums.score / n, sums.cubed_score / n
        square = (sums.score - sums.variance) / n
        spread = np.sqrt(np.maximum(square - mean**2, 0))
        spread[spread < SMALLEST_SPREAD] = 0
        third = cube - 3 * mean * square + 2 * mean**3
        skewness = np.divide(
            third, spread**3, out=np.zeros(N_REGIONS), where=spread > 0
        )
        middle = skewness / 2
        arm = np.sqrt(1 + middle**2)
        # in units of the spread, from the mean
        nodes = np.stack([middle - arm, middle + arm], axis=1)
        share = np.stack([arm + middle, arm - middle], axis=1) / (2 * arm[:, None])
        probability = mean[:, None] + spread[:, None] * nodes
        # by rounding one may leave its region
        ends = np.r_[0, EDGES, 1]
        inside = np.clip(probability, ends[:-1, None], ends[1:, None])
        return cls(inside, share * sums.n_samples[:, None])

    def moved(self, shift: float) -> np.ndarray:
        """Return the probabilities after a shift of the log odds."""
        return scipy.special.expit(scipy.special.logit(self.probability) + shift)

    def events(self, shift: float) -> np.ndarray:
        """Return how many events are expected in each region after a shift."""
        return (self.count * self.moved(shift)).sum(axis=1)

    def variance(self, shift: float) -> np.ndarray:
        """Return the variance of the number of events in each region after a shift."""
        moved = self.moved(shift)
        return (self.count * moved * (1 - moved)).sum(axis=1)


def _shift_to_expect(n_events: float, typical: _TypicalProbabilities) -> float:
    """Return the shift of the log odds after which so many events are expected."""

    def missing(shift: float) -> float:
        return float(n_events - typical.events(shift).sum())

    # half an event: numbers of events are whole, but for rounding
    if missing(LARGEST_SHIFT) > -0.5:
        return np.inf
    if missing(-LARGEST_SHIFT) < 0.5:
        return -np.inf
    return float(scipy.optimize.brentq(missing, -LARGEST_SHIFT, LARGEST_SHIFT))


def _p_value_of_rest(
    rest: np.ndarray, typical: _TypicalProbabilities, shift: float
) -> float:
    """Return how often chance alone leaves so much in the regions: a chi-square test."""
    variance = typical.variance(shift)
    enough = variance >= FEWEST_EVENTS
    if enough.sum() < 2:
        return 1.0
    terms = rest[enough] ** 2 / variance[enough]
    return float(scipy.special.chdtrc(len(terms) - 1, terms.sum()))


def _smallest(holds: Callable[[int], bool], below: int, above: int) -> int:
    """Return the smallest number above `below` of which something holds, as it does of `above`."""
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if holds(middle) else (middle, above)
    return above


def _log_wealth(sums: _Sums, tolerance: float) -> np.ndarray:
    """Return the log of what bets on each pattern have become, shape (..., P)."""
    in_pattern = abs(SIGNS).T
    allowed = tolerance * (sums.n_samples @ in_pattern)
    return _log_mixture(
        sums.offset @ SIGNS.T - allowed, sums.squared_offset @ in_pattern
    )


def _log_mixture(
    offset: np.ndarray | float, squared_offset: np.ndarray | float
) -> np.ndarray:
    """Return the log of the mean wealth of all stakes on a sum of offsets, and of their squares."""
    won = np.multiply.outer(offset, STAKES) - np.multiply.outer(squared_offset, COSTS)
    return scipy.special.logsumexp(won, axis=-1) - np.log(len(STAKES))


def _radius(squared_offset: float, error: float) -> float:
    """Return the sum of offsets at which the wealth of one side is ``2 / error``."""
    enough = np.log(2 / error)
    # at which the first stake alone has won it
    above = (enough + np.log(len(STAKES)) + squared_offset * COSTS[0]) / STAKES[0]
    return scipy.optimize.brentq(
        lambda offset: _log_mixture(offset, squared_offset) - enough, 0, above
    )


def _checked_looks(looks: ArrayLike) -> np.ndarray:
    """Return looks as an array of floats, of a shape that sums have."""
    sums = check.as_array(looks, "looks").astype(float)
    each = N_REGIONS, len(_Sums._fields)
    if sums.ndim != 3 or sums.shape[1:] != each or len(sums) == 0:
        expected = f"(T, {N_REGIONS}, {len(_Sums._fields)})"
        raise ValueError(f"looks: shape {sums.shape}, expected {expected}")
    if not np.isfinite(sums).all():
        raise ValueError("looks: expected finite numbers")
    return sums


def _check_tolerance(tolerance: float) -> None:
    if check.nonnegative(tolerance, "tolerance") >= 1:
        raise ValueError(
            f"tolerance: {tolerance!r}, expected a number from 0 to less than 1"
        )
