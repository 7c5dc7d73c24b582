"""The rules that decide a line: each takes the rows of a frame, parameters and the fewest cases.

A rule returns an `Answer`, or raises `NoAnswerError`: nothing is guessed where a number is missing.
"""

import re
from collections.abc import Callable, Sized
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from evidence.claims.case_tables import select
from evidence.claims.cases import Cases, agreeing
from evidence.claims.claim import TESTS
from evidence.claims.network_intervals import Interval
from evidence.forecasts.second.registered import Answer, NoAnswerError

NAME = re.compile(r"`([^`]+)`|([A-Za-z_]\w*)")
Values = TypeVar("Values", bound=Sized)
TAKES: dict[str, Callable[[np.ndarray], Any]] = {
    "mean": np.mean,
    "median": np.median,
    "min": np.min,
    "max": np.max,
}


def columns_of(rows: pd.DataFrame, *expressions: str) -> list[str]:
    """Return the columns that expressions name; what is left is a word of the expression.

    Examples
    --------
    >>> columns_of(pd.DataFrame(columns=["a b", "c", "d"]), "abs(`a b` - c) < 2")
    ['a b', 'c']
    """
    words = [a or b for text in expressions for a, b in NAME.findall(text)]
    missing = [
        a for text in expressions for a, _ in NAME.findall(text) if a and a not in rows
    ]
    if missing:
        raise NoAnswerError(f"no column {missing[0]!r}")
    return [name for name in dict.fromkeys(words) if name in rows]


def rows_where(rows: pd.DataFrame, condition: str) -> pd.DataFrame:
    """Return the rows that meet a condition, all if it is empty."""
    if not condition:
        return rows
    used = columns_of(rows, condition)  # query copies all of them, hundreds
    try:
        return rows.loc[rows[used].query(condition).index]
    except pd.errors.UndefinedVariableError as error:
        raise NoAnswerError(str(error)) from None


def complete(rows: pd.DataFrame, *expressions: str) -> pd.DataFrame:
    """Return the rows that have all that expressions name."""
    return rows.dropna(subset=columns_of(rows, *expressions))


def evaluate(rows: pd.DataFrame, expression: str) -> pd.Series:
    """Return the value of an expression for each row, as numbers."""
    used = columns_of(rows, expression)  # eval copies all of them, hundreds
    try:
        return rows[used].eval(expression).astype(float)
    except pd.errors.UndefinedVariableError as error:
        raise NoAnswerError(str(error)) from None


def enough(values: Values, fewest: int) -> Values:
    """Return values that are as many as asked for."""
    if len(values) < fewest:
        raise NoAnswerError(f"{len(values)} cases, {fewest} are needed")
    return values


def answer(
    amount: float, n: int, above: float = -np.inf, below: float = np.inf
) -> Answer:
    """Return an amount as it is, or whether it lies between the bounds of a sentence."""
    bounded = np.isfinite(above) or np.isfinite(below)
    if np.isnan(amount):
        raise NoAnswerError("not a number")
    if bounded:
        return Answer(float(amount), n, bool(above < amount < below))
    if np.isinf(amount):
        raise NoAnswerError("infinite")
    return Answer(float(amount), n)


def number(
    rows: pd.DataFrame,
    fewest: int,
    *,
    value: str,
    take: str,
    where: str = "",
    **bounds: float,
) -> Answer:
    """Of all cases: mean, median, least or greatest of an expression.

    Examples
    --------
    >>> rows = pd.DataFrame({"a": [1.0, 2.0, 6.0, None], "b": [1.0, 1.0, 1.0, 1.0]})
    >>> number(rows, 3, value="a - b", take="median", above=0.5)
    Answer(number=1.0, n=3, true=True)
    """
    rows = enough(complete(rows_where(rows, where), value), max(fewest, 1))
    return answer(TAKES[take](evaluate(rows, value).to_numpy()), len(rows), **bounds)


def one_number(
    rows: pd.DataFrame, fewest: int, *, value: str, at: str, **bounds: float
) -> Answer:
    """Of one case: an expression, which may rank it among all."""
    rows = enough(complete(rows, value), max(fewest, 1))
    case = evaluate(rows, value)[rows_where(rows, at).index]
    if len(case) != 1:
        raise NoAnswerError(f"{len(case)} rows where {at}")
    return answer(case.iloc[0], len(rows), **bounds)


def difference(
    rows: pd.DataFrame,
    fewest: int,
    *,
    value: str,
    first: str,
    second: str,
    **bounds: float,
) -> Answer:
    """Of two groups of cases: the mean of the second less that of the first."""
    rows = enough(complete(rows, value), fewest)
    values = evaluate(rows, value)
    means = [
        values[enough(rows_where(rows, group), 1).index].mean()
        for group in (first, second)
    ]
    return answer(means[1] - means[0], len(rows), **bounds)


def correlation(
    rows: pd.DataFrame,
    fewest: int,
    *,
    x: str,
    y: str,
    where: str = "",
    within: str = "",
    **bounds: float,
) -> Answer:
    """The rank correlation of two columns; `within` each of several groups, the median of these.

    Examples
    --------
    >>> rows = pd.DataFrame({"a": [1, 2, 3], "b": [3, 2, 1]})
    >>> correlation(rows, 3, x="a", y="b", below=0)
    Answer(number=-1.0, n=3, true=True)
    """
    rows = complete(rows_where(rows, where), x, y)
    groups = [group for _, group in rows.groupby(within)] if within else [rows]
    groups = [group for group in groups if len(group) >= fewest]
    if not groups:
        raise NoAnswerError(f"{len(rows)} cases, {fewest} are needed")
    rhos = [rank_correlation(evaluate(g, x), evaluate(g, y)) for g in groups]
    rhos = [rho for rho in rhos if not np.isnan(rho)]
    if not rhos:
        raise NoAnswerError("what does not vary has no correlation")
    return answer(np.median(rhos), len(groups) if within else len(rows), **bounds)


def rank_correlation(x: pd.Series, y: pd.Series) -> float:
    """Return Spearman's correlation, NaN where one of the two is constant."""
    if min(x.nunique(), y.nunique()) < 2:
        return np.nan
    return spearmanr(x, y).statistic


def agreement(
    rows: pd.DataFrame,
    *,
    test: str,
    rows_of: dict[str, Any] | None = None,
    **parameters: Any,
) -> pd.Series:
    """Return how far each network agrees with a claim, from 0 to 1: the mean of its cells."""
    for column, values in (rows_of or {}).items():
        rows = select(rows, column, values)
    if rows.empty:
        raise NoAnswerError("no such rows")
    try:
        cases = TESTS[test](rows, **parameters)
    except KeyError as error:  # a method that the table lacks
        raise NoAnswerError(f"no column {error.args[0]!r}") from None
    if not len(cases.values):
        raise NoAnswerError("none of the cases that the test looks for")
    agree = pd.Series(on_claims_side(cases), index=cases.values.index, dtype=float)
    return agree.groupby(level="case").mean()


def on_claims_side(cases: Cases) -> np.ndarray:
    """Return which cases are on the claim's side."""
    if cases.unit == "share":
        return cases.values.to_numpy(dtype=bool)
    if cases.interval_of:
        raise ValueError("the test compares networks, and has no cases")
    return agreeing(cases, Interval(np.nan))


def one_network(
    rows: pd.DataFrame, fewest: int, /, *, case: str, **test: Any
) -> Answer:
    """Of one network: the claim is true where more than half of its cells agree."""
    agree = claim_agreement(rows, test)
    if case not in agree.index:
        raise NoAnswerError(f"the test has no case {case!r}")
    if agree[case] == 0.5:
        raise NoAnswerError("half of the cells agree")
    return Answer(float(agree[case]), 1, bool(agree[case] > 0.5))


def share_above_half(rows: pd.DataFrame, fewest: int, /, **test: Any) -> Answer:
    """Of several networks: the claim is true of more than half."""
    agree = enough(claim_agreement(rows, test), fewest)
    return Answer(float(agree.mean()), len(agree), bool(agree.mean() > 0.5))


def share(rows: pd.DataFrame, fewest: int, /, **test: Any) -> Answer:
    """Of several networks: of how many percent the claim is true."""
    agree = enough(claim_agreement(rows, test), fewest)
    return Answer(100 * float(agree.mean()), len(agree))


def claim_agreement(rows: pd.DataFrame, test: dict[str, Any]) -> pd.Series:
    """Return `agreement` by a test as a line's parameters spell it."""
    parameters = {name: value for name, value in test.items() if name != "rows"}
    return agreement(rows, rows_of=test.get("rows"), **parameters)


RULES: dict[str, Callable[..., Answer]] = {
    "number": number,
    "one number": one_number,
    "difference": difference,
    "correlation": correlation,
    "one network": one_network,
    "share above half": share_above_half,
    "share": share,
}
