"""The evidence of the book: the papers' tables, public predictions, our networks, the ledger.

What is here knows the folder ``data`` and is no part of the library `calib`.
"""

from book.evidence.data import PAPERS as PAPERS
from book.evidence.data import Predictions as Predictions
from book.evidence.data import UndeclaredDataError as UndeclaredDataError
from book.evidence.data import check_paired as check_paired
from book.evidence.data import csv_frame as csv_frame
from book.evidence.data import data_folder as data_folder
from book.evidence.data import load_published as load_published
from book.evidence.data import load_results as load_results
from book.evidence.data import load_zoo as load_zoo
from book.evidence.data import read_declared as read_declared
from book.evidence.data import zoo_index as zoo_index
from book.evidence.outputs import Outputs as Outputs
from book.evidence.sources import load_source as load_source
from book.evidence.sources import source_index as source_index
from book.evidence.sources import source_names as source_names
