"""The board of the arena: how each recalibration map ranks."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from book.show import stills
from book.show.explorables.element import Contents, explorable

LIBRARIES = ("scikit-learn", "probmetrics", "netcal", "dirichletcal")
BOARD_COLUMNS = (
    *("gain", "low", "high", "rank", "best", "regret", "failed"),
    *("ece", "ece_chance", "accuracy_change", "fit_seconds", "datasets"),
)
MEAN_DIGITS = {"gain": 2, "ece": 5, "ece_chance": 5, "failed": 2}


@explorable
def arena_board(
    rows: pd.DataFrame,
    cases: pd.DataFrame,
    domains: Mapping[str, Any],
    peers: pd.DataFrame,
) -> Contents:
    """A table that sorts and filters, how each recalibration map ranks on the networks.

    `rows` is ``arena_ranking.csv``, `cases` and `peers` are what `evidence.arena.load_cases`
    and `load_peer_cases` return, `domains` names of data sets by domain.
    """
    maps, sizes, networks = (
        list(dict.fromkeys(rows[column])) for column in ("map", "size", "networks")
    )
    groups = list(dict.fromkeys(cases["group"]))
    settings = board_settings(cases, groups, domains)
    orders = {"setting": list(settings["setting"]), "size": sizes, "map": maps}
    data = {
        "maps": maps,
        "sizes": sizes,
        "networks": networks,
        "others": [maps.index(name) for name in maps if name.startswith(LIBRARIES)],
        "columns": BOARD_COLUMNS,
        "groups": [f"{group} classes" for group in groups],
        "domains": list(domains),
        "settings": settings.to_numpy(object).tolist(),
        "rows": board_rows(rows, maps),
        "cases": board_means(cases, peers, orders),
    }
    best = rows[(rows["networks"] == networks[0]) & (rows["size"] == sizes[0])]
    return data, stills.first_ten_bars(best["map"], best["gain"], "gain")


def board_settings(
    cases: pd.DataFrame, groups: list[str], domains: Mapping[str, Any]
) -> pd.DataFrame:
    """Return a row for each setting, its group and its domain by their places."""
    columns = ["setting", "dataset", "group", "classes"]
    settings = cases[columns].drop_duplicates("setting")
    settings["group"] = settings["group"].map(groups.index)
    domain: dict[str, int] = {}
    for number, datasets in enumerate(domains.values()):
        domain |= dict.fromkeys(datasets, number)
    settings.insert(3, "domain", settings["dataset"].map(domain))
    return settings


def board_means(
    cases: pd.DataFrame, peers: pd.DataFrame, orders: Mapping[str, list[Any]]
) -> list[Any]:
    """Return the means of settings by size and map, ours and then those of other libraries.

    `orders` has what settings, sizes and maps there are: a row has their places.
    """
    both = pd.concat([cases.assign(peers=0), peers.assign(peers=1)])
    keys = ["peers", "setting", "size", "map"]
    means = both.groupby(keys)[[*MEAN_DIGITS]].mean().reset_index()
    for key, order in orders.items():
        means[key] = means[key].map(order.index)
    for key, digits in MEAN_DIGITS.items():
        means[key] = [round(value, digits) for value in means[key]]
    # as objects, so that places stay integers beside the rounded means
    table: list[Any] = means[[*orders, *MEAN_DIGITS, "peers"]].to_numpy(object).tolist()
    return table


def board_rows(rows: pd.DataFrame, maps: list[str]) -> dict[str, list[Any]]:
    """Return the ranking by networks and size, None for NaN, each map by its place."""
    # JSON has no NaN, and a column of numbers no None: the columns are objects then
    board = rows.astype(dict.fromkeys(BOARD_COLUMNS, float)).astype(object)
    board = board.assign(map=rows["map"].map(maps.index)).where(board.notna(), None)
    return {
        f"{networks}|{size}": table[[*BOARD_COLUMNS, "map"]].to_numpy().tolist()
        for (networks, size), table in board.groupby(["networks", "size"])
    }
