"""Compute arena.csv: every map on every prediction set that the table lacks.

The protocol is a chapter of the book. `arena_ranking` ranks the maps, `arena_decisions` decides.
"""

from evidence.arena.every_map import (
    ARENA_MAPS,
    MOST_CLASSES,
    SLOW,
    fit_to_prediction_set,
)
from evidence.arena.prediction_sets import load_set, set_names
from evidence.pieces import stored_and_computed
from evidence.rows import Row


def measure_set(name: str) -> list[Row]:
    """Return the rows of all maps, orders and sizes on one prediction set."""
    samples = load_set(name)
    slow = SLOW if samples.calibration_logits.shape[1] > MOST_CLASSES else ()
    maps = {
        map_name: factory
        for map_name, factory in ARENA_MAPS.items()
        if map_name not in slow
    }
    return fit_to_prediction_set(samples, samples.calibration_sets, maps)


def rows() -> list[Row]:
    return stored_and_computed("arena", measure_set, set_names(), "set")
