"""Compute metrics.csv: every metric of all public predictions under every calibrator, for hours."""

from evidence import source_names
from evidence.studies.evaluate import measure_source
from evidence.studies.pieces import Row, compute_pieces


def rows() -> list[Row]:
    return compute_pieces("metrics", measure_source, source_names())
