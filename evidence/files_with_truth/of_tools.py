"""Files of predictions as tools and people write them, with what each should be read as.

All hold the same 120 samples of three classes, or what their format has instead.
`python -m evidence.studies reading_of_files` writes what comes of each to
data/results/software/reading_of_files.csv.
"""

from evidence.files_with_truth.arrays import ARRAYS
from evidence.files_with_truth.logs import LOGS
from evidence.files_with_truth.oddities import ODDITIES
from evidence.files_with_truth.refused import REFUSED
from evidence.files_with_truth.structured import STRUCTURED
from evidence.files_with_truth.tables import TABLES
from evidence.files_with_truth.two_files import TWO_FILES

CASES = [
    *ARRAYS,
    *TABLES,
    *TWO_FILES,
    *STRUCTURED,
    *LOGS,
    *ODDITIES,
    *REFUSED,
]
