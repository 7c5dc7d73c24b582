"""What a test finds: a share of cases or an effect, its interval, and the verdicts by one rule."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.stats import norm, t

QUANTIFIERS = {"always": 1.0, "almost always": 0.9, "mostly": 0.5, "in many": 1 / 3}
QUANTIFIERS |= {"beyond chance": 0.05}  # more often than 95 % intervals miss
FEWEST_NETWORKS, FEWEST_SEEDS, FEWEST_OF_A_DATA_SET = 5, 3, 3
VERDICTS = (
    "holds",
    "mixed",
    "depends on the data",
    "depends on the setting",
    "fails",
    "too few cases",
    "not tested",
)
Z95 = 1.959963984540054
SAME_NETWORK = ("metric", "method", "pair", "level", "twin")


@dataclass(frozen=True)
class Finding:
    """What one test found.

    Attributes
    ----------
    counted, by_words, as_mostly : str
        Three verdicts: what the paper's words say of the cases at hand, by counting; what they say
        of networks like these, with the evidence rule of `judge_share`; and the same where the
        words were "mostly".
    estimate, low, high : float
        A share of networks or an effect, with its 95 % interval.
    n : int
        Number of networks, or of seeds where one setting is compared with another.
    unit : str
        What `estimate` measures.
    reason : str
        One line that says why.
    p : float
        Two-sided p-value against one half, or no effect.
    by_data, agree, against : str
        Counts by data set, and the cases on either side.
    least, most : float
        Between what the claim puts the estimate. A share of `least` is what its own words ask for.
    settings : str
        JSON: of an effect that was looked for in several settings, what was found in each.
    """

    counted: str
    by_words: str
    as_mostly: str
    estimate: float
    low: float
    high: float
    n: int
    unit: str
    reason: str
    p: float = np.nan
    by_data: str = ""
    agree: str = ""
    against: str = ""
    least: float = np.nan
    most: float = np.nan
    settings: str = ""

    @property
    def verdict(self):
        """The verdict on networks like these, with the paper's own words."""
        return self.by_words


def of_one_verdict(verdict, *values, **others):
    """Return a finding whose three verdicts are the same."""
    return Finding(verdict, verdict, verdict, *values, **others)


def not_tested(reason, n=0):
    """Return the finding of a test that had nothing to go on."""
    return of_one_verdict("not tested", np.nan, np.nan, np.nan, n, "", reason)


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


def reaches(share, quantifier):
    """Say whether a share is what the quantifier asks for.

    Examples
    --------
    >>> reaches(0.5, "mostly"), reaches(0.9, "almost always"), reaches(0.99, "always")
    (False, True, False)
    """
    bound = QUANTIFIERS[quantifier]
    return share > bound if quantifier == "mostly" else share >= bound - 1e-12


def evident(share, low, high, n, quantifier, divided=False):
    """Return the verdict on networks like these: one rule for all quantifiers.

    Fewer than five networks are too few. Beyond, one exception refutes "always"; where data sets
    contradict each other (`divided`) the answer depends on them. A claim holds where the share
    reaches what the quantifier asks for and its interval lies above one half (above the third that
    "in many" asks for, or the twentieth of "beyond chance"), and fails where the interval lies
    below what is asked for. So what holds for a stronger quantifier holds for a weaker one.

    Examples
    --------
    >>> evident(1.0, *wilson(13, 13), 13, "always"), evident(1.0, *wilson(3, 3), 3, "always")
    ('holds', 'too few cases')
    """
    bound = QUANTIFIERS[quantifier]
    if n < FEWEST_NETWORKS:
        return "too few cases"
    if quantifier == "always" and share < 1:
        return "fails"
    if divided:
        return "depends on the data"
    if reaches(share, quantifier) and low > min(bound, 0.5):
        return "holds"
    return "fails" if high < bound else "mixed"


def judge_share(cases, quantifier, what):
    """Judge a share of cases by the paper's quantifier, by counting and as evidence.

    A network's cells are averaged, and its data set is what it is drawn from: the Wilson interval
    of the share counts as many networks as would, drawn singly, tell as much as these in their
    data sets (never more than there are). `evident` has the rule.

    Parameters
    ----------
    cases : pandas.Series of bool or dict of bool
        One value a case. A level "dataset" of the index names data sets; the levels "metric",
        "method", "pair" and "twin" tell cells of one network apart.
    quantifier : {"always", "almost always", "mostly", "in many", "beyond chance"} or int
        An integer is the paper's own count, of its own cases.
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
    >>> found = judge_share(dict(enumerate([True] * 9 + [False])), "almost always", "it rains")
    >>> found.counted, found.by_words, found.as_mostly
    ('holds', 'holds', 'holds')
    """
    if quantifier not in QUANTIFIERS and not isinstance(quantifier, int):
        known = tuple(QUANTIFIERS)
        raise ValueError(f"quantifier: {quantifier!r} is neither an integer nor in {known}")
    cases = pd.Series(cases, dtype=bool)
    if cases.empty:
        return not_tested(f"no case: {what}")
    k, n_cells = int(cases.sum()), len(cases)
    shares, data = by_network(cases.astype(float))
    share, n = shares.mean(), len(shares)
    alone = effective_number(shares, data)
    low, high = wilson(share * alone, alone)
    own = isinstance(quantifier, int)
    true = k == quantifier if own else reaches(k / n_cells, quantifier)
    counted = "holds" if true else "fails"
    weaker = quantifier if quantifier in ("in many", "beyond chance") else "mostly"
    divided = are_divided(shares, data)
    rule = (share, low, high, n)
    exceptions = [label(name) for name in cases.index[~cases]]
    named = f"; not {', '.join(exceptions)}" if 0 < len(exceptions) <= 3 else ""
    networks = f" ({n} network{'s' * (n != 1)})" if n < n_cells else ""
    bound = QUANTIFIERS[weaker]
    z = (share - bound) / (bound * (1 - bound) / alone) ** 0.5
    return Finding(
        counted,
        counted if own else evident(*rule, quantifier, divided),
        evident(*rule, weaker, divided),
        share,
        low,
        high,
        n,
        "share",
        f"{what}: {k} of {n_cells}{networks}{named}",
        p=2 * norm.sf(abs(z)),
        by_data=counts_by_data(cases),
        agree=listed([label(name) for name in cases.index[cases]]),
        against=listed(exceptions),
        least=quantifier / n_cells if own else QUANTIFIERS[quantifier],
        most=quantifier / n_cells if own else 1.0,
    )


def listed(names, most=300):
    """Return names joined by semicolons, the first few hundred of them.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    'a; b; and 1 more'
    """
    names = [*names[:most], *([f"and {len(names) - most} more"] if len(names) > most else [])]
    return "; ".join(names)


def by_network(values):
    """Return the mean of each network's values, and each network's data set."""
    names = [name for name in values.index.names if name not in SAME_NETWORK]
    if None in names:
        return values, pd.Series("", index=values.index)
    if not names:
        return pd.Series([values.mean()]), pd.Series([""])
    means = values.groupby(level=names, sort=False).mean()
    if "dataset" not in names:
        return means, pd.Series("", index=means.index)
    return means, pd.Series(means.index.get_level_values("dataset"), index=means.index)


def clustered_variance(values, data):
    """Return the variance of a mean of networks drawn in data sets (0 of a single one)."""
    sums = (values - values.mean()).groupby(data.to_numpy()).sum()
    n_sets = len(sums)
    return n_sets / (n_sets - 1) * (sums**2).sum() / len(values) ** 2 if n_sets > 1 else 0.0


def effective_number(shares, data):
    """Return how many networks, drawn singly, would give the share the same variance.

    Examples
    --------
    >>> data = pd.Series(list("aaaabbbb"))
    >>> effective_number(pd.Series([1.0, 1, 1, 0, 1, 1, 0, 1]), data)
    8.0
    >>> bool(effective_number(pd.Series([1.0, 1, 1, 1, 0, 0, 0, 1]), data) < 8)
    True
    """
    share, n = shares.mean(), len(shares)
    alone = share * (1 - share) / n
    return n / max(1.0, clustered_variance(shares, data) / alone) if alone > 0 else float(n)


def widening(statistic, rows, families):
    """Return the factor by which families widen the standard error of a statistic, at least one.

    It compares two jackknives: whole families are left out, or single networks. One family alone
    widens nothing.

    Parameters
    ----------
    statistic : callable
        Returns a number for some of the rows.
    rows : pandas.DataFrame, one row a network
    families : array_like of shape (n,)

    Examples
    --------
    >>> rows = pd.DataFrame({"x": [1.0, 1, 1, 2, 2, 2, 5, 5, 5]})
    >>> round(widening(lambda some: some["x"].mean(), rows, list("aaabbbccc")), 2)
    2.0
    >>> widening(lambda some: some["x"].mean(), rows, list("abcdefghi"))
    1.0
    """
    families = np.asarray(families)
    if len(set(families)) < 2:
        return 1.0

    def variance(groups):
        left = [statistic(rows[groups != group]) for group in pd.unique(groups)]
        return (len(left) - 1) * np.nanvar(left)

    alone = variance(np.arange(len(rows)))
    return float(np.sqrt(max(1.0, variance(families) / alone))) if alone > 0 else 1.0


def of_families(statistic, rows, families, df):
    """Return by how much families widen an error, and its degrees of freedom: of them if they do.

    Examples
    --------
    >>> rows = pd.DataFrame({"x": [1.0, 1, 1, 2, 2, 2, 5, 5, 5]})
    >>> factor, df = of_families(lambda some: some["x"].mean(), rows, list("aaabbbccc"), 8)
    >>> round(factor, 2), df
    (2.0, 2)
    """
    factor = widening(statistic, rows, families)
    return factor, len(set(families)) - 1 if factor > 1 else df


def are_divided(shares, data, n_permutations=2000, level=0.01):
    """Say whether data sets contradict each other by more than chance.

    Some data sets of three or more networks lie above one half and others below, and the shares of
    all data sets differ more than in 99 % of the permutations of the networks.
    """
    rates = shares.groupby(data.to_numpy()).mean()
    sizes = shares.groupby(data.to_numpy()).size()
    large = rates[sizes >= FEWEST_OF_A_DATA_SET]
    if not ((large > 0.5).any() and (large < 0.5).any()):
        return False
    codes, n_sets = pd.factorize(data.to_numpy())[0], len(sizes)
    values, rng = shares.to_numpy(), np.random.default_rng(0)

    def spread(order):
        sums = np.bincount(codes, weights=values[order], minlength=n_sets)
        return (sums**2 / np.bincount(codes)).sum()

    there, as_far = spread(np.arange(len(values))), 0
    for _ in range(n_permutations):
        as_far += spread(rng.permutation(len(values))) >= there
        if as_far + 1 >= level * (n_permutations + 1):
            return False
    return True


def counts_by_data(cases):
    """Return the count of each data set as text, the largest first."""
    if "dataset" not in cases.index.names:
        return ""
    sets = cases.groupby(level="dataset").agg(["sum", "size"])
    sets = sets.sort_values("size", ascending=False, kind="stable")
    return "; ".join(f"{name} {k} of {n}" for name, k, n in sets.itertuples(name=None))


def label(name):
    """Return an index entry as readable text.

    Examples
    --------
    >>> label(("CIFAR-10", "ResNet-110", ""))
    'CIFAR-10 ResNet-110'
    >>> label(("fashion", "fashion-resnet8-w8"))
    'fashion-resnet8-w8'
    """
    parts = [str(part) for part in (name if isinstance(name, tuple) else (name,)) if str(part)]
    plain = [part.lower().replace("-", "") for part in parts]
    return " ".join(
        part
        for i, part in enumerate(parts)
        if not any(plain[i] in other for other in plain[i + 1 :])
    )


def judge_effect(
    values,
    sign,
    what,
    *,
    unit="",
    margin=0.0,
    fewest=FEWEST_NETWORKS,
    on_average=False,
    widened=1.0,
    df=None,
):
    """Judge a mean effect by the 95 % t interval of the mean.

    With ``sign`` +1 or -1 the claim holds where the whole interval lies beyond ``margin`` on that
    side, fails where it lies wholly short of it, and is mixed (not resolved) between. With
    ``sign`` 0 the claim is "no effect": it holds where the interval lies within ``margin`` of
    zero and fails where it lies outside. Networks of one data set are not drawn singly, which
    widens the interval as in `judge_share`. By counting, a claim holds where every value is on its
    side and fails where none is; a claim about the mean (`on_average`) where the mean is.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        Independent measurements of the effect: one a seed, or one a network.
    sign : {-1, 0, 1}
    what : str
    unit : str
    margin : float
    fewest : int
        Fewer values are too few: five networks, or three seeds of one setting.
    on_average : bool
        Whether the sentence itself says "on average".
    widened : float
        The factor by which families of networks widen the standard error (`of_families`).
    df : int, optional
        Degrees of freedom, by default one less than the values.

    Returns
    -------
    Finding

    Examples
    --------
    >>> judge_effect([1.9, 2.0, 2.1], +1, "depth 8 to 32", fewest=3).verdict
    'holds'
    >>> judge_effect([-2.0, 2.0, 0.5], +1, "depth 8 to 32", fewest=3).verdict
    'mixed'
    >>> judge_effect([2.0, 2.1], +1, "depth 8 to 32", fewest=3).verdict
    'too few cases'
    """
    values = pd.Series(values, dtype=float)
    if values.empty:
        return not_tested(f"{what}: no values")
    on_side = (values * sign > margin) if sign else values.abs() < margin
    means, data = by_network(values)
    n = len(means)
    if on_average:
        counted = "holds" if means.mean() * sign > margin else "fails"
    else:
        counted = "holds" if on_side.all() else "mixed" if on_side.any() else "fails"
    alone = means.var(ddof=1) / n if n > 1 else np.nan
    error = np.sqrt(max(alone, clustered_variance(means, data))) if n > 1 else np.nan
    error *= widened
    df = n - 1 if df is None else df
    found = judge_interval(means.mean(), error, df, sign, what, unit, margin)
    found = replace(
        found,
        n=n,
        counted=counted,
        reason=f"{found.reason}, n = {n}",
        by_data=counts_by_data(on_side),
        agree="; ".join(f"{label(i)} {values[i]:+.3g}" for i in values.index[on_side])
        if values.index.is_unique
        else "",
        against="; ".join(f"{label(i)} {values[i]:+.3g}" for i in values.index[~on_side])
        if values.index.is_unique
        else "",
    )
    if n < fewest:
        return replace(found, by_words="too few cases", as_mostly="too few cases")
    return found


def judge_interval(mean, error, df, sign, what, unit, margin):
    """Judge an effect whose standard error is known (rules of `judge_effect`)."""
    half = t.ppf(0.975, df) * error
    low, high = mean - half, mean + half
    least, most = [(-margin, margin), (margin, np.inf), (-np.inf, -margin)][sign]
    if sign == 0:
        holds, fails = -margin < low and high < margin, low > margin or high < -margin
        distance = abs(abs(mean) - margin)
    else:
        near, far = sorted((sign * low, sign * high))
        holds, fails = near > margin, far < margin
        distance = abs(sign * mean - margin)
    verdict = "holds" if holds else "fails" if fails else "mixed"
    if unit == "log ratio":
        shown = f"factor {with_interval(*np.exp([mean, low, high]), '.2f')}"
    else:
        shown = f"{with_interval(mean, low, high)} {unit}".strip()
    p = 0.0 if error == 0 else 2 * t.sf(distance / error, df)
    values = (float(mean), float(low), float(high), int(df) if np.isfinite(df) else 0, unit)
    rest = {"p": float(p), "least": least, "most": most}
    return of_one_verdict(verdict, *values, f"{what}: {shown}", **rest)


def with_interval(value, low, high, form="+.3g"):
    """Return a number with its interval, if it has one, as text.

    Examples
    --------
    >>> with_interval(1.0, 0.5, 1.5), with_interval(0.5, np.nan, np.nan, ".0%")
    ('+1 (+0.5 to +1.5)', '50%')
    """
    interval = "" if np.isnan(low) else f" ({low:{form}} to {high:{form}})"
    return f"{value:{form}}{interval}"


def combine(found, what):
    """Return one finding of several comparisons: ``found`` maps (data set, setting) to a finding.

    It holds, or fails, where all comparisons that have enough seeds do. Where some hold and some
    fail it depends: on the data if each data set says one thing, else on the setting.
    """
    enough = {k: f for k, f in found.items() if f.verdict not in ("too few cases", "not tested")}
    reason = f"{what}: " + "; ".join(f"{label(key)}: {f.reason}" for key, f in found.items())
    if not enough:
        n = sum(f.n for f in found.values())
        return replace(not_tested(reason, n), by_words="too few cases", as_mostly="too few cases")
    sides = {side: {k[0] for k, f in enough.items() if f.verdict == side} for side in VERDICTS[:5]}
    if sides["holds"] and sides["fails"]:
        apart = not sides["holds"] & sides["fails"]
        verdict = "depends on the data" if apart else "depends on the setting"
    else:
        verdicts = {f.verdict for f in enough.values()}
        verdict = verdicts.pop() if len(verdicts) == 1 else "mixed"
    first = next(iter(enough.values()))
    return of_one_verdict(
        verdict,
        float(np.mean([f.estimate for f in enough.values()])),
        min(f.low for f in enough.values()),
        max(f.high for f in enough.values()),
        sum(f.n for f in enough.values()),
        first.unit,
        reason,
        p=max(f.p for f in enough.values()),
        agree="; ".join(label(k) for k, f in enough.items() if f.verdict == "holds"),
        against="; ".join(label(k) for k, f in enough.items() if f.verdict != "holds"),
        least=first.least,
        most=first.most,
        settings=json.dumps([in_setting(label(k), f) for k, f in enough.items()]),
    )


def in_setting(name, found):
    """Return what was found in one setting, its numbers with four digits."""
    numbers = {part: float(f"{getattr(found, part):.4g}") for part in ("estimate", "low", "high")}
    return {"setting": name, "verdict": found.verdict, **numbers}


def holm(p):
    """Return p-values adjusted by Holm's method for the family that they form.

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p)
    raised = np.maximum.accumulate(np.asarray(p)[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(raised, 1.0)
    return adjusted
