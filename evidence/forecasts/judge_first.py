"""Judge the lines of ``data/forecasts/registered.csv``, and score their probabilities."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import xlogy
from scipy.stats import spearmanr

import calib
from evidence.claims.claim import TESTS
from evidence.claims.frames import read_table, select
from evidence.claims.quantifiers import quantifier_of
from evidence.forecasts.digests import digests
from evidence.forecasts.former_rule import judge_by_former_rule

BINS = calib.equal_width(5)
# of a probability p, where the truth comes with q
SCORES: dict[str, Callable[[Any, Any], Any]] = {
    "brier": lambda p, q: q * (1 - p) ** 2 + (1 - q) * p**2,
    "log loss": lambda p, q: -xlogy(q, p) - xlogy(1 - q, 1 - p),
}
FROZEN = (
    "forecasts/registered.csv",
    "forecasts/registered-files.csv",
    "ledger/mapping.csv",
)
NAMED = {"ImageNet", "questions"}  # of which the lines speak; other data sets are drawn


def frozen() -> dict[str, str]:
    """Return the SHA-256 of the forecasts, of their files, and of what their words ask for."""
    return digests(FROZEN)


def load_registered() -> pd.DataFrame:
    """Return the forecasts, one a row, with the columns that ``data/README.md`` explains."""
    return read_table("forecasts/registered.csv").fillna(
        {"claim": "", "where": "", "word": ""}
    )


def judge_lines(lines: pd.DataFrame, frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the lines with ``verdict``, ``true`` (NaN: no answer) and ``found``, in words."""
    judged = [judge_line(line, frames) for line in lines.itertuples()]
    return lines.join(pd.DataFrame(judged, lines.index, ["verdict", "true", "found"]))


def judge_line(line: Any, frames: dict[str, pd.DataFrame]) -> tuple[str, float, str]:
    """Return the verdict of one line, whether it holds, and what was found."""
    if line.frame not in frames:
        return "no evidence", np.nan, f"no frame {line.frame!r}"
    rows, spec = frames[line.frame], json.loads(line.test)
    if line.claim:
        rows = rows.query(line.where) if line.where else rows
        return of_claim(line, rows, spec)
    # the columns that are named: there are hundreds
    rows = rows[[column for column in rows if column in line.where + spec["value"]]]
    rows = rows.query(line.where) if line.where else rows
    return sentence(rows, fewest=line.fewest, **spec)


def of_claim(
    line: Any, rows: pd.DataFrame, spec: dict[str, Any]
) -> tuple[str, float, str]:
    """Return the verdict of a line that repeats a claim of the ledger, by the claim's test."""
    test = TESTS[spec.pop("test")]
    for column, values in spec.pop("rows", {}).items():
        rows = select(rows, column, values)
    if rows.empty:
        return "not tested", np.nan, "no such rows"
    try:
        finding = judge_by_former_rule(
            test(rows, **spec), quantifier_of(line.word), rows, NAMED
        )
    except (ValueError, KeyError) as error:  # none of the cases that the test looks for
        return "not tested", np.nan, str(error)
    too_few = (
        finding.verdict in ("too few cases", "not tested") or finding.n < line.fewest
    )
    if too_few:
        return "too few cases", np.nan, finding.reason
    return finding.verdict, float(finding.verdict == "holds"), finding.reason


def sentence(
    rows: pd.DataFrame,
    *,
    value: str,
    take: str,
    fewest: int,
    above: float = -np.inf,
    below: float = np.inf,
) -> tuple[str, float, str]:
    """Judge a sentence about a number: an expression of columns, and what is taken of its cases.

    Examples
    --------
    >>> rows = pd.DataFrame({"a": [1.0, 2.0, 6.0], "b": [1.0, 1.0, 1.0]})
    >>> sentence(rows, value="a - b", take="median", above=0.5, fewest=2)
    ('holds', 1.0, 'median of a - b: 1, n = 3')
    >>> sentence(rows, value="a > b", take="sum", above=2.5, fewest=2)[0]
    'fails'
    """
    columns = value.split(" ~ ")
    try:
        cases = pd.concat(
            [rows.eval(column).astype(float) for column in columns], axis=1
        ).dropna()
    except pd.errors.UndefinedVariableError as error:
        return "not tested", np.nan, str(error)
    if len(cases) < fewest:
        return "too few cases", np.nan, f"{value}: n = {len(cases)}"
    number = (
        spearmanr(cases).statistic if len(columns) == 2 else cases.iloc[:, 0].agg(take)
    )
    true = above < number < below
    words = f"{take} of {value}: {number:.4g}, n = {len(cases)}"
    return ("holds" if true else "fails"), float(true), words


def scores(judged: pd.DataFrame) -> dict[str, Any]:
    """Return how good the forecasts were, beside what would be expected were they right.

    The base rate is the share that came true: who says it to every line knows it beforehand.
    """
    answered = judged[judged["true"].notna()]
    p, hit = answered["probability"].to_numpy(float), answered["true"].to_numpy(float)
    verdicts = judged["verdict"].value_counts().to_dict()
    numbers = {"lines": len(judged), "answered": len(answered), "verdicts": verdicts}
    if not len(answered):
        return numbers
    numbers["share true"] = base = hit.mean()
    for name, score in SCORES.items():
        numbers |= {name: score(p, hit).mean(), f"{name} if right": score(p, p).mean()}
        numbers[f"{name} of the base rate"] = score(base, base)
    numbers["ece"] = calib.calibration_error(hit.astype(int), p, bins=BINS)
    return numbers | {"ece by chance": calib.error_if_calibrated(p, bins=BINS)}
