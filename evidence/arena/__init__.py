"""The cases that the table of the arena holds, which `evidence.studies.arena` computes."""

import pandas as pd

from evidence.arena.ranked_cases import CASE, rank_cases
from evidence.data import NAMES, load_results

DOMAINS = NAMES["domains"]


def load_cases() -> pd.DataFrame:
    """Return the cases of ``data/results/arena.csv``, see `ranked_cases.rank_cases`."""
    return rank_cases(load_results("arena"))


def load_peer_cases() -> pd.DataFrame:
    """Return the cases that other libraries' maps met, with theirs and those of `load_cases`."""
    theirs = load_results("arena_peers")
    ours = load_results("arena").merge(theirs[CASE].drop_duplicates())
    return rank_cases(pd.concat([ours, theirs], ignore_index=True))
