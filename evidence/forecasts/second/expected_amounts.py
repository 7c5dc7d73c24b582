"""What the ledger expects of amounts of the sealed networks, from those of public ones.

An amount is a weighted sum over the new networks (`weights_of_line`) of an expression of metrics:
its random-effects mean, predicted for these (`forecast_of_amount`).
"""

import re
from functools import cache

import numpy as np
import pandas as pd

from evidence.claims import frames, kin, promise_frames
from evidence.forecasts.second import line_rules
from evidence.forecasts.second.asked_networks import (
    QUANTILES,
    Forecast,
    forecast_networks,
    of_the_fourteen,
    registered_scales,
)
from evidence.forecasts.second.new_networks import predicted
from evidence.forecasts.second.registered import Line, NoAnswerError

# which was taken for a network of another author when the ledger was asked, and left out
LEFT_OUT = "calarena-imagenet-resnet-152"
WHOLE_COLUMN = re.compile(r"\.(rank|min)\(")  # an expression that compares networks
CHANGES = {"temperature", "vector", "isotonic", "histogram"}


@cache
def public_table() -> pd.DataFrame:
    """Return all that is measured of public networks, one row each, with their relatives."""
    sets = promise_frames.prediction_sets()
    fitted = sets["calibrator"] == "temperature"
    names_of_cells = {"metric": "Temperature", "method": "Temperature scaling"}
    temperature = sets[fitted].assign(
        value=sets.loc[fitted, "temperature"], **names_of_cells
    )
    order = promise_frames.abstention_public()
    names = {f"Change of AURC by {name}": frames.METHODS[name] for name in CHANGES}
    order = order.assign(metric="Change of AURC by " + order["metric"].map(names))
    errors = frames.on_one_sample().query("case != @LEFT_OUT")
    parts = [errors, frames.details("public"), sets, temperature, order]
    rows = pd.concat([kin.with_relatives(part, "public") for part in parts])
    rows = rows.assign(cell=rows["metric"] + " " + rows["method"])
    keys = ["dataset", "case", "author", "kin"]
    rows[keys] = rows[keys].fillna("")
    return rows.pivot_table(index=keys, columns="cell", values="value").reset_index()


def weights_of_line(line: Line, new: pd.DataFrame) -> pd.Series | None:
    """Return the weight of each new network in a line's number, None if it is no sum of them."""
    parameters, cases = line.parameters, new["case"]
    if WHOLE_COLUMN.search(parameters["value"]) or parameters.get("take") in (
        "min",
        "max",
    ):
        return None
    fourteen = of_the_fourteen(cases)
    named = new.assign(family=cases.str.partition("-")[0])
    if line.rule == "number":
        return fourteen / fourteen.sum()
    if line.rule == "one number":
        return named.eval(parameters["at"]).astype(float)
    first, second = (
        named.eval(parameters[key]) & fourteen for key in ("first", "second")
    )
    return second / second.sum() - first / first.sum()


def forecast_of_networks(line: Line) -> Forecast | None:
    """Return what the public networks say of an amount of the fourteen, None if nothing."""
    new = forecast_networks()
    weights = weights_of_line(line, new)
    if weights is None:
        return None
    try:
        table = line_rules.complete(public_table(), line.parameters["value"])
        values = line_rules.evaluate(table, line.parameters["value"])
    except NoAnswerError:
        return None
    rows = table[["dataset", "author", "kin"]].assign(total=values)
    return forecast_of_amount(
        rows[np.isfinite(rows["total"])], new, weights.to_numpy(float), line
    )


def possible_range(line: Line) -> tuple[float, float]:
    """Return what an amount cannot be below or above: a metric alone, from zero, in percent.

    The model is of normal distributions, which know no limits.
    """
    if not re.fullmatch(r"`[^`]+`|[a-z_]+", line.parameters["value"]):
        return -np.inf, np.inf
    return 0.0, 100.0 if line.unit in ("points", "percent") else np.inf


def forecast_of_amount(
    rows: pd.DataFrame, new: pd.DataFrame, weights: np.ndarray, line: Line
) -> Forecast | None:
    """Return the intervals of an amount, or the probability of a sentence about it."""
    if len(rows) < 3:
        return None
    amount = predicted(rows.reset_index(drop=True), new, weights, registered_scales())
    if line.is_amount:
        least, most = possible_range(line)
        ends = {end: amount.quantile(q) for end, q in QUANTILES.items()}
        return {end: min(max(value, least), most) for end, value in ends.items()}
    low = line.parameters.get("above", -np.inf)
    high = line.parameters.get("below", np.inf)
    return {"probability": amount.below(high) - amount.below(low)}
