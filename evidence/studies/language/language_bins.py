"""Compute language_bins.csv: bins of the diagrams of models whose answers are not kept."""

from collections.abc import Iterator

import calib
from evidence.language.all_answers import choice_sources
from evidence.language.originals import Choices
from evidence.rows import Row, rows_of_bins

DIGITS = 5


def bin_rows(choices: Choices) -> Iterator[Row]:
    """Bins of the diagrams of models whose answers are not kept."""
    scaling = calib.TemperatureScaling().fit(choices.logits, choices.y)
    for name, map_ in (("none", calib.softmax), ("temperature", scaling.predict_proba)):
        prob = map_(choices.logits)
        head = {
            "source": choices.source.partition("-")[0],
            "model": choices.model,
            "map": name,
        }
        for row in rows_of_bins(
            head, calib.equal_width(15)(*calib.top_label(choices.y, prob))
        ):
            yield row | {"hit_sum": int(row["hit_sum"])}


def rows() -> Iterator[Row]:
    for choices in choice_sources():
        yield from bin_rows(choices)
