"""Compute the tables of all public predictions: `python -m data.results base`.

The last four resample, or rest on what does: they take hours.
"""

from book.evidence import source_names

from . import extra, halves
from .evaluate import measure
from .intervals import intervals
from .replicate import replication
from .tables import compute_pieces


def half_rows():
    return compute_pieces("halves", halves.half_values, halves.sources())


TABLES = {
    "metrics": lambda: compute_pieces("metrics", measure, source_names()),
    "missing_mass": extra.missing_mass,
    "halves": lambda: map(halves.summary, half_rows()),
    "replication": lambda: replication(half_rows()),
    "preprocessing": extra.preprocessing,
    "intervals": lambda: compute_pieces("intervals", intervals, source_names()),
}
