"""The ledger: what the papers claim, judged on three kinds of evidence.

A claim is one testable sentence of a paper, kept in ``data/claims.yml`` together with a test of
this module for each kind of evidence: ``published`` (the papers' own tables), ``public`` (metrics
of public predictions) and ``zoo`` (metrics of our networks). A test takes a tidy frame, one number
a row, and returns a `Finding`. No verdict is ever typed.
"""

import inspect
from dataclasses import asdict, dataclass
from itertools import pairwise

import numpy as np

CASE = ["metric", "dataset", "model", "loss", "method", "seed"]
PAPERS = ("guo2017", "nixon2019", "gupta2021", "vasilev2021", "minderer2021")
EVIDENCE = ("published", "public", "zoo")
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
    return max(0.0, centre - half), min(1.0, centre + half)


def judge_share(cases, quantifier, what):
    """Judge a share of cases by the paper's quantifier.

    "always" allows no exception. "almost always" holds from nine cases in ten and fails where the
    Wilson interval lies below that. "mostly" holds or fails where the interval lies on one side
    of a half. "sometimes" needs one case. An integer is the paper's own count.

    Parameters
    ----------
    cases : pandas.Series of bool
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
    >>> import pandas as pd
    >>> judge_share(pd.Series([True] * 9 + [False]), "almost always", "it rains").verdict
    'holds'
    """
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
    exceptions = [label(name) for name in cases.index[~cases.astype(bool)]]
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
    from scipy.stats import t

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
    reason = f"{what}: {mean:+.3g} ({low:+.3g} to {high:+.3g}) {unit}".strip() + f", n = {n}"
    return Finding(verdict, float(mean), float(low), float(high), n, unit, reason)


def wide(rows, column="method"):
    """Return one row a case and one column a value of ``column``."""
    keys = [c for c in CASE if c != column and c in rows and rows[c].astype(str).nunique() > 1]
    keys = keys or ["model"]
    rows = rows.assign(**{c: rows[c].astype(object).where(rows[c].notna(), "") for c in keys})
    return rows.pivot_table(index=keys, columns=column, values="value", aggfunc="mean")


def as_list(value):
    """Return a list as it is and anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def lower(rows, *, member, than, quantifier, by=0.0, column="method", given=None):
    """`member` is lower than `than`, by more than `by`; `given` keeps cases below a limit."""
    import pandas as pd

    table = wide(rows, column)
    if given:
        table = table[table[given["member"]] < given["below"]]
    cases = {
        f"{a} and {b}": (table[a] < table[b] - by)[table[[a, b]].notna().all(axis=1)]
        for a in as_list(member)
        for b in as_list(than)
    }
    cases = pd.concat(cases) if len(cases) > 1 else next(iter(cases.values()))
    gap = f" by more than {by:g}" if by else ""
    what = f"{label(tuple(as_list(member)))} lower than {label(tuple(as_list(than)))}{gap}"
    return judge_share(cases, quantifier, what)


def lowest(rows, *, member, quantifier, places=1, column="method", summed=False, negate=False):
    """A `member` is among the lowest `places` of the row (ties count); `negate`: none is."""
    table = wide(rows, column)
    if summed:
        table = table.groupby([n for n in table.index.names if n != "metric"]).sum(min_count=1)
    members = as_list(member)
    rank = table.rank(axis=1, method="min")[members].min(axis=1).dropna()
    cases = (rank > places) if negate else (rank <= places)
    place = "lowest" if places == 1 else f"among the lowest {places}"
    return judge_share(
        cases, quantifier, f"{' or '.join(members)} {'not ' if negate else ''}{place}"
    )


def highest(rows, *, member, quantifier, column="method"):
    """`member` is the highest of the row (ties count)."""
    table = wide(rows, column).dropna(subset=[member])
    cases = table[member] >= table.max(axis=1)
    return judge_share(cases, quantifier, f"{member} highest")


def share_lowest(rows, *, member, at_least, column="method"):
    """`member` is lowest in at least a given share of the cases."""
    table = wide(rows, column).dropna(subset=[member])
    cases = table[member] <= table.min(axis=1)
    found = judge_share(cases, "mostly", f"{member} lowest")
    holds, fails = found.low >= at_least, found.high < at_least
    verdict = "holds" if holds else "fails" if fails else "mixed"
    return Finding(verdict, *list(asdict(found).values())[1:])


def limit(rows, *, member, quantifier, below=np.inf, above=-np.inf, column="method"):
    """The value of `member` lies between two limits."""
    values = wide(rows, column)[member].dropna()
    bounds = " and ".join(
        f"{word} {x:g}" for word, x in (("above", above), ("below", below)) if np.isfinite(x)
    )
    return judge_share((values > above) & (values < below), quantifier, f"{member} {bounds}")


def unchanged(rows, *, member, reference, within, quantifier, column="method"):
    """`member` differs from `reference` by at most `within`."""
    table = wide(rows, column)[[member, reference]].dropna()
    cases = (table[member] - table[reference]).abs() <= within + 1e-9
    return judge_share(cases, quantifier, f"{member} within {within:g} of {reference}")


def ordered(rows, *, order, quantifier, column):
    """The values fall along `order`."""
    table = wide(rows, column)[order].dropna()
    cases = (table.diff(axis=1).iloc[:, 1:] < 0).all(axis=1)
    return judge_share(cases, quantifier, f"falling along {', '.join(map(str, order))}")


def second_when_beaten(rows, *, member, by):
    """Where `by` is lower than `member`, `member` comes second."""
    table = wide(rows).dropna(subset=[member, by])
    table = table[table[by] < table[member]]
    rank = table.rank(axis=1, method="min")[member]
    return judge_share(rank == 2, "always", f"{member} second where {by} beats it")


def close_when_beaten(rows, *, member, by, gap):
    """Where `by` is lower than `member`, it is lower by less than `gap`."""
    table = wide(rows)[[member, by]].dropna()
    lead = (table[member] - table[by])[lambda d: d > 0]
    return judge_share(lead < gap, "always", f"{by} ahead of {member} by less than {gap:g}")


def somewhere_above(rows, *, above):
    """Every method exceeds `above` on at least one network."""
    peak = wide(rows).max()
    return judge_share(peak > above, "always", f"above {above:g} on some network")


def winners_differ(rows, *, metrics, quantifier):
    """The lowest method by one metric is not the lowest by another."""
    first, second = (wide(rows[rows["metric"] == m]).idxmin(axis=1) for m in metrics)
    networks = first.index.intersection(second.index)
    cases = first[networks] != second[networks]
    return judge_share(cases, quantifier, f"best by {metrics[0]} not best by {metrics[1]}")


def agreement(rows, *, pair, along="metric", sign=1, margin=0.0):
    """Kendall's rank correlation of the methods' order between two metrics or data sets."""
    from scipy.stats import kendalltau

    first, second = (wide(rows[rows[along] == value].drop(columns=along)) for value in pair)
    shared = first.columns.intersection(second.columns)
    taus = [
        kendalltau(first.loc[case, shared], second.loc[case, shared]).statistic
        for case in first.index.intersection(second.index)
    ]
    taus = [tau for tau in taus if np.isfinite(tau)]
    what = f"order of methods by {pair[0]} and by {pair[1]}"
    if len(taus) == 1:
        what += f", tau {taus[0]:+.2f}"
    return judge_effect(taus, sign, what, unit="tau", margin=margin)


def largest_relative_gap(rows, *, metric, methods):
    """The relative gap between two methods is largest by `metric`."""
    import pandas as pd

    table = rows.pivot_table(index="metric", columns="method", values="value")[methods]
    gap = (table.max(axis=1) - table.min(axis=1)) / table.max(axis=1)
    cases = pd.Series([gap.idxmax() == metric], index=[f"{gap.idxmax()}, {gap.max():.0%}"])
    return judge_share(cases, "always", f"gap largest by {metric} ({gap[metric]:.0%})")


def correlates(rows, *, x, y, sign, margin=0.0):
    """Spearman's correlation of two columns over networks, with Fisher's interval."""
    from scipy.stats import spearmanr

    pairs = rows[[x, y]].dropna()
    n = len(pairs)
    what = f"correlation of {x} and {y}"
    if n < 5:
        return not_tested(f"{what}: {n} networks", n)
    rho = float(np.clip(spearmanr(pairs[x], pairs[y]).statistic, -1 + 1e-9, 1 - 1e-9))
    z, half = np.arctanh(rho), Z95 * (1.06 / (n - 3)) ** 0.5
    low, high = np.tanh([z - half, z + half])
    found = judge_interval((low + high) / 2, (high - low) / 2, n, sign, what, "rho", margin)
    reason = f"{what}: {rho:+.2f} ({low:+.2f} to {high:+.2f}), n = {n}"
    return Finding(found.verdict, rho, float(low), float(high), n, "rho", reason)


def trend(rows, *, level, sign, first=None, last=None, margin=0.0):
    """The value changes from the first `level` to the last; one measurement a seed."""
    table = rows.pivot_table(index="seed", columns=level, values="value", aggfunc="mean")
    first = table.columns[0] if first is None else first
    last = table.columns[-1] if last is None else last
    if not {first, last} <= set(table.columns):
        return not_tested(f"{level}: {first} or {last} is missing")
    change = (table[last] - table[first]).dropna()
    return judge_effect(change, sign, f"{level} from {first} to {last}", margin=margin)


def rises(rows, *, level, quantifier):
    """The mean over seeds rises from each `level` to the next."""
    import pandas as pd

    mean = rows.groupby(level)["value"].mean()
    steps = {f"{a} to {b}": mean[b] > mean[a] for a, b in pairwise(mean.index)}
    return judge_share(pd.Series(steps, dtype=bool), quantifier, f"rising with {level}")


TESTS = {
    test.__name__: test
    for test in (
        lower,
        lowest,
        highest,
        share_lowest,
        limit,
        unchanged,
        ordered,
        second_when_beaten,
        close_when_beaten,
        somewhere_above,
        winners_differ,
        agreement,
        largest_relative_gap,
        correlates,
        trend,
        rises,
    )
}


@dataclass(frozen=True)
class Claim:
    """One testable sentence of a paper.

    Attributes
    ----------
    id, paper, where, says : str
        Name, paper, place in the paper, and what it says in our words.
    evidence : dict of str to dict
        Test and parameters for each kind of evidence.
    """

    id: str
    paper: str
    where: str
    says: str
    evidence: dict

    def judge(self, kind, rows):
        """Return the `Finding` of this claim's test on the rows of one kind of evidence."""
        spec = dict(self.evidence[kind])
        test = TESTS[spec.pop("test")]
        for column, values in spec.pop("rows", {}).items():
            rows = rows[rows[column].isin(as_list(values))]
        return test(rows, **spec)


def load_claims():
    """Return the claims of ``data/claims.yml``, checked.

    Returns
    -------
    list of Claim

    Raises
    ------
    ValueError
        If an entry lacks a key, repeats an id, or names an unknown paper, kind of evidence, test
        or parameter; the message names the entry.
    """
    import yaml

    from calib.data import read_declared

    claims = []
    for entry in yaml.safe_load(read_declared("claims.yml")):
        name = entry.get("id", entry)
        if set(entry) != {"id", "paper", "where", "says", "evidence"}:
            raise ValueError(f"claims.yml: {name}: keys are {sorted(entry)}")
        claim = Claim(**entry)
        if claim.paper not in PAPERS:
            raise ValueError(f"claims.yml: {name}: unknown paper {claim.paper!r}")
        if any(claim.id == other.id for other in claims):
            raise ValueError(f"claims.yml: {name} occurs twice")
        for kind, spec in claim.evidence.items():
            check_spec(name, kind, spec)
        claims.append(claim)
    return claims


def check_spec(name, kind, spec):
    """Raise ValueError if a test of a claim is not one that can be called."""
    if kind not in EVIDENCE:
        raise ValueError(f"claims.yml: {name}: unknown evidence {kind!r}")
    if spec.get("test") not in TESTS:
        raise ValueError(f"claims.yml: {name}: unknown test {spec.get('test')!r}")
    known = inspect.signature(TESTS[spec["test"]]).parameters
    unknown = set(spec) - set(known) - {"test", "rows"}
    if unknown:
        raise ValueError(f"claims.yml: {name}: unknown parameters {sorted(unknown)}")


def evidence_rows(kind, paper):
    """Return the tidy frame of one kind of evidence: what the tests of a claim select from."""
    from calib.data import load_published, load_results, zoo_index

    if kind == "published":
        return load_published(paper)
    rows = load_results(kind)
    return rows if kind == "public" else rows.merge(zoo_index(), on="name", how="left")


def judge_all(claims=None):
    """Judge every claim on every kind of evidence it names.

    Parameters
    ----------
    claims : list of Claim, optional
        By default those of `load_claims`.

    Returns
    -------
    pandas.DataFrame
        One row a claim and kind of evidence: ``id``, ``paper``, ``where``, ``says``,
        ``evidence`` and the fields of `Finding`. A claim without evidence has one row, with the
        verdict "not tested".
    """
    import pandas as pd

    ledger = []
    for claim in load_claims() if claims is None else claims:
        head = {"id": claim.id, "paper": claim.paper, "where": claim.where, "says": claim.says}
        found = {
            kind: claim.judge(kind, evidence_rows(kind, claim.paper)) for kind in claim.evidence
        }
        for kind, finding in (found or {"none": not_tested("no evidence at hand")}).items():
            ledger.append({**head, "evidence": kind, **asdict(finding)})
    return pd.DataFrame(ledger)
