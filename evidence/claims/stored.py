"""The ledger's tables as ``data/ledger`` stores them: read, and written as text.

`evidence.claims.ledger` judges, and ``python -m evidence.claims --update`` stores what it finds.
"""

import pandas as pd

from evidence.claims import frames
from evidence.claims.claim import file_name
from evidence.claims.shares import EFFECTS

# the types of columns that are empty where nothing is counted
TYPES_OF_COUNTS = dict.fromkeys(
    ["datasets", "authors", "models", "agreeing", "cases"], "Int64"
)
TEXTS = ["what", "unit", "by_data", "agree", "against", "settings"]


def load_pooled() -> pd.DataFrame:
    """Return what sentences of one group have in common, ``data/ledger/ledger-pooled.csv``."""
    return frames.read_table("ledger/ledger-pooled.csv").set_index("group")


def load_scales() -> dict[str, float]:
    """Return the scales of the spreads' priors, ``data/ledger/ledger-spreads.csv``."""
    return (
        frames.read_table("ledger/ledger-spreads.csv")
        .set_index("effect")["scale"]
        .to_dict()
    )


def load_networks() -> pd.DataFrame:
    """Return the networks of all claims, ``data/ledger/ledger-networks.csv``."""
    table = frames.read_table("ledger/ledger-networks.csv")
    return table.fillna(dict.fromkeys(EFFECTS, "")).astype(dict.fromkeys(EFFECTS, str))


def load_ledger(paper: str | None = None, *, part: str = "papers") -> pd.DataFrame:
    """Return what `judge_all` found, as stored in ``data/ledger``, its dashes restored."""
    ledger = frames.read_table(file_name("ledger", part, "csv")).astype(TYPES_OF_COUNTS)
    # one may be empty throughout
    ledger[TEXTS] = ledger[TEXTS].astype(object).fillna("")
    ledger = ledger.assign(
        **{c: ledger[c].str.replace(" - ", " – ") for c in ("where", "says")}
    )
    return (
        ledger
        if paper is None
        else ledger[ledger["paper"] == paper].reset_index(drop=True)
    )


def as_csv(table: pd.DataFrame) -> str:
    """Return the text of a table as it is stored."""
    return table.to_csv(index=False, float_format="%.4g", lineterminator="\n")
