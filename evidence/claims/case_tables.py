"""Tidy rows as tables with a row a case, and the names that a reader knows."""

from typing import Any

import pandas as pd

from evidence import data

WORDS = data.DATA_SETS | {
    "batch_norm": "batch normalisation",
    "weight_decay": "weight decay",
    "label_noise": "label noise",
    "value": "calibration error",
    "log_parameters": "size",
    "none": "clean",
    "BiTM": "BiT",
}
# a claim may name one, or several; a level may be a number
Names = str | int | list[str]


def select(rows: pd.DataFrame, column: str, values: Any) -> pd.DataFrame:
    """Return the rows with one of the values; a network of several blocks is in each of them."""
    if column == "block":
        return rows[
            rows[column].str.split().map(set(as_list(values)).intersection).astype(bool)
        ]
    return rows[rows[column].isin(as_list(values))]


# of an index of cases: levels that tell networks apart, and others that may tell cells apart
NETWORK_LEVELS = ("dataset", "case", "model")
LEVELS_WITH_CASE = ("dataset", "metric", "method", "case", "twin")
LEVELS_IN_PRINT = ("metric", "dataset", "model", "loss", "method")


def network_columns(rows: pd.DataFrame) -> list[str]:
    """Return the columns that tell networks apart."""
    return [column for column in ("dataset", "case") if column in rows]


def case_table(rows: pd.DataFrame, column: str = "method") -> pd.DataFrame:
    """Return a table with a row a case and a column for each value of ``column``.

    The index has the levels of `case_levels`. Rows that these do not tell apart are the seeds of
    one network: their mean counts.

    Examples
    --------
    >>> rows = pd.DataFrame({"case": ["n", "n", "n"], "method": ["A", "A", "B"]})
    >>> case_table(rows.assign(value=[1.0, 3.0, 5.0])).to_dict("index")
    {'n': {'A': 2.0, 'B': 5.0}}
    """
    levels = case_levels(rows, column)
    filled = {
        level: rows[level].astype(object).where(rows[level].notna(), "")
        for level in levels
    }
    return rows.assign(**filled).pivot_table(
        index=levels, columns=column, values="value"
    )


def case_levels(rows: pd.DataFrame, column: str) -> list[str]:
    """Return the columns that tell cases apart: networks, and cells where there are several.

    A metric, method or loss that all rows share is no level, so that it stands in no name.
    """
    by_case = "case" in rows and column != "model"
    levels = LEVELS_WITH_CASE if by_case else LEVELS_IN_PRINT
    return [
        level
        for level in levels
        if level != column
        and level in rows
        and (level in NETWORK_LEVELS or rows[level].astype(str).nunique() > 1)
    ]


def with_members(table: pd.DataFrame, *members: Any) -> pd.DataFrame:
    """Return a table of cases with a column for each member, or list of members.

    A known name that no network has is an empty column: it makes no cases, and no error.

    Examples
    --------
    >>> with_members(pd.DataFrame({"A": [1.0]}), "A", ["B", "C"])
         A   B   C
    0  1.0 NaN NaN
    """
    names = [name for member in members for name in as_list(member)]
    missing = [name for name in dict.fromkeys(names) if name not in table]
    return table.reindex(columns=[*table, *missing]) if missing else table


def as_list(value: Any) -> list[Any]:
    """Return a list as it is and anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def readable(value: Any) -> str:
    """Return a name as a reader knows it, or the names of a list with commas."""
    return ", ".join(WORDS.get(name, str(name)) for name in as_list(value))
