"""The figures of a report, as SVG whose bytes depend on the numbers alone."""

import base64
import re
from typing import Any

import numpy as np

from calib import consistency_band
from calib_report.measuring.outcome import Outcome
from calib_report.measuring.tables import FEWEST_OF_BIN, rows_of
from calib_report.schema import TimeTable
from calib_report.wording.rendering import templates

DATE = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d|$)")
LONGEST = 12  # characters of a label below an axis
MOST_LABELS = 7


def reliability(outcome: Outcome, words: tuple[str, str]) -> str:
    """Return a reliability diagram with its band, bins of few samples shaded, in base64."""
    bins, band = outcome.bins, consistency_band(outcome.score)
    score, hit, count = bins.mean_score, bins.mean_hit, bins.count
    columns = {
        "left": bins.edges[:-1],
        "right": bins.edges[1:],
        "score": score,
        "hit": hit,
    }
    columns |= {"low": band.low, "high": band.high, "share": count / count.sum()}
    rows = rows_of(columns | {"few": count < FEWEST_OF_BIN, "over": score >= hit})
    error = abs(bins.gap_sum).sum() / count.sum()
    return _svg(
        "reliability", bins=[r for r in rows if r["share"]], words=words, error=error
    )


def in_time(table: TimeTable, changed: bool, words: tuple[str, str]) -> str:
    """Return confidence less accuracy, period by period, in base64."""
    rows = [row for row in table["periods"] if "low" in row["before"]]
    sides = ("before", "after")[: 1 + changed]
    excesses = [row["before"] for row in rows]
    if changed:
        excesses += [row["after"] for row in rows]
    # zero always shows, and a hundredth above it where all excesses are smaller
    low = min([0.0, *(excess["low"] for excess in excesses)])
    high = max([0.01, *(excess["high"] for excess in excesses)])
    labels = short_labels([row["from"] for row in rows])
    ticks = _ticks(low, high)
    return _svg("time", rows=rows, labels=labels, sides=sides, words=words, ticks=ticks)


def _ticks(low: float, high: float) -> list[float]:
    """Return at most eight round numbers, the first and the last beyond the ends."""
    steps = np.multiply.outer(10.0 ** np.arange(-4, 2), [1, 2, 5]).ravel()
    step = steps[high - low <= 6 * steps][0]
    ticks = step * np.arange(np.floor(low / step), np.ceil(high / step) + 1)
    return [float(tick) for tick in ticks]


def short_labels(moments: list[str]) -> list[str]:
    """Return moments without what they share or what is finer than they need; at most seven."""
    texts = [moment.replace("T", " ").removesuffix(":00") for moment in moments]
    if all(map(DATE.match, texts)):
        texts = _short_dates(texts)
    every = 1 + (len(texts) - 1) // MOST_LABELS
    labels = [""] * len(texts)
    labels[::every] = map(_shortened, texts[::every])
    return labels


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _short_dates(texts: list[str]) -> list[str]:
    """Return days where they differ, else days and hours of one year."""
    days = [text[:10] for text in texts]
    if len(set(days)) == len(days):
        return days
    is_one_year = len({day[:4] for day in days}) == 1
    return [text[5:16] for text in texts] if is_one_year else texts


def _svg(name: str, **values: Any) -> str:
    svg = templates().get_template(f"{name}.svg").render(values)
    return base64.b64encode(svg.encode()).decode()
