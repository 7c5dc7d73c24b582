"""Compute metrics.csv, missing_mass.csv, halves.csv, replication.csv and preprocessing.csv.

`python -m evidence.studies studies.metrics` from the root, or with the name of one of these tables:
every metric of all public predictions under every calibrator, and what follows from them. Those
that resample, or rest on what does, take hours.
"""

from evidence import source_names
from evidence.studies import extra, halves
from evidence.studies.evaluate import measure
from evidence.studies.pieces import compute_pieces
from evidence.studies.replicate import replication


def half_rows():
    return compute_pieces("halves", halves.half_values, halves.sources())


TABLES = {
    "metrics": lambda: compute_pieces("metrics", measure, source_names()),
    "missing_mass": extra.missing_mass,
    "halves": lambda: map(halves.summary, half_rows()),
    "replication": lambda: replication(half_rows()),
    "preprocessing": extra.preprocessing,
}
