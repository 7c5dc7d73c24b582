"""What the gate promises about chance, counted: data/results/gate.csv.

`PYTHONPATH=.:tests python -m tests.report.gate` from the root, in five minutes. A promise is how
many of a hundred alarms may be false; empty where nothing is promised.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from calib.files import write_whole
from calib_report import decide
from calib_report.measure import HeldOut
from tests.report import looks, suspicions

FILE = Path(__file__).parents[2] / "data" / "results" / "gate.csv"
N_LOOKS = 200
N_FILES = 2000
N_RISKS = 500


def exceeded_risks(n_reports, rng):
    """Return how many reports name a threshold whose true share of errors is above the risk.

    The half that is surer is right nine times in ten: a lower threshold breaks the promise.
    """
    wish, exceeded = decide.Asked(risk=0.1), 0
    for _ in range(n_reports):
        sure = rng.uniform(0, 1, 2000)
        right = (rng.random(2000) < 0.75 + 0.2 * sure).astype(int)
        held = HeldOut(0 * sure, 0 * sure, sure, right, task="pairs")
        threshold = decide.declined(held, rng, wish)["threshold"]
        exceeded += threshold is not None and threshold < 0.5
    return exceeded


def table():
    """Yield rows: what is promised, in which world, how many of a hundred, and what was counted."""
    for world in looks.WORLDS:
        counts = looks.broken(N_LOOKS, world, np.random.default_rng([2026, len(world)]))
        for what, count in zip(("report", "twin", "bound"), counts, strict=True):
            yield what, world, 5, count, N_LOOKS
    files, alarms = suspicions.false_alarms(N_FILES, np.random.default_rng(2026))
    yield "honest", "all", 1, alarms.total(), files.total()
    files, passed = suspicions.missed_alarms(N_FILES, np.random.default_rng(2026))
    for damage, count in passed.items():
        yield "damaged", damage, None, count, files[damage]
    yield (
        "risk",
        "2000 samples",
        5,
        exceeded_risks(N_RISKS, np.random.default_rng(2026)),
        N_RISKS,
    )


if __name__ == "__main__":
    columns = ["what", "world", "promised", "counted", "of"]
    frame = pd.DataFrame(table(), columns=columns).astype({"promised": "Int64"})
    write_whole(FILE, frame.to_csv(index=False).encode())
