"""Write the prediction sets for a map of your own: `python -m evidence.arena.bundle`.

Parts of eleven sets of the arena, of eleven data sets, whose licences allow it, as float16 logits
in ``data/arena/sets``; and what calib's own maps make of them, ``data/arena/others.csv``.
"""

import io

import numpy as np

from calib.files import write_whole
from evidence.arena.every_map import MAPS
from evidence.arena.one_map import BUNDLE, OTHERS, fit_all
from evidence.arena.prediction_sets import load_set
from evidence.arena.ranking import SEED
from evidence.data import csv_bytes
from evidence.pieces import generator
from evidence.sources import known_files

SETS = {  # samples of the calibration and of the test set
    "20news-dan3-w100-s1": (1100, 1000),
    "cifar10-resnet56": (2500, 1500),
    "cifar100-resnet20-w16-n10000-e35-s1": (600, 600),
    "fashion-resnet14-w16-s1": (2500, 1500),
    "ferrer-agnews-gpt2": (2500, 2000),
    "ferrer-emotion-wav2vec": (2500, 2000),
    "ferrer-pneumonia-resnet50": (312, 312),
    "ferrer-speaker-plda": (2500, 2000),
    "reuters-r52-dan3-w100-s1": (650, 700),
    "reuters-r8-dan3-w100-s1": (550, 1500),
    "sst2-dan3-w100-s1": (872, 1800),
}
SCIKIT_LEARN = "scikit-learn"


def write_sets() -> None:
    BUNDLE.mkdir(exist_ok=True)
    about = []
    for name, (n_calibration, n_test) in SETS.items():
        samples = load_set(name)
        calibration = generator("bundle", name, seed=SEED).permutation(len(samples.y))[
            :n_calibration
        ]
        row = known_files().get(
            name, {"licence": "MIT", "address": "the zoo of this book"}
        )
        y = samples.test_y[:n_test]
        record = {
            "set": name,
            "dataset": samples.dataset,
            "classes": samples.logits.shape[1],
        }
        record |= {
            "domain": samples.domain,
            "calibration": len(calibration),
            "test": len(y),
        }
        about.append(record | {"licence": row["licence"], "source": row["address"]})
        file = io.BytesIO()
        np.savez_compressed(
            file,
            logits=samples.test_logits[:n_test].astype(np.float16),
            y=y.astype(np.uint8),
            calibration_logits=samples.logits[calibration].astype(np.float16),
            calibration_y=samples.y[calibration].astype(np.uint8),
        )
        write_whole(BUNDLE / f"{name}.npz", file.getvalue())
    write_whole(BUNDLE / "about.csv", csv_bytes(about))


def write_others() -> None:
    maps = {name: factory for name, factory in MAPS.items() if SCIKIT_LEARN not in name}
    table = fit_all(maps, n_jobs=1).round(6).astype(object)
    write_whole(OTHERS, csv_bytes(table.where(table.notna(), "").to_dict("records")))


if __name__ == "__main__":
    write_sets()
    write_others()
