"""Files of known truth, as they came and damaged: how often is each called suspect?

`python -m evidence.files_with_truth.honest_and_damaged` from the root measures 2000 files of each
kind, in three minutes. A file is labels, (n,), and probabilities, (n, K).
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from calib import softmax
from calib_report.doubting.suspicion import suspicion
from calib_report.model_outputs import ModelOutputs
from evidence.simulate import drawn_labels

N_FILES = 2000
SIZES = (200, 500, 1000, 2000, 5000)
Generator = np.random.Generator
File = tuple[np.ndarray, np.ndarray]


def of_odds(z: np.ndarray) -> np.ndarray:
    return softmax(np.column_stack([-z / 2, z / 2]))


def rare(rng: Generator, n: int, share: float) -> File:
    """Calibrated probabilities of an event of 1 or 2 %, AUROC about .7."""
    z = np.log(share / (1 - share)) - 0.3 + 0.8 * rng.normal(size=n)
    p = of_odds(z)
    return drawn_labels(p, rng), p


def weak(
    rng: Generator,
    n: int,
    separation: float,
    temperature: float = 1.0,
    prior: float = 0.5,
) -> File:
    """Two normal classes so far apart: AUROC .55 to .65 at .18 to .54."""
    y = (rng.random(n) < prior).astype(int)
    x = rng.normal(size=n) + separation * (y - 0.5)
    z = separation * x + np.log(prior / (1 - prior))
    return y, of_odds(temperature * z)


def balanced(rng: Generator, n: int) -> File:
    """Probabilities of a balanced training set, where the event is of 3 %."""
    y = (rng.random(n) < 0.03).astype(int)
    return y, of_odds(1.2 * (rng.normal(size=n) + 1.2 * (y - 0.5)))


def classes(
    rng: Generator, n: int, k: int, sharpness: float, temperature: float = 1.0
) -> File:
    """K classes, whose logits are too large by a temperature."""
    z = sharpness * rng.normal(size=(n, k))
    return drawn_labels(softmax(z), rng), softmax(temperature * z)


Maker = Callable[[Generator, int], File]  # of a file of n samples
HONEST: dict[str, Maker] = {
    "calibrated, event of 1 %": lambda rng, n: rare(rng, max(n, 500), 0.01),
    "calibrated, event of 2 %": lambda rng, n: rare(rng, max(n, 300), 0.02),
    "weak, AUROC .55": lambda rng, n: weak(rng, n, 0.18),
    "weak, AUROC .6": lambda rng, n: weak(rng, n, 0.36),
    "weak, AUROC .65, events of 20 %": lambda rng, n: weak(rng, n, 0.54, prior=0.2),
    "weak, AUROC .6, three times too sure": lambda rng, n: weak(rng, n, 0.36, 3.0),
    "of a balanced training set": balanced,
    "10 classes, weak": lambda rng, n: classes(rng, n, 10, 0.4),
    "10 classes, twice too sure": lambda rng, n: classes(rng, n, 10, 1.0, 2.0),
    "100 classes, weak": lambda rng, n: classes(rng, n, 100, 0.5),
    "100 classes, three times too sure": lambda rng, n: classes(rng, n, 100, 1.0, 3.0),
}
GOOD: dict[str, Maker] = {
    "2 classes": lambda rng, n: weak(rng, n, 2.0),
    "2 classes, events of 10 %": lambda rng, n: weak(rng, n, 2.0, prior=0.1),
    "4 classes, too sure": lambda rng, n: classes(rng, n, 4, 2.0, 2.0),
    "10 classes": lambda rng, n: classes(rng, n, 10, 3.0),
    "100 classes, too sure": lambda rng, n: classes(rng, n, 100, 3.0, 2.0),
}
# Small and weak: a best temperature is above 10, or infinite, by chance alone in a third of them.
SMALL: dict[str, Maker] = {
    "AUROC .55": lambda rng, n: weak(rng, n, 0.18),
    "AUROC .52": lambda rng, n: weak(rng, n, 0.07),
    "AUROC .6": lambda rng, n: weak(rng, n, 0.36),
    "AUROC .6, three times too sure": lambda rng, n: weak(rng, n, 0.36, 3.0),
    "10 classes": lambda rng, n: classes(rng, n, 10, 0.3),
    "AUROC .92, fifteen times too sure": lambda rng, n: weak(rng, n, 2.0, 15.0),
    "4 classes, all nearly alike": lambda rng, n: classes(rng, n, 4, 0.05),
}
SMALL_SIZES = (20, 30, 50, 100, 200, 300)


def shuffled(y: np.ndarray, p: np.ndarray, rng: Generator) -> File:
    return rng.permutation(y), p


def one_row_off(y: np.ndarray, p: np.ndarray, rng: Generator) -> File:
    return np.roll(y, 1), p


def turned_round(y: np.ndarray, p: np.ndarray, rng: Generator) -> File:
    """The most probable class comes last."""
    inverse = 1 / np.maximum(p, 1e-9)
    return y, inverse / inverse.sum(axis=1, keepdims=True)


def columns_permuted(y: np.ndarray, p: np.ndarray, rng: Generator) -> File:
    """No column stays; half of the time they move by one place."""
    k = p.shape[1]
    cycle = np.arange(k) if rng.random() < 0.5 else rng.permutation(k)
    order = np.empty(k, int)
    order[cycle] = np.roll(cycle, 1)
    return y, p[:, order]


DAMAGES = {
    "rows shuffled": shuffled,
    "rows off by one": one_row_off,
    "turned round": turned_round,
    "columns permuted": columns_permuted,
}


Judge = Callable[[np.ndarray, np.ndarray], object]


def is_suspect(y: np.ndarray, p: np.ndarray) -> bool:
    return suspicion(ModelOutputs(y, probabilities=p)) is not None


def false_alarms(
    n_files: int,
    rng: Generator,
    judge: Judge = is_suspect,
    worlds: Mapping[str, Maker] = HONEST,
    sizes: tuple[int, ...] = SIZES,
) -> tuple[Counter[str], Counter[str]]:
    """Return by world how many honest files there were, and how many are called suspect."""
    files: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    for i in range(n_files):
        name = list(worlds)[i % len(worlds)]
        y, p = worlds[name](rng, int(rng.choice(sizes)))
        files[name] += 1
        alarms[name] += bool(len(np.unique(y)) > 1 and judge(y, p))
    return files, alarms


def small_false_alarms(
    n_files: int, rng: Generator, judge: Judge = is_suspect
) -> tuple[Counter[str], Counter[str]]:
    """Return the same of small files."""
    return false_alarms(n_files, rng, judge, SMALL, SMALL_SIZES)


def missed_alarms(
    n_files: int, rng: Generator, judge: Judge = is_suspect
) -> tuple[Counter[str], Counter[str]]:
    """Return by damage how many damaged files there were, and how many pass."""
    files: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for i in range(n_files):
        name = list(DAMAGES)[i % len(DAMAGES)]
        good = list(GOOD.values())[i // len(DAMAGES) % len(GOOD)]
        y, p = DAMAGES[name](*good(rng, int(rng.choice(SIZES))), rng)
        files[name] += 1
        passed[name] += not judge(y, p)
    return files, passed


def main(n_files: int = N_FILES) -> None:
    """Count and print what is called suspect, world by world."""
    rng = np.random.default_rng(2026)
    counts = {
        "called suspect": false_alarms,
        "called suspect, small": small_false_alarms,
        "passed": missed_alarms,
    }
    for title, count in counts.items():
        files, wrong = count(n_files, rng)
        print(f"{title}: {wrong.total()} of {files.total()}")
        for name, total in files.items():
            print(f"  {name}: {wrong[name]} of {total}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
