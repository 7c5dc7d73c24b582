"""The evidence of the book: the papers' tables, public predictions, our networks, the ledger.

What is here knows the folder ``data`` and is no part of the library `calib`. `claims`, the ledger,
is imported by its name.
"""

from book.evidence.data import (
    PAPERS,
    Predictions,
    UndeclaredDataError,
    check_paired,
    csv_frame,
    data_folder,
    load_published,
    load_results,
    load_zoo,
    read_declared,
    zoo_index,
)
from book.evidence.outputs import Outputs
from book.evidence.sources import load_source, source_index, source_names

__all__ = [
    "PAPERS",
    "Outputs",
    "Predictions",
    "UndeclaredDataError",
    "check_paired",
    "csv_frame",
    "data_folder",
    "load_published",
    "load_results",
    "load_source",
    "load_zoo",
    "read_declared",
    "source_index",
    "source_names",
    "zoo_index",
]
