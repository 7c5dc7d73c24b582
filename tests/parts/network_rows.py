"""Rows of networks that are alike in nothing."""

import pandas as pd


def networks(n, rng, **columns):
    names = [f"n{i}" for i in range(n)]
    rows = pd.DataFrame({"dataset": names, "case": names, "kin": names})
    return rows.assign(**{k: f(rng, n) for k, f in columns.items()})
