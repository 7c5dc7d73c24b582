"""Networks that may be alike: their data set, their author and their model."""

from functools import cache
from typing import Any

import pandas as pd

from evidence.claims.frames import calarena, public_sources, zoo_cases


def with_relatives(rows: pd.DataFrame, evidence: str) -> pd.DataFrame:
    """Return the rows with the author and the model of each case: networks that may be alike."""
    if "case" not in rows:
        return rows
    if "kin" not in rows:
        model = rows["case"].map(models_of_networks())
        family = next((rows[c] for c in ("family", "model") if c in rows), model)
        # what a table says of a public network goes before what its source says
        first, second = (family, model) if evidence == "public" else (model, family)
        rows = rows.assign(kin=first.fillna(second))
    if evidence == "zoo":
        return rows.assign(author="ours")
    author = rows["case"].str.partition("-")[0]
    return rows.assign(author=author) if author.isin(public_authors()).all() else rows


@cache
def models_of_networks() -> dict[str, str]:
    """Return the model of each public network, by its name, and of ours, by their settings."""
    public = public_sources().dropna(subset=["model"]).set_index("name")["model"]
    ours = zoo_cases().set_index("case")["architecture"]
    return public.to_dict() | ours.to_dict()


@cache
def public_authors() -> frozenset[str]:
    """Return who made the public predictions: the first word of their names."""
    names = public_sources().dropna(subset=["model"])["name"]
    return frozenset(["calarena", *names.str.partition("-")[0]])


def relatives(cases: pd.Index) -> dict[str, Any]:
    """Return the data set, the author and the model of networks, public ones or ours.

    A ValueError names a network that is neither.
    """
    public = public_sources().set_index("name")
    ours = zoo_cases().drop_duplicates("case")
    networks = pd.concat([public[["dataset", "model"]], calarena_networks()])
    networks["author"] = networks.index.str.partition("-").get_level_values(0)
    ours = (
        ours.set_index("case")
        .rename(columns={"architecture": "model"})
        .assign(author="ours")
    )
    networks = pd.concat([networks, ours[["dataset", "model", "author"]]])
    networks = networks[~networks.index.duplicated()]
    unknown = set(cases) - set(networks.index)
    if unknown:
        raise ValueError(
            f"cases: {min(unknown)!r} is no public network and none of ours"
        )
    networks = networks.loc[list(cases)]
    return {
        "dataset": networks["dataset"].to_numpy(),
        "author": networks["author"].to_numpy(),
        "kin": networks["model"].fillna("").to_numpy(),
    }


def calarena_networks() -> pd.DataFrame:
    """Return the data set and the model of the networks of another group, by their names."""
    rows = calarena().drop_duplicates("case").set_index("case")
    return rows[["dataset", "model"]]
