"""The prediction sets of the arena, and the cases that its table holds."""

from book.evidence.arena.sets import DOMAINS, PredictionSet, load_set, set_names
from book.evidence.data import load_results
from calib.arena.ranking import cases

__all__ = ["DOMAINS", "PredictionSet", "load_cases", "load_set", "set_names"]


def load_cases():
    """Return the cases of ``data/results/arena.csv``, see :func:`calib.arena.ranking.cases`."""
    return cases(load_results("arena"))
