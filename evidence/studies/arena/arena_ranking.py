"""Compute arena_ranking.csv: the maps of the arena ranked, for each selection of networks."""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from evidence.arena import DOMAINS, load_cases, load_peer_cases, ranking
from evidence.arena.ranked_cases import CLASSES, SIZE_NAMES
from evidence.rows import Row

DIGITS = 4


def selections(ranked: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the networks that the leaderboard can show: a mask of the cases by name."""
    domain = ranked["dataset"].map(
        {d: name for name, sets in DOMAINS.items() for d in sets}
    )
    return {
        "all": np.ones(len(ranked), bool),
        **{f"{name} classes": (ranked["group"] == name).to_numpy() for name in CLASSES},
        **{name: (domain == name).to_numpy() for name in DOMAINS},
    }


def rank(ranked: pd.DataFrame) -> Iterator[Row]:
    """Return one row a selection of networks, size and map."""
    for networks, of_networks in selections(ranked).items():
        yield from rank_sizes(networks, ranked[of_networks])


PEERS = "those of other libraries' maps"


def rank_sizes(networks: str, ranked: pd.DataFrame) -> Iterator[Row]:
    """Return one row a size and map; over all sizes only maps that were fitted at each."""
    for size in ("all", *SIZE_NAMES):
        common = ranked if size == "all" else ranked[ranked["size"] == size]
        # over all sizes a map counts that ran at each of them
        sizes = common.groupby("map")["size"].transform("nunique")
        common = common[sizes == common["size"].nunique()]
        if len(common):
            ranks = ranking.ranking(common).reset_index()
            head = {"networks": networks, "size": size}
            yield from (head | row for row in ranks.to_dict("records"))


def rows() -> Iterable[Row]:
    return [*rank(load_cases()), *rank_sizes(PEERS, load_peer_cases())]
