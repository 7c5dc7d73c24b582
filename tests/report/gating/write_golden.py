"""Write a memory as this version writes it.

`make golden`, once a format; every later version of the
application reads this file and says the same (`test_memory_files.py`). A file that exists stays.
"""

from pathlib import Path

import numpy as np

from calib_report.gating.memory import remember
from calib_report.gating.memory_files import FORM, write_memory
from calib_report.model_outputs import ModelOutputs

FOLDER = Path(__file__).parent / "golden"


def write_golden_memory() -> None:
    place = FOLDER / f"{FORM}.json"
    if place.exists():
        return
    memory = None
    for week in range(3):
        rng = np.random.default_rng(week)
        p = rng.beta(5, 2, size=200)
        prob = np.column_stack([1 - p, p])
        outputs_ = ModelOutputs((rng.random(200) < p).astype(int), probabilities=prob)
        memory, _ = remember(outputs_, memory, f"week-{week}.csv", model="golden")
    write_memory(memory, place)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write_golden_memory()
