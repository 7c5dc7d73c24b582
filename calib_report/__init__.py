"""A report on your own model: measure it, compare recalibration maps, recommend one.

`make_report` writes one HTML page without external parts, the numbers as JSON, and the recommended
map; `apply_map` applies that map to new outputs. A name that is imported as itself is public.

`calib check` and `calib join` end in an exit status: who needs what they hold in Python imports
`judge` from `calib_report.gating.rules`, `remember` and `join` from `calib_report.gating.memory`.
"""

from calib_report.analysing.analysis import analyse as analyse
from calib_report.applying.apply_map import apply_map as apply_map
from calib_report.contract import ReadingError as ReadingError
from calib_report.deciding.advice import SITUATIONS as SITUATIONS
from calib_report.deciding.advice import advice as advice
from calib_report.deciding.comparison_of_maps import compare_maps as compare_maps
from calib_report.deciding.recommendation import fitted_map as fitted_map
from calib_report.deciding.recommendation import recommend as recommend
from calib_report.measuring.two_models import compare as compare
from calib_report.model_outputs import ModelOutputs as ModelOutputs
from calib_report.proposing.proposals import propose as propose
from calib_report.reading.interpretation import Reading as Reading
from calib_report.reading.reader import read as read
from calib_report.writing.make_report import make_report as make_report
