"""What the answer desk takes from elsewhere: the texts of `calib_report`, and its ways' names.

In: `contract.toml`, `texts.toml`, `desk.toml` and the limits by which the application decides. Out:
one script, `texts.js`, so that no word and no limit is typed a second time.
"""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from calib import constants
from calib_report import limits, options
from calib_report.columns import labels_and_scores, scores
from calib_report.contract import CONTRACT
from calib_report.deciding import advice, decision
from calib_report.doubting import copies, doubts, suspicion
from calib_report.files import text_tables
from calib_report.measuring import estimates, measure, outcome
from calib_report.proposing import clues, guesses, proposals

CHAPTERS = Path(__file__).parents[2] / "chapters"
LABEL = re.compile(r"^\(([\w-]+)\)=\n# ", re.MULTILINE)
OWN = Path(__file__).with_name("desk.toml")
LIMITS_OF_COPIES = (
    "FIRST_SCORES",
    "DIGITS_OF_PROBABILITY",
    "DIGITS_OF_LOGIT",
    "WRITTEN",
    "ROWS_A_COPY",
    "FEWEST_DIFFERENT",
)
# What the desk's scripts decide by: a number of the application stands in them by its name alone.
LIMITS = {
    "NORMAL_95": constants.NORMAL_95,
    "SIGNIFICANCE_LEVEL": limits.SIGNIFICANCE_LEVEL,
    "FEWEST_SAMPLES": limits.FEWEST_SAMPLES,
    "SMALL_SAMPLE": limits.SMALL_SAMPLE,
    "FLOOR": constants.SMALLEST_PROBABILITY,
    "LARGEST_FLOOR": constants.LARGEST_FLOOR,
    "N_BINS": outcome.N_BINS,
    "SMALL_ERROR": decision.SMALL_ERROR,
    "BEARABLE": decision.BEARABLE,
    "TELLING": decision.TELLING,
    "N_RESAMPLES": measure.N_RESAMPLES,
    "ROUNDING_OF_SUMS": constants.ROUNDING_OF_SUMS,
    "SAME": estimates.SAME,
    "MOST_OFF": doubts.MOST_OFF,
    "TIED": doubts.TIED,
    "CLEARLY_TURNED": doubts.CLEARLY_TURNED,
    "ABSENT_BY_CHANCE": doubts.ABSENT_BY_CHANCE,
    "FEWEST_TO_TELL": limits.FEWEST_TO_TELL,
    "MOST_PROPOSED": proposals.MOST_PROPOSED,
    "DEEPEST": proposals.DEEPEST,
    "MOST_DISTINCT": clues.MOST_DISTINCT,
    "ROUNDING": scores.ROUNDING,
    "UNITS": scores.UNITS,
    "NO_NEED": scores.NO_NEED,
    "MOST_ATOL": options.MOST_ATOL,
    **{name: getattr(copies, name) for name in LIMITS_OF_COPIES},
    "OFF_WITH_IT": labels_and_scores.OFF_WITH_IT,
    "NEAR_WITHOUT_IT": labels_and_scores.NEAR_WITHOUT_IT,
    "SEVERAL": options.SEVERAL,
    "TAKEN_BACK": options.TAKEN_BACK,
    "SEPARATORS": list(text_tables.SEPARATORS),
    "LINES_OF_HEAD": text_tables.LINES_OF_HEAD,
}
WITHOUT_ARRAYS = ("arraysOfClasses",)  # the desk reads tables alone
# A file of the command has a heading, what is pasted may have none:
ALONE = {"pastedPairs": "Two columns without a heading"}
LIMITS_OF_SUSPICION = (
    "UNRELATED HONEST_SHARE HONEST_TEMPERATURE MARGIN CLEARLY_MOVED_CLASSES CLEARLY_MOVED_ROWS "
    "WELL_IN_PLACE HUGE_TEMPERATURE SMALL_TEMPERATURE ROUNDED NEARLY_LARGEST AT_THE_END"
).split()
SUSPICION = {name: getattr(suspicion, name) for name in LIMITS_OF_SUSPICION}


def texts() -> dict[str, Any]:
    """Return what the application says, by which numbers it decides, and the desk's own words."""
    tables = ("contract.toml", "texts.toml")
    read = [files("calib_report").joinpath(name).read_text("utf-8") for name in tables]
    tables_read = [tomllib.loads(text) for text in [*read, OWN.read_text("utf-8")]]
    computed = {
        "limits": LIMITS,
        "suspicion": SUSPICION,
        "likely_positive": guesses.LIKELY_POSITIVE,
        "ways": ways(),
        "nothing_said": options.DEFAULTS,
        "contract": CONTRACT,
        # as text: its integers have 128 bits, a number of JavaScript has 53
        "generator": {name: str(value) for name, value in _state().items()},
        "pages": pages(),
        "situations": advice.SITUATIONS,
        "few_classes": limits.MOST_CLASSES,
    }
    merged: dict[str, Any] = {}
    for table in [*tables_read, computed]:
        merged |= table
    return merged


def script() -> str:
    """Return the texts as a script."""
    return f"const TEXTS = {json.dumps(texts(), ensure_ascii=False)};\n"


def ways() -> dict[str, str]:
    """Return the titles of the ways by which a table is guessed, by their names in JavaScript."""
    titles = {camel(way.__name__): guesses.title_of(way) for way in guesses.WAYS}
    for name in WITHOUT_ARRAYS:
        del titles[name]
    return titles | ALONE


def pages() -> dict[str, str]:
    """Return the page of each chapter's label, from the root of the site."""
    by_label = {}
    for path in sorted(CHAPTERS.rglob("*.md")):
        label = LABEL.search(path.read_text("utf-8"))
        if label:
            by_label[label[1]] = path.relative_to(CHAPTERS).with_suffix("").as_posix()
    return by_label


def _state() -> Any:
    """Return the state of the generator that parts samples into folds."""
    return np.random.default_rng(0).bit_generator.state["state"]


def camel(name: str) -> str:
    """Return a name as JavaScript spells it: the desk has a function for each way."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
