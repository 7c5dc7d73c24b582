"""Write saved maps as this version saves them, with what they answer.

`make golden`, once a format; every later version of the
library reads these files and answers the same (`test_golden.py`). A file that exists stays.
"""

import json
import re
from pathlib import Path

import numpy as np
from maps import (
    LOGIT_MAPS,
    SCORE_MAPS,
    data_of,
    fitted,
    outputs,
)

import calib
from calib.maps.saved import FORMAT

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


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write_maps()
