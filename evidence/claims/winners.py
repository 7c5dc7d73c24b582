"""How much oftener two halves of a test set name different best methods by one error than another.

The halves of each network are stored, ``data/results/maps/best_maps_of_halves.csv``; the model of
amounts says what networks of another data set have.
"""

import pandas as pd

from evidence.claims.amounts import Amounts, amounts
from evidence.claims.estimates import codes_of
from evidence.claims.frames import split_half
from evidence.claims.kin import relatives
from evidence.claims.shares import EFFECTS
from evidence.claims.stored import load_scales
from evidence.data import DATA_SETS


def differing_winners(
    methods: str = "guo", metrics: tuple[str, ...] = ("ECE", "NLL")
) -> pd.DataFrame:
    """Return the share of splits whose halves name different best methods, one row a network.

    The index has its name and its data set, each column is a metric.
    """
    rows = split_half().query(
        "methods == @methods and first == second and first in @metrics"
    )
    rows = rows.assign(dataset=rows["dataset"].replace(DATA_SETS))
    return rows.pivot_table(
        index=["case", "dataset"], columns="first", values="differs"
    )


def difference_of_metrics(
    differing: pd.DataFrame, first: str = "ECE", second: str = "NLL"
) -> Amounts:
    """Return by how much oftener `first` names different methods, as `Amounts`.

    A network has the effects of its data set, of its author and of its model; we are one author.
    """
    rows = (differing[first] - differing[second]).rename("total").reset_index()
    rows = rows.assign(**relatives(rows["case"]) | {"dataset": rows["dataset"]})
    return amounts(rows["total"], codes_of(rows[list(EFFECTS)]), load_scales())
