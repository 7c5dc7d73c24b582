"""The arena: maps of anyone fitted to many prediction sets at several sizes, and ranked.

`prediction_sets` are what is fitted to, `every_map` are the maps; `ranked_cases` and `ranking` say
which is better by the `arena_metrics`. For a map of your own there are fewer sets (`bundled_sets`,
which `bundle` writes), on which `one_map` ranks it. Built on `fit_and_measure`, `sources` and
`language`; studies compute its tables, the chapter on the arena draws them.

``python -m evidence.arena my_map.py:MyMap -o mine.csv`` ranks one map; ``make arena`` all of them.
"""

import pandas as pd

from evidence.arena.ranked_cases import CASE, rank_cases
from evidence.data import NAMES, load_results

DOMAINS = NAMES["domains"]


def load_cases() -> pd.DataFrame:
    """Return the cases of ``data/results/arena/arena.csv``, see `ranked_cases.rank_cases`."""
    return rank_cases(load_results("arena"))


def load_peer_cases() -> pd.DataFrame:
    """Return the cases that other libraries' maps met, with theirs and those of `load_cases`."""
    theirs = load_results("arena_peers")
    ours = load_results("arena").merge(theirs[CASE].drop_duplicates())
    return rank_cases(pd.concat([ours, theirs], ignore_index=True))
