"""Compute beliefs_of_debaters.csv: how far two debaters' beliefs in victory exceed one in sum.

`python -m evidence.studies beliefs_of_debaters` from the root. The source states no licence, so
only these numbers are kept. Debates are drawn again for the intervals.
"""

from collections.abc import Iterator

import numpy as np

import calib
from evidence.data import csv_frame, generator
from evidence.rows import Row
from evidence.sources import read_source

EXPERIMENTS = {
    "cross_model": "two models",
    "self_debate": "a model against itself",
    "public_bets": "itself, bets shown",
    "self_redteam_debate": "itself, asked why it may lose",
    "informed_self": "itself, told that it is 50 to 50",
}


def rows() -> Iterator[Row]:
    """Yield a row for each experiment and speech, from both sides' bets out of 100."""
    bets = csv_frame(read_source("prasad-debates"))
    keys = ["experiment_type", "speech_type", "debate_id"]
    total = bets.groupby(keys).bet_amount.agg(["sum", "min", "size"])
    assert (total["size"] == 2).all()
    for experiment, name in EXPERIMENTS.items():
        for speech in ("opening", "rebuttal", "closing"):
            speeches = total.loc[experiment, speech]
            sums = speeches["sum"].to_numpy() / 100
            rng = generator("debates", experiment, speech)

            def mean(rows: np.ndarray, sums: np.ndarray = sums) -> float:
                return sums[rows].mean()

            estimate = calib.bootstrap_statistic(mean, len(sums), rng=rng)
            shares = {
                "above_one": (sums > 1).mean(),
                "both_75": (speeches["min"] >= 75).mean(),
            }
            values = {
                "sum": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
            } | shares
            head = {"experiment": name, "speech": speech, "n": len(sums)}
            yield head | {key: round(value, 4) for key, value in values.items()}
