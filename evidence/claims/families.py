"""Tests of families of networks: what rises within them, and what they explain."""

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import f, ncf, spearmanr

from evidence.claims.case_tables import Names, as_list, network_columns, readable
from evidence.claims.cases import Cases
from evidence.claims.network_intervals import (
    FEWEST,
    Interval,
)


def families_rise(
    rows: pd.DataFrame, *, x: str, sign: int = 1, at_least: int = 3, y: str = "value"
) -> Cases:
    """Within each family of `at_least` sizes, `y` rises (or falls) with `x`."""
    keys = [c for c in ("dataset", "author", "siblings", "kin") if c in rows]
    cases = {
        name: sign * spearmanr(group[x], group[y]).statistic > 0
        for name, group in rows.dropna(subset=[x, y]).groupby(keys)
        if group[x].nunique() >= at_least and group[y].nunique() > 1
    }
    word = "rising" if sign > 0 else "falling"
    of = rows["metric"].iloc[0] if y == "value" and "metric" in rows else readable(y)
    summary = f"families whose {of} is {word} with {x}"
    return Cases(pd.Series(cases, dtype=bool).rename_axis(keys), summary)


def nearest(
    rows: pd.DataFrame, *, column: str, member: Names, than: Names, by: str
) -> Cases:
    """Each `member` has a lower value than the `than` network that is nearest to it in `by`."""
    ours, others = (rows[rows[column].isin(as_list(g))] for g in (member, than))
    cases = {
        row["case"]: row["value"]
        < others.loc[(others[by] - row[by]).abs().idxmin(), "value"]
        for _, row in ours.iterrows()
        if len(others)
    }
    summary = f"{readable(member)} below {readable(than)} nearest in {by}"
    return Cases(pd.Series(cases, dtype=bool).rename_axis("case"), summary)


def families_explain(rows: pd.DataFrame, *, given: list[str]) -> Cases:
    """Families explain some of the value's variance (in logs) that the columns `given` leave.

    The estimate is the adjusted partial eta squared, its interval that of the noncentral F.
    """
    keys = [*network_columns(rows), "family"]
    rows = rows.dropna(subset=[*given, "value"])
    firsts = rows.groupby(keys)[given].first()
    rows = firsts.assign(value=rows.groupby(keys)["value"].mean()).reset_index("family")
    rows = rows[rows.groupby("family")["value"].transform("size") >= 3]

    def interval_of(rows: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        y = np.log(rows["value"].to_numpy())
        smaller = np.column_stack([np.ones(len(y)), dummies(rows[given])])
        larger = np.column_stack([smaller, dummies(rows[["family"]])])
        return explained_interval(y, smaller, larger)

    summary = f"share of what {readable(given)} leaves that families explain"
    return Cases(rows, summary, unit="share of variance", interval_of=interval_of)


def dummies(columns: pd.DataFrame) -> np.ndarray:
    """Return numbers as they are, and a column for each level but the first of the others."""
    return pd.get_dummies(columns, drop_first=True, dtype=float).to_numpy()


def explained_interval(
    y: np.ndarray, smaller: np.ndarray, larger: np.ndarray
) -> Interval:
    """Return the share of variance that a larger least-squares fit explains of what is left.

    The interval of the adjusted partial eta squared is that of the noncentrality of F, divided by
    itself and the number of samples (Steiger 2004). It is NaN with too few degrees of freedom.
    """
    before, after = residual(y, smaller), residual(y, larger)
    more = before.df - after.df
    if more < 1 or after.df < FEWEST:
        return Interval(np.nan)
    error = after.sum_of_squares / after.df
    statistic = (before.sum_of_squares - after.sum_of_squares) / more / error
    eta = 1 - error / (before.sum_of_squares / before.df)
    test = FTest(statistic, more, after.df, len(y))
    low, high = test.share_at(0.975), test.share_at(0.025)
    return Interval(eta, low, high, partial(test.p_of_share, eta))


class FTest(NamedTuple):
    """The F statistic of two least-squares fits, one of which has more columns."""

    statistic: float
    more: int  # columns
    df: int  # that the larger fit leaves
    n: int  # samples

    def probability_below(self, noncentrality: float) -> float:
        """Return how probable a smaller statistic is, given the noncentrality of F."""
        # of no noncentrality scipy's own function is not to be trusted
        central = f(self.more, self.df)
        law = ncf(self.more, self.df, noncentrality) if noncentrality > 0 else central
        return float(law.cdf(self.statistic))

    def share_at(self, tail: float) -> float:
        """Return the share of variance for which a smaller statistic has the probability `tail`."""
        if self.probability_below(0) < tail:
            return 0.0

        def excess(noncentrality: float) -> float:
            # where so much noncentrality is too much, scipy may find NaN for nil
            return np.nan_to_num(self.probability_below(noncentrality)) - tail

        most = 1000 + 4 * self.statistic * self.more
        noncentrality = brentq(excess, 0, most)
        return noncentrality / (noncentrality + self.n)

    def p_of_share(self, estimate: float, bound: float) -> float:
        """Return the p-value of an estimated share where the true one is `bound`.

        It is of both sides, as that of a mean is: F has one, so that its tail counts twice.
        """
        below = self.probability_below(self.n * bound / (1 - bound))
        return min(1.0, 2 * (1 - below if estimate > bound else below))


class Residual(NamedTuple):
    """What a least-squares fit leaves."""

    sum_of_squares: float
    df: int


def residual(y: np.ndarray, x: np.ndarray) -> Residual:
    """Return what a least-squares fit of `y` by the columns of `x` leaves."""
    fit = np.linalg.lstsq(x, y, rcond=None)[0]
    sum_of_squares = ((y - x @ fit) ** 2).sum()
    return Residual(sum_of_squares, len(y) - np.linalg.matrix_rank(x))
