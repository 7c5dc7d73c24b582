"""Rows of methods as the tests of claims read them, and the networks that agree."""

import pandas as pd


def long(cells, columns=("case", "method", "value"), **about):
    """Rows of a metric on a data set."""
    rows = pd.DataFrame(cells, columns=list(columns))
    return rows.assign(**{"dataset": "a", "metric": "ECE"} | about)


def by_method(table, metric="ECE"):
    """Rows of each network's methods: {"n1": {"A": 1.0, "B": 2.0}}."""
    cells = [(n, m, x) for n, methods in table.items() for m, x in methods.items()]
    return long(cells, metric=metric)


def who_agree(cases):
    """The networks that agree with a claim."""
    return {*cases.values[cases.values].index.get_level_values("case")}
