"""Tables of a report: ranges of the score, classes, and the confidences kept with a map."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import expit

from calib_report.measuring.outcome import Outcome
from calib_report.schema import BinRow, ClassRow

FEWEST_OF_BIN = 10  # samples of a bin below which it says little
# of ranges of the confidence
ENDS_OF_RANGES = np.append(expit(np.arange(-4, 16.25, 0.25)), np.inf)


def rows_of(columns: Mapping[str, Any]) -> list[Any]:
    """Return the rows of columns by name, dicts of plain numbers; who calls says of which type."""
    lists = (c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values())
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


def bin_table(outcome: Outcome) -> list[BinRow]:
    """Return the ranges of the score that hold samples."""
    bins = outcome.bins
    columns = {
        "from": bins.edges[:-1],
        "to": bins.edges[1:],
        "samples": bins.count,
        "confidence": bins.mean_score,
        "accuracy": bins.mean_hit,
        "part_of_ece": abs(bins.gap_sum) / len(outcome.score),
        "says_little": bins.count < FEWEST_OF_BIN,
    }
    return [row for row in rows_of(columns) if row["samples"]]


def class_table(names: list[str], outcome: Outcome) -> list[ClassRow]:
    """Return each class's frequency, mean probability and error, worst error first."""
    if outcome.task != "classes":
        return []
    count, score, gap = outcome.by_class
    n, samples = count[0].sum(), np.rint((score + gap).sum(axis=1))
    columns = {
        "class": names,
        "samples": samples.astype(int),
        "frequency": samples / n,
        "mean_probability": score.sum(axis=1) / n,
        "one_vs_rest_ece": np.abs(gap).sum(axis=1) / n,
    }
    return sorted(rows_of(columns), key=lambda row: -float(row["one_vs_rest_ece"]))


def confidences(p: np.ndarray) -> dict[str, Any]:
    """Return the mean confidence and how many lie in each range, to be saved with a map."""
    top = p.max(axis=1).astype(float)
    counts = np.bincount(
        np.searchsorted(ENDS_OF_RANGES, top), minlength=len(ENDS_OF_RANGES)
    )
    return {"mean": float(top.mean()), "counts": counts.tolist()}
