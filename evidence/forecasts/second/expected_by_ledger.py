"""What the ledger expects of the second set.

The model of shares (`new_networks`) is asked about the networks themselves (`asked_networks`): on
this data set, by an author that it does not know, of models that it may know from others. A line is
about counts (`expected_counts`), an amount of networks (`expected_amounts`) or one of language
models (`expected_of_models`). What the evidence of the ledger cannot tell is left empty. The list
of forecasts is sealed with these columns (`with_columns`); nothing writes them again.
"""

import numpy as np
import pandas as pd

from evidence.data import csv_frame, read_declared
from evidence.forecasts.second import registered
from evidence.forecasts.second.asked_networks import QUANTILES, Forecast
from evidence.forecasts.second.expected_amounts import forecast_of_networks
from evidence.forecasts.second.expected_counts import QUESTIONS, forecast_of_counts
from evidence.forecasts.second.expected_of_models import forecast_of_language
from evidence.forecasts.second.registered import Line

COLUMNS_OF_LEDGER = [
    "ledger_probability",
    *(f"ledger_{end}" for end in QUANTILES),
    "base_probability",
]
SURE = 0.001  # no forecast is nearer to zero or one


def forecast_of_line(line: Line) -> Forecast | None:
    """Return what the ledger expects of a line: a probability, or ends of intervals, or None."""
    of_claim = line.rule in ("one network", "share above half", "share")
    if of_claim or line.id in QUESTIONS:
        return forecast_of_counts(line)
    if line.frame in ("network table", "ensemble table") and line.rule != "correlation":
        return forecast_of_networks(line)
    return forecast_of_language(line)


def base_rate() -> float:
    """Return the share of the first set's answered forecasts that came true."""
    verdicts = csv_frame(read_declared("forecasts/verdicts.csv"))
    return float(verdicts["true"].mean())


def with_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Return the list of forecasts with what the ledger and the base rate say, as text."""
    base = base_rate()
    cells_of_lines = []
    for row in table.to_dict("records"):
        line = registered.line_of(row)
        forecast = forecast_of_line(line) or {}
        cells = {f"ledger_{name}": f"{value:.4g}" for name, value in forecast.items()}
        if "probability" in forecast:
            probability = np.clip(forecast["probability"], SURE, 1 - SURE)
            cells["ledger_probability"] = f"{probability:.3f}"
        if not line.is_amount:
            cells["base_probability"] = f"{base:.3f}"
        cells_of_lines.append(cells)
    columns = pd.DataFrame(cells_of_lines, index=table.index).reindex(
        columns=COLUMNS_OF_LEDGER
    )
    return pd.concat(
        [table.drop(columns=COLUMNS_OF_LEDGER, errors="ignore"), columns], axis=1
    )
