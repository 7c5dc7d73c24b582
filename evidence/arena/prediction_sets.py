"""The prediction sets of the arena, and how its maps are ranked; see its protocol in the book.

A prediction set is one network on one data set: a pool of samples that maps learn from, and a test
set that is the same for all maps and sizes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from evidence.arena import DOMAINS
from evidence.arena.ranked_cases import SIZES
from evidence.arena.ranking import SEED
from evidence.data import DATA_SETS, load_zoo, zoo_index
from evidence.language.originals import load_answer_source
from evidence.pieces import generator
from evidence.sources import known_files, load_source

N_ORDERS = 2
MOST_IN_POOL = 10_000
MOST_IN_TEST = 5000

# order, size, logits and labels
CalibrationSet = tuple[int, int, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class PredictionSet:
    """One network on one data set: a pool in the order of its source, and a test set in random."""

    name: str
    dataset: str
    domain: str
    logits: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    test_logits: np.ndarray = field(repr=False)
    test_y: np.ndarray = field(repr=False)

    @property
    def calibration_sets(self) -> Iterator[CalibrationSet]:
        """Yield order, size and the samples that a map learns from; the whole pool comes once."""
        n = len(self.y)
        # a network of the zoo has siblings that differ in the seed: one order each does
        for order in range(1 if re.search(r"-s\d+$", self.name) else N_ORDERS):
            mixed = generator(self.name, order, seed=SEED).permutation(n)
            for size in (size for size in SIZES if size < n):
                rows = mixed[:size]
                yield order, size, self.logits[rows], self.y[rows]
        yield 0, n, self.logits, self.y


def set_names() -> list[str]:
    """The names of all prediction sets: the zoo, public networks, language models."""
    files = known_files()
    whole = [n for n, row in files.items() if row["reader"] and row["known"] in KNOWN]
    choices = [n for n, row in files.items() if row["reader"] in ("choices", "scores")]
    return sorted([*zoo_index()["name"], *whole, *choices])


KNOWN = ("logits", "probabilities")


def load_set(name: str) -> PredictionSet:
    """Load one prediction set."""
    kind = known_files().get(name, {}).get("known")
    if kind is not None and kind not in KNOWN:
        choices = load_answer_source(name)
        return _set(name, choices.dataset, (choices.logits, choices.y))
    net = load_source(name) if kind else load_zoo(name)
    sets = [(s.as_logits(), s.y) for s in (net.test, net.calibration) if s is not None]
    return _set(name, DATA_SETS.get(net.about["dataset"], net.about["dataset"]), *sets)


def _set(
    name: str,
    dataset: str,
    test: tuple[np.ndarray, np.ndarray],
    calibration: tuple[np.ndarray, np.ndarray] | None = None,
) -> PredictionSet:
    """Cut a network's samples into pool and test set, as the protocol says."""
    rng = generator(name, seed=SEED)
    z, y = test
    mixed = rng.permutation(len(y))
    if calibration is None:
        half, mixed = np.split(mixed, [len(y) // 2])
        calibration = z[half], y[half]
    rows = np.sort(rng.permutation(len(calibration[1]))[:MOST_IN_POOL])
    # an even number: a map is chosen on one half and judged on the other
    mixed = mixed[: min(MOST_IN_TEST, len(mixed)) // 2 * 2]
    domain = next(domain for domain, datasets in DOMAINS.items() if dataset in datasets)
    pool_z, pool_y = (np.asarray(array)[rows] for array in calibration)
    return PredictionSet(name, dataset, domain, pool_z, pool_y, z[mixed], y[mixed])
