"""How good three forecasters are: a writer, the ledger, and the base rate of the first set.

Sentences have a Brier score, a log loss and an ECE, amounts an interval score; each stands beside
what is expected if the forecasts are right. Forecasters answer different lines, so they are also
compared on the lines that all of them answer.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom, norm

from evidence.forecasts.judge_first import scores
from evidence.forecasts.second.registered import LEVELS

FORECASTERS = {"writer": "", "ledger": "ledger_", "base rate": "base_"}
ENDS = [f"{end}_{100 * level:.0f}" for level in LEVELS for end in ("low", "high")]


def score_all(lines: pd.DataFrame, judged: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the scores of sentences and of amounts; `lines` have the columns of forecasters."""
    answered = lines.drop(columns=["n", "reason"], errors="ignore").merge(
        judged, on="id"
    )
    return {"sentences": score_sentences(answered), "amounts": score_amounts(answered)}


def by_choice(
    its_own: pd.DataFrame, common: pd.DataFrame
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Yield the lines that a forecaster answers and those that all do: of all kinds, and of each.

    Before the lines stand the columns that say which they are.
    """
    for choice, lines in (("its own", its_own), ("common", common)):
        yield {"lines": choice, "evidence": "all"}, lines
        for evidence, rows in lines.groupby("evidence", sort=False):
            yield {"lines": choice, "evidence": str(evidence)}, rows


def score_sentences(lines: pd.DataFrame) -> pd.DataFrame:
    """Return one row a forecaster, choice of lines and kind of evidence."""
    lines = lines[lines["unit"] == ""]
    columns = {name: f"{start}probability" for name, start in FORECASTERS.items()}
    columns = {name: column for name, column in columns.items() if column in lines}
    common = lines.dropna(subset=list(columns.values()))
    rows = []
    for name, column in columns.items():
        for which, chosen in by_choice(lines.dropna(subset=[column]), common):
            scores_of = score_probabilities(chosen[column], chosen["true"])
            rows.append({"forecaster": name, **which, **scores_of})
    return pd.DataFrame(rows)


def score_probabilities(probability: pd.Series, true: pd.Series) -> dict[str, Any]:
    """Return the `scores` of probabilities of lines, of which some have no answer."""
    verdict = np.where(np.isnan(true), "no answer", "answered")
    table = pd.DataFrame({"probability": probability, "true": true, "verdict": verdict})
    numbers = scores(table)
    numbers.pop("verdicts")
    return {
        "forecasts" if name == "lines" else name: value
        for name, value in numbers.items()
    }


def interval_score(low: Any, high: Any, level: float, value: Any) -> Any:
    """Return the interval score: width, and what lies outside times 2 / (1 - level).

    Gneiting and Raftery (2007), equation 43; the lower, the better.

    Examples
    --------
    >>> interval_score(1.0, 3.0, 0.5, np.array([2.0, 4.0])).tolist()
    [2.0, 6.0]
    """
    outside = np.maximum(low - value, 0) + np.maximum(value - high, 0)
    return high - low + 2 / (1 - level) * outside


def score_if_right(level: float) -> float:
    """Return the interval score that is expected of a normal quantity, in widths of the interval.

    Examples
    --------
    >>> round(score_if_right(0.9), 3), round(score_if_right(0.5), 3)
    (1.254, 1.885)
    """
    z = norm.isf((1 - level) / 2)
    beyond = norm.pdf(z) - z * norm.sf(z)  # mean distance beyond one end
    return float(1 + 2 / (1 - level) * beyond / z)


def score_amounts(lines: pd.DataFrame) -> pd.DataFrame:
    """Return one row a forecaster, choice of lines and kind of evidence.

    Amounts have several units. So each score is divided by the mean width of the forecasters' 90 %
    intervals for the line: the same number for all of them.
    """
    lines = lines[lines["unit"] != ""]
    starts = {
        name: start for name, start in FORECASTERS.items() if f"{start}low_90" in lines
    }
    widths = [lines[f"{s}high_90"] - lines[f"{s}low_90"] for s in starts.values()]
    lines = lines.assign(scale=pd.concat(widths, axis=1).mean(axis=1))
    forecast = {
        name: lines.dropna(subset=[start + e for e in ENDS])
        for name, start in starts.items()
    }
    common = set.intersection(*(set(rows["id"]) for rows in forecast.values()))
    scored = []
    for name, rows in forecast.items():
        for which, chosen in by_choice(rows, rows[rows["id"].isin(common)]):
            scores_of = score_intervals(chosen, starts[name])
            scored.append({"forecaster": name, **which, **scores_of})
    return pd.DataFrame(scored)


def score_intervals(rows: pd.DataFrame, start: str) -> dict[str, float]:
    """Return how often intervals hold the amount, beside chance, and their mean score."""
    answered = rows.dropna(subset=["number"])
    n = len(answered)
    numbers: dict[str, float] = {"forecasts": len(rows), "answered": n}
    for level in LEVELS if n else ():
        low, high = (
            answered[f"{start}{end}_{100 * level:.0f}"] for end in ("low", "high")
        )
        inside = answered["number"].between(low, high)
        score = interval_score(low, high, level, answered["number"]) / answered["scale"]
        right = score_if_right(level) * (high - low) / answered["scale"]
        least, most = binom.ppf([0.025, 0.975], n, level) / n
        numbers |= {
            f"inside {level:.0%}": inside.mean(),
            f"inside {level:.0%} by chance, low": least,
            f"inside {level:.0%} by chance, high": most,
            f"score {level:.0%}": score.mean(),
            f"score {level:.0%} if right": right.mean(),
        }
    return numbers
