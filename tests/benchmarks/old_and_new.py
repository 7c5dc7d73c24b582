"""Time two versions of calib side by side: `python tests/benchmarks/old_and_new.py OLD NEW`.

OLD and NEW are folders that hold a `calib`, such as two worktrees. Both are loaded into one process
and take turns. A row shows the least processor time of each in milliseconds, their ratio, and how
far their results are apart at most.
"""

import importlib
import sys
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

SECONDS, FEWEST, MOST = 6.0, 5, 200  # of a row: its time, and the turns of each version
METRICS = (
    "ece",
    "mce",
    "classwise_ece",
    "ace",
    "tace",
    "ks_error",
    "smooth_ece",
    "nll",
    "brier",
)
RESAMPLED = ("ece", "classwise_ece", "ks_error")
MAPS_OF_LOGITS = {
    (5000, 10): (
        "TemperatureScaling",
        "VectorScaling",
        "MatrixScaling",
        "DirichletCalibration",
    ),
    (5000, 100): ("TemperatureScaling", "VectorScaling", "MatrixScaling"),
    (25_000, 1000): ("TemperatureScaling",),
}
PENALTY = {"lam": 1e-3, "mu": 1e-3}  # so that a hundred classes are not all told apart
OPTIONS = {"MatrixScaling": PENALTY, "DirichletCalibration": PENALTY}
MAPS_OF_SCORES = ("HistogramBinning", "IsotonicCalibration", "BBQ", "PlattScaling")
MAPS_OF_SCORES += ("BetaCalibration", "SplineCalibration")


def loaded(folder):
    """Import the calib of a folder; a version loaded before keeps the modules that it has."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "calib"]:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    calib = importlib.import_module("calib")
    if not Path(calib.__file__).is_relative_to(folder):
        raise SystemExit(f"{folder}: holds no calib")
    for name in calib.__all__:  # which an older version imports on first use
        getattr(calib, name)
    sys.path.remove(str(folder))
    return calib


def network(n, n_classes, rng):
    """Labels, float32 logits and probabilities of a network that is too confident."""
    classes = rng.standard_normal((n_classes, 32), dtype=np.float32)
    features = classes[np.arange(n) % n_classes] + rng.standard_normal(
        (n, 32), dtype=np.float32
    )
    z = 0.3 * features @ classes.T
    y = (z + rng.gumbel(size=z.shape).astype(np.float32)).argmax(axis=1)
    z *= 1.7
    p = np.exp(z - z.max(axis=1, keepdims=True))
    return y, z, p / p.sum(axis=1, keepdims=True)


def measure(name, y, p, calib):
    return getattr(calib, name)(y, p)


def fit(name, z, y, calib):
    fitted = getattr(calib, name)(**OPTIONS.get(name, {})).fit(z, y)
    return fitted.predict(z[:200]) if z.ndim == 1 else fitted.predict_proba(z[:200])


def resample(name, y, p, calib):
    rng = np.random.default_rng(0)
    metric = getattr(calib, name)
    return calib.bootstrap(metric, y, p, method="basic", n_resamples=20, rng=rng).low


def tasks(rng):
    """Yield the title of a row, and what is to be called with a version of calib."""
    for (n, n_classes), maps in MAPS_OF_LOGITS.items():
        size = f"{n} x {n_classes}"
        y, z, p = network(n, n_classes, rng)
        for name in METRICS:
            yield f"{name}, {size}", partial(measure, name, y, p)
        for name in maps:
            yield f"{name}, {size}", partial(fit, name, z, y)
        for name in RESAMPLED if n_classes < 1000 else ():
            yield f"{name}, 20 resamples, {size}", partial(resample, name, y, p)
    score = rng.beta(5, 1, 25_000)
    hit = rng.random(25_000) < score**2
    for name in MAPS_OF_SCORES:
        yield f"{name}, 25000 scores", partial(fit, name, score, hit)


def compare(task, versions):
    """Return the least seconds of the old and of the new version, and how far they are apart."""
    difference = np.abs(np.subtract(*map(task, versions))).max()
    durations = [[], []]
    while len(durations[1]) < FEWEST or (
        np.sum(durations) < SECONDS and len(durations[1]) < MOST
    ):
        for turn in (0, 1) if len(durations[1]) % 2 else (1, 0):
            start = process_time()
            task(versions[turn])
            durations[turn].append(process_time() - start)
    return *map(min, durations), difference


def main(old, new):
    versions = [loaded(Path(folder).resolve()) for folder in (old, new)]
    print(f"{'':43} {'old ms':>9} {'new ms':>9} {'new/old':>8} {'apart':>8}")
    for title, task in tasks(np.random.default_rng(0)):
        before, after, difference = compare(task, versions)
        ratio = after / before
        print(
            f"{title:43} {1e3 * before:9.3f} {1e3 * after:9.3f} {ratio:8.2f} {difference:8.0e}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
