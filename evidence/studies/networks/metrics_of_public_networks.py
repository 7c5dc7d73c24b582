"""Compute metrics_of_public_networks.csv: every metric under every calibrator, for hours."""

from evidence import source_names
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.metrics_of_sources import measure_source


def rows() -> list[Row]:
    return compute_pieces("metrics_of_public_networks", measure_source, source_names())
