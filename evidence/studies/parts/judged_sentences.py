"""The sentences that the stored ledgers judge by the model, and the likelihoods of their counts."""

from functools import cache

import pandas as pd

from evidence.claims import shares, stored
from evidence.claims.claim import PARTS
from evidence.claims.estimates import likelihood_of


def judged_elsewhere() -> pd.DataFrame:
    """Return what counts in the stored ledgers and is judged by the model, on networks."""
    rows = pd.concat([stored.load_ledger(part=part) for part in PARTS])
    rows = rows[
        rows["status"].isin(["claim", "theorem"]) & (rows["evidence"] != "published")
    ]
    known = set(stored_networks())
    return rows[
        [key in known for key in zip(rows["id"], rows["evidence"], strict=True)]
    ]


@cache
def stored_networks() -> dict[tuple[str, str], pd.DataFrame]:
    """Return the networks of each claim and kind of evidence."""
    return dict(list(stored.load_networks().groupby(["id", "evidence"], sort=False)))


@cache
def likelihood(key: tuple[str, str]) -> shares.Likelihood:
    """Return the likelihood of a claim's counts."""
    return likelihood_of(stored_networks()[key])
