"""The evidence of the book: the papers' tables, public predictions, our networks, the ledger.

What is here reads and writes the folder ``data`` and is no part of the library `calib`. Its parts
have an order, `PARTS` in ``tests/house/test_house.py``: each imports only those before it. This
module offers what loads evidence, of `data`, `network_outputs` and `sources`; `book` and chapters
import it. Most commands are ``python -m evidence.PART``; each part says its own.
"""

from evidence.data import (
    PAPERS_WITH_TABLES,
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
from evidence.network_outputs import Outputs
from evidence.sources import load_source, source_index, source_names

__all__ = [
    "PAPERS_WITH_TABLES",
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
