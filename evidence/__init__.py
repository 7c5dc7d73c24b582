"""The evidence of the book: the papers' tables, public predictions, our networks, the ledger.

What is here reads and writes the folder ``data`` and is no part of the library `calib`. Its parts
have an order, `PARTS` in ``tests/house/test_house.py``: each imports only those before it. This
module offers what loads evidence, of `data`, `network_outputs` and `sources`; `book` and chapters
import it. Most commands are ``python -m evidence.PART``; each part says its own.
"""

from evidence.data import PAPERS_WITH_TABLES as PAPERS_WITH_TABLES
from evidence.data import Predictions as Predictions
from evidence.data import UndeclaredDataError as UndeclaredDataError
from evidence.data import check_paired as check_paired
from evidence.data import csv_frame as csv_frame
from evidence.data import data_folder as data_folder
from evidence.data import load_published as load_published
from evidence.data import load_results as load_results
from evidence.data import load_zoo as load_zoo
from evidence.data import read_declared as read_declared
from evidence.data import zoo_index as zoo_index
from evidence.network_outputs import Outputs as Outputs
from evidence.sources import load_source as load_source
from evidence.sources import source_index as source_index
from evidence.sources import source_names as source_names
