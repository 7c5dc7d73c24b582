"""Write the prediction sets for a map of your own: `python -m evidence.arena.bundle`.

Parts of eleven sets of the arena, of eleven data sets, whose licences allow it, as float16 logits
in ``data/arena/sets``; and what calib's own maps make of them, ``data/arena/others.csv``.
"""

import io
from dataclasses import replace
from typing import Any

import numpy as np

from calib.files import write_whole
from evidence.arena.bundled_sets import (
    bundle_folder,
    fit_to_bundle,
    others_file,
    six_decimals,
)
from evidence.arena.every_map import ARENA_MAPS
from evidence.arena.prediction_sets import PredictionSet, load_set
from evidence.arena.ranking import SEED
from evidence.data import csv_bytes, generator
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
ZOO = {"licence": "MIT", "address": "the zoo of this book"}


def write_sets() -> None:
    """Write the samples of each set, and a table of what is known of them."""
    bundle_folder().mkdir(exist_ok=True)
    rows = []
    for name, (n_calibration, n_test) in SETS.items():
        samples = load_set(name)
        mixed = generator("bundle", name, seed=SEED).permutation(
            len(samples.calibration_y)
        )
        bundled = replace(
            samples,
            calibration_logits=samples.calibration_logits[mixed[:n_calibration]],
            calibration_y=samples.calibration_y[mixed[:n_calibration]],
            test_logits=samples.test_logits[:n_test],
            test_y=samples.test_y[:n_test],
        )
        write_set(bundled)
        rows.append(about_set(bundled))
    write_whole(bundle_folder() / "about.csv", csv_bytes(rows))


def write_set(samples: PredictionSet) -> None:
    """Write both sets as small numbers, by the names that `calib report` reads."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        logits=samples.test_logits.astype(np.float16),
        y=samples.test_y.astype(np.uint8),
        calibration_logits=samples.calibration_logits.astype(np.float16),
        calibration_y=samples.calibration_y.astype(np.uint8),
    )
    write_whole(bundle_folder() / f"{samples.name}.npz", file.getvalue())


def about_set(samples: PredictionSet) -> dict[str, Any]:
    """Return what is known of a set, a row of the table."""
    row = known_files().get(samples.name, ZOO)
    return {
        "set": samples.name,
        "dataset": samples.dataset,
        "classes": samples.calibration_logits.shape[1],
        "domain": samples.domain,
        "calibration": len(samples.calibration_y),
        "test": len(samples.test_y),
        "licence": row["licence"],
        "source": row["address"],
    }


def write_others() -> None:
    """Write what calib's own maps make of the sets."""
    maps = {
        name: factory
        for name, factory in ARENA_MAPS.items()
        if SCIKIT_LEARN not in name
    }
    table = fit_to_bundle(maps, n_jobs=1)
    write_whole(others_file(), csv_bytes(six_decimals(table)))


if __name__ == "__main__":
    write_sets()
    write_others()
