"""After the recommended map: its numbers, what is asked of decisions by it, and the mistakes."""

from typing import Any

import numpy as np

from calib import TemperatureScaling
from calib_report.measuring import measure
from calib_report.measuring.by_group import group_tables
from calib_report.measuring.by_time import time_table
from calib_report.measuring.costs import cost_table
from calib_report.measuring.declining import COVERAGES, risk_at, threshold_to_decline
from calib_report.measuring.outcome import Outcome
from calib_report.measuring.request import Request
from calib_report.measuring.tables import bin_table, rows_of
from calib_report.model_outputs import ModelOutputs
from calib_report.schema import AfterMap, Mistake, RequestedNumbers

N_MISTAKES = 10


def after_map(
    outputs: ModelOutputs,
    before: Outcome,
    after: Outcome,
    fitted: Any,
    request: Request,
    rng: np.random.Generator,
    seed: int,
) -> AfterMap:
    """Return the numbers after the recommended map, `fitted`, and what is asked of decisions by it.

    `rng` is for what every report holds; what is asked draws from generators of its own, by the
    `seed`, so that one answer does not hang on what else is asked.
    """
    numbers = measure.first_numbers(after, rng=rng)
    groups = dict(outputs.groups)
    requested = RequestedNumbers()
    if request.costs is not None:
        requested["costs"] = cost_table(request.costs, before, after, outputs)
    if isinstance(fitted, TemperatureScaling):
        requested["temperature"] = fitted.temperature_
    if request.to_decline:
        requested["declined"] = threshold_to_decline(
            after, np.random.default_rng(seed), request
        )
    if request.time is not None:
        # the column of moments is read as one of groups, and shown as a line
        moments = groups.pop(request.time)
        requested["time"] = time_table(request.time, moments, before, after)
    return {
        "after": numbers,
        **requested,
        "bins_after": bin_table(after),
        "risk": [risk_at(share, before, after) for share in COVERAGES],
        "mistakes": mistakes(outputs, before),
        "groups": group_tables(before, after, groups),
    }


def mistakes(outputs: ModelOutputs, outcome: Outcome) -> list[Mistake]:
    """Return the most confident mistakes, the surest first."""
    score, right, _ = outcome.answer_pairs
    mistaken = np.flatnonzero(~right)
    # stable, so that ties stand in the order of the file
    worst = mistaken[np.argsort(-score[mistaken], kind="stable")][:N_MISTAKES]
    names, top = np.array(outputs.names), outputs.prob[worst].argmax(axis=1)
    predicted = np.ones_like(top) if outputs.task == "pairs" else top
    ids: list[str | None] = [None] * len(worst)
    if outputs.ids is not None:
        ids = [str(name) for name in outputs.ids[worst]]
    columns = {
        "row": worst,
        "id": ids,
        "label": names[outputs.y[worst]],
        "prediction": names[predicted],
        "confidence": score[worst],
    }
    return rows_of(columns)
