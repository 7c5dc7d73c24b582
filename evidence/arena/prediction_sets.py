"""The prediction sets of the arena, and what maps learn from; see its protocol in the book.

A prediction set is one network on one data set: a pool of samples that maps learn from, and a test
set that is the same for all maps and sizes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from evidence.arena import DOMAINS
from evidence.arena.ranked_cases import SIZES
from evidence.arena.ranking import SEED
from evidence.data import DATA_SETS, generator, load_zoo, seed_of, zoo_index
from evidence.language.originals import answer_sources, load_choices
from evidence.sources import known_files, load_source

N_ORDERS = 2
MOST_IN_POOL = 10_000
MOST_IN_TEST = 5000

# what is known of a file whose whole vectors can be mapped
WHOLE_VECTORS = ("logits", "probabilities")


class CalibrationSet(NamedTuple):
    """What a map learns from: some samples of the pool, in one of its random orders."""

    order: int
    n: int
    logits: np.ndarray
    y: np.ndarray


@dataclass(frozen=True, eq=False)
class PredictionSet:
    """One network on one data set: a pool, and a test set in random order.

    A pool of its own is in the order of its source; half of a test set is in random order too.
    """

    name: str
    dataset: str
    domain: str
    calibration_logits: np.ndarray = field(repr=False)
    calibration_y: np.ndarray = field(repr=False)
    test_logits: np.ndarray = field(repr=False)
    test_y: np.ndarray = field(repr=False)

    @property
    def calibration_sets(self) -> Iterator[CalibrationSet]:
        """Yield what maps learn from, a size and an order each; the whole pool comes once."""
        logits, y = self.calibration_logits, self.calibration_y
        n = len(y)
        # a network of the zoo has siblings that differ in the seed: one order each does
        for order in range(N_ORDERS if seed_of(self.name) is None else 1):
            mixed = generator(self.name, order, seed=SEED).permutation(n)
            for size in (size for size in SIZES if size < n):
                rows = mixed[:size]
                yield CalibrationSet(order, size, logits[rows], y[rows])
        yield CalibrationSet(0, n, logits, y)


def set_names() -> list[str]:
    """The names of all prediction sets: the zoo, public networks, language models."""
    files = known_files()
    networks = [
        name
        for name, row in files.items()
        if row["reader"] and row["known"] in WHOLE_VECTORS
    ]
    choices = [*answer_sources("choices"), *answer_sources("scores")]
    return sorted([*zoo_index()["name"], *networks, *choices])


def load_set(name: str) -> PredictionSet:
    """Load one prediction set."""
    known = known_files().get(name, {}).get("known")
    if known is not None and known not in WHOLE_VECTORS:
        choices = load_choices(name)
        return pool_and_test(name, choices.dataset, (choices.logits, choices.y))
    network = load_source(name) if known else load_zoo(name)
    outputs = (network.test, network.calibration)
    sets = [(part.as_logits(), part.y) for part in outputs if part is not None]
    dataset = network.about["dataset"]
    return pool_and_test(name, DATA_SETS.get(dataset, dataset), *sets)


def pool_and_test(
    name: str,
    dataset: str,
    test: tuple[np.ndarray, np.ndarray],
    calibration: tuple[np.ndarray, np.ndarray] | None = None,
) -> PredictionSet:
    """Cut a network's samples into pool and test set, as the protocol says."""
    rng = generator(name, seed=SEED)
    logits, y = test
    tested = rng.permutation(len(y))
    if calibration is None:
        half, tested = np.split(tested, [len(y) // 2])
        calibration = logits[half], y[half]
    pool = np.sort(rng.permutation(len(calibration[1]))[:MOST_IN_POOL])
    # an even number: a map is chosen on one half and judged on the other
    tested = tested[: min(MOST_IN_TEST, len(tested)) // 2 * 2]
    domain = next(domain for domain, datasets in DOMAINS.items() if dataset in datasets)
    return PredictionSet(
        name,
        dataset,
        domain,
        calibration_logits=np.asarray(calibration[0])[pool],
        calibration_y=np.asarray(calibration[1])[pool],
        test_logits=logits[tested],
        test_y=y[tested],
    )
