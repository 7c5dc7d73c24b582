"""Write saved maps and a memory as this version saves them, with what they answer.

`make golden`, once a format; every later version of the
library reads these files and answers the same (`test_golden.py`). A file that exists stays.
"""

import json
import re
from pathlib import Path

import numpy as np

import calib
from calib.maps.saved import FORMAT
from calib_report.commands.memory import watch
from calib_report.commands.memory_files import FORM, write_memory
from calib_report.model_outputs import ModelOutputs
from evidence.files_with_truth.saved_maps import (
    LOGIT_MAPS,
    SCORE_MAPS,
    data_of,
    fitted,
    outputs,
)

FOLDER = Path(__file__).parent / "golden"
N_ROWS = 6


def write_maps() -> None:
    for calibrator in [*SCORE_MAPS, *LOGIT_MAPS]:
        name = re.sub(r"[^A-Za-z0-9.]+", "-", repr(calibrator)).strip("-")
        place = (
            FOLDER / f"{FORMAT.replace(', ', ' ').replace(' ', '-')}-{name[:80]}.json"
        )
        if place.exists():
            continue
        map_ = fitted(calibrator)
        calib.save_map(map_, place)
        x = np.asarray(data_of(calibrator)[0])[:N_ROWS]
        stored = json.loads(place.read_text())
        golden = {
            "map": stored,
            "input": x.tolist(),
            "output": outputs(map_, x).tolist(),
        }
        place.write_text(json.dumps(golden) + "\n")


def write_memories() -> None:
    place = FOLDER / f"{FORM}.json"
    if place.exists():
        return
    memory = None
    for week in range(3):
        rng = np.random.default_rng(week)
        p = rng.beta(5, 2, size=200)
        prob = np.column_stack([1 - p, p])
        outputs_ = ModelOutputs((rng.random(200) < p).astype(int), probabilities=prob)
        memory, _ = watch(outputs_, memory, f"week-{week}.csv", model="golden")
    write_memory(memory, place)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write_maps()
    write_memories()
