"""Judge the lines of ``data/forecasts/registered.csv``, and score their probabilities."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import xlogy
from scipy.stats import spearmanr

import calib
from evidence.claims.case_tables import select
from evidence.claims.claim import TESTS
from evidence.claims.frames import read_table
from evidence.claims.quantifiers import quantifier_of
from evidence.forecasts.former_rule import judge_by_former_rule

BINS = calib.equal_width(5)
# of a probability p, where the truth comes with q
SCORES: dict[str, Callable[[Any, Any], Any]] = {
    "brier": lambda p, q: q * (1 - p) ** 2 + (1 - q) * p**2,
    "log loss": lambda p, q: -xlogy(q, p) - xlogy(1 - q, 1 - p),
}
# the forecasts, their files, and what their words ask for
FROZEN_FIRST = (
    "forecasts/registered.csv",
    "forecasts/registered-files.csv",
    "ledger/mapping.csv",
)
UNDECIDED = ("too few cases", "not tested")
# data sets of which the lines speak; others are drawn
UNDRAWN_DATA_SETS = {"ImageNet", "questions"}


class JudgedLine(NamedTuple):
    """What the evidence says of one line."""

    verdict: str
    true: float  # 1 or 0; NaN: no answer
    found: str  # in words


def load_registered() -> pd.DataFrame:
    """Return the forecasts, one a row, with the columns that ``data/README.md`` explains."""
    return read_table("forecasts/registered.csv").fillna(
        {"claim": "", "where": "", "word": ""}
    )


def judge_table(lines: pd.DataFrame, frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the lines with ``verdict``, ``true`` (NaN: no answer) and ``found``, in words."""
    judged = [judge_row(line, frames) for line in lines.itertuples()]
    return lines.join(pd.DataFrame(judged, lines.index, JudgedLine._fields))


def judge_row(line: Any, frames: dict[str, pd.DataFrame]) -> JudgedLine:
    """Return what the frames say of one line."""
    if line.frame not in frames:
        return JudgedLine("no evidence", np.nan, f"no frame {line.frame!r}")
    rows, test = frames[line.frame], json.loads(line.test)
    if line.claim:
        rows = rows.query(line.where) if line.where else rows
        return judge_repeated_claim(line, rows, test)
    # the columns that are named: there are hundreds
    rows = rows[[column for column in rows if column in line.where + test["value"]]]
    rows = rows.query(line.where) if line.where else rows
    return judge_number(rows, fewest=line.fewest, **test)


def judge_repeated_claim(
    line: Any, rows: pd.DataFrame, test: dict[str, Any]
) -> JudgedLine:
    """Return the verdict of a line that repeats a claim of the ledger, by the claim's test."""
    keywords = {key: test[key] for key in test if key not in ("test", "rows")}
    for column, values in test.get("rows", {}).items():
        rows = select(rows, column, values)
    if rows.empty:
        return JudgedLine("not tested", np.nan, "no such rows")
    try:
        cases = TESTS[test["test"]](rows, **keywords)
        finding = judge_by_former_rule(
            cases, quantifier_of(line.word), rows, UNDRAWN_DATA_SETS
        )
    except (ValueError, KeyError) as error:  # none of the cases that the test looks for
        return JudgedLine("not tested", np.nan, str(error))
    if finding.verdict in UNDECIDED or finding.n < line.fewest:
        return JudgedLine("too few cases", np.nan, finding.reason)
    holds = float(finding.verdict == "holds")
    return JudgedLine(finding.verdict, holds, finding.reason)


def judge_number(
    rows: pd.DataFrame,
    *,
    value: str,
    take: str,
    fewest: int,
    above: float = -np.inf,
    below: float = np.inf,
) -> JudgedLine:
    """Judge a sentence about a number: an expression of columns, and what is taken of its cases.

    Examples
    --------
    >>> rows = pd.DataFrame({"a": [1.0, 2.0, 6.0], "b": [1.0, 1.0, 1.0]})
    >>> tuple(judge_number(rows, value="a - b", take="median", above=0.5, fewest=2))
    ('holds', 1.0, 'median of a - b: 1, n = 3')
    >>> judge_number(rows, value="a > b", take="sum", above=2.5, fewest=2).verdict
    'fails'
    """
    columns = value.split(" ~ ")
    try:
        cases = pd.concat(
            [rows.eval(column).astype(float) for column in columns], axis=1
        ).dropna()
    except pd.errors.UndefinedVariableError as error:
        return JudgedLine("not tested", np.nan, str(error))
    if len(cases) < fewest:
        return JudgedLine("too few cases", np.nan, f"{value}: n = {len(cases)}")
    paired = len(columns) == 2  # "a ~ b" is the rank correlation of a and b
    number = spearmanr(cases).statistic if paired else cases.iloc[:, 0].agg(take)
    true = above < number < below
    in_words = f"{take} of {value}: {number:.4g}, n = {len(cases)}"
    return JudgedLine("holds" if true else "fails", float(true), in_words)


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
