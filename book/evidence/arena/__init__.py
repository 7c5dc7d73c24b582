"""The arena: its prediction sets, and how its maps are ranked."""

from book.evidence.arena.rules import (
    CLASSES,
    SIZE_NAMES,
    by_dataset,
    cases,
    decision_map,
    friedman,
    halves,
    interval,
    load_cases,
    ranking,
)
from book.evidence.arena.sets import PredictionSet, load_set, set_names

__all__ = [
    "CLASSES",
    "SIZE_NAMES",
    "PredictionSet",
    "by_dataset",
    "cases",
    "decision_map",
    "friedman",
    "halves",
    "interval",
    "load_cases",
    "load_set",
    "ranking",
    "set_names",
]
