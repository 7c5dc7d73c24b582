"""What a test finds: a share of cases or an effect, its interval, and the verdict by rule."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t

QUANTIFIERS = ("always", "almost always", "mostly", "sometimes")
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Finding:
    """What one test found.

    Attributes
    ----------
    verdict : {"holds", "mixed", "fails", "not tested"}
    estimate, low, high : float
        A share of cases or an effect, with its 95 % interval.
    n : int
        Number of cases.
    unit : str
        What `estimate` measures.
    reason : str
        One line that says why.
    """

    verdict: str
    estimate: float
    low: float
    high: float
    n: int
    unit: str
    reason: str


def not_tested(reason, n=0):
    """Return the finding of a test that had too little to go on."""
    return Finding("not tested", np.nan, np.nan, np.nan, n, "", reason)


def wilson(k, n):
    """Return the Wilson 95 % interval of a share of ``k`` cases in ``n``.

    Examples
    --------
    >>> low, high = wilson(9, 13)
    >>> round(low, 3), round(high, 3)
    (0.424, 0.873)
    """
    centre = (k + Z95**2 / 2) / (n + Z95**2)
    half = Z95 / (n + Z95**2) * (k * (n - k) / n + Z95**2 / 4) ** 0.5
    return (max(0.0, centre - half) if k else 0.0), (min(1.0, centre + half) if k < n else 1.0)


def judge_share(cases, quantifier, what):
    """Judge a share of cases by the paper's quantifier.

    "always" allows no exception. "almost always" holds from nine cases in ten and fails where the
    Wilson interval lies below that. "mostly" holds or fails where the interval lies on one side
    of a half. "sometimes" needs one case. An integer is the paper's own count.

    Parameters
    ----------
    cases : pandas.Series of bool or dict of bool
        One value a case, indexed by the names of the cases.
    quantifier : {"always", "almost always", "mostly", "sometimes"} or int
    what : str
        What is counted, for the reason.

    Returns
    -------
    Finding

    Raises
    ------
    ValueError
        If `quantifier` is none of these.

    Examples
    --------
    >>> judge_share(dict(enumerate([True] * 9 + [False])), "almost always", "it rains").verdict
    'holds'
    """
    cases = pd.Series(cases, dtype=bool)
    n, k = len(cases), int(cases.sum())
    if n == 0:
        return not_tested(f"no case: {what}")
    low, high = wilson(k, n)
    holds, fails = {
        "always": (k == n, k < n),
        "almost always": (k >= 0.9 * n, high < 0.9),
        "mostly": (low > 0.5, high < 0.5),
        "sometimes": (k > 0, k == 0),
    }.get(quantifier, (k == quantifier, k != quantifier))
    if quantifier not in QUANTIFIERS and not isinstance(quantifier, int):
        raise ValueError(f"quantifier: {quantifier!r} is neither an integer nor in {QUANTIFIERS}")
    verdict = "holds" if holds else "fails" if fails else "mixed"
    exceptions = [label(name) for name in cases.index[~cases]]
    named = f"; not {', '.join(exceptions)}" if 0 < len(exceptions) <= 3 else ""
    return Finding(verdict, k / n, low, high, n, "share", f"{what}: {k} of {n}{named}")


def label(name):
    """Return an index entry as readable text.

    Examples
    --------
    >>> label(("CIFAR-10", "ResNet-110", ""))
    'CIFAR-10 ResNet-110'
    """
    parts = name if isinstance(name, tuple) else (name,)
    return " ".join(str(part) for part in parts if str(part))


def judge_effect(values, sign, what, *, unit="", margin=0.0):
    """Judge a mean effect by the 95 % t interval of the mean.

    With ``sign`` +1 or -1 the claim holds where the whole interval lies beyond ``margin`` on that
    side, fails where it lies wholly short of it, and is mixed (not resolved) between. With
    ``sign`` 0 the claim is "no effect": it holds where the interval lies within ``margin`` of
    zero and fails where it lies outside.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Independent measurements of the effect: one a seed, or one a network.
    sign : {-1, 0, 1}
    what : str
    unit : str
    margin : float

    Returns
    -------
    Finding

    Examples
    --------
    >>> judge_effect([1.9, 2.0, 2.1], +1, "depth 8 to 32").verdict
    'holds'
    >>> judge_effect([-2.0, 2.0, 0.5], +1, "depth 8 to 32").verdict
    'mixed'
    """
    values = np.asarray(values, dtype=float)
    n = len(values)
    if n < 2:
        return not_tested(f"{what}: an interval needs two measurements, there are {n}", n)
    half = t.ppf(0.975, n - 1) * values.std(ddof=1) / n**0.5
    return judge_interval(values.mean(), half, n, sign, what, unit, margin)


def judge_interval(mean, half, n, sign, what, unit, margin):
    """Judge an effect whose symmetric 95 % interval is known (rules of `judge_effect`)."""
    low, high = mean - half, mean + half
    if sign == 0:
        holds, fails = -margin < low and high < margin, low > margin or high < -margin
    else:
        near, far = sorted((sign * low, sign * high))
        holds, fails = near > margin, far < margin
    verdict = "holds" if holds else "fails" if fails else "mixed"
    if unit == "log ratio":
        shown = "factor {:.2f} ({:.2f} to {:.2f})".format(*np.exp([mean, low, high]))
    else:
        shown = f"{mean:+.3g} ({low:+.3g} to {high:+.3g}) {unit}".strip()
    reason = f"{what}: {shown}, n = {n}"
    return Finding(verdict, float(mean), float(low), float(high), n, unit, reason)
