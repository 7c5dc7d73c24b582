"""Compute regret_of_advice.csv: what the report's advice costs where the truth is known.

`python -m evidence.studies regret_of_advice` from the root. In each of 28 worlds the true
probabilities are those of logits drawn from a normal distribution, and a network says something
else. A report sees n samples, recommends a map, or none, and what it recommends is judged by its
expected loss over 20,000 fresh samples, of which every label counts with its probability. Regret is
that loss less that of the best of all: nothing, and each map that a report tries, fitted to the
same samples. A world is told by its name, its number of classes and n together: one network, as
"twice too sure", is met in several sizes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

import calib
from calib_report import ModelOutputs, compare_maps, fitted_map, recommend
from evidence.rows import Row
from evidence.simulate import drawn_labels

Says = Callable[[np.ndarray], np.ndarray]

N_FRESH = 20_000
N_SEEDS = 3
SEED = 52
SPREAD = 2.0  # standard deviation of the true logits
LARGE = 200_000  # numbers in a file, beyond which one seed does


@dataclass(frozen=True)
class SimulatedNetwork:
    """How many classes and samples, and what a network makes of true logits."""

    name: str
    n_classes: int
    n: int
    says: Says
    truth: Says = calib.softmax
    spread: float = SPREAD
    center: float = 0.0  # of the logit of the last class
    deployed: Says | None = None

    def logits(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Return what the true probabilities are made of."""
        z = self.spread * rng.normal(size=(n, self.n_classes))
        z[:, -1] += self.center
        return z


def scaled(factor: float) -> Says:
    return lambda z: factor * z


def biased(size: float, factor: float = 1.0) -> Says:
    """Return logits to which each class adds a number of its own."""

    def says(z: np.ndarray) -> np.ndarray:
        k = z.shape[1]
        # the same biases in every trial of so many classes: they are the world, not the draw
        return factor * z + size * np.random.default_rng(k).normal(size=k)

    return says


def lifted(shift: float, factor: float = 1.0) -> Says:
    """Return logits of two classes of which the second is said too often."""
    return lambda z: factor * z + np.array([0.0, shift])


def noisy(share: float) -> Says:
    """Return the truth where a share of the labels is drawn from all classes alike."""
    return lambda z: (1 - share) * calib.softmax(z) + share / z.shape[1]


def mistaken(share: float) -> Says:
    """Return the truth where a share of the first class is labelled as the second."""

    def truth(z: np.ndarray) -> np.ndarray:
        p = calib.softmax(z)
        p[:, 1] += share * p[:, 0]
        p[:, 0] *= 1 - share
        return p

    return truth


def two_sided(z: np.ndarray) -> np.ndarray:
    """Return logits of two classes that are too sure of the first and too unsure of the second."""
    d = z[:, 1] - z[:, 0]
    return np.column_stack([np.zeros(len(z)), np.where(d > 0, 0.5, 3) * d])


def of_two_groups(z: np.ndarray) -> np.ndarray:
    """Return logits that are three times too large in every other row."""
    return z * np.where(np.arange(len(z)) % 2, 3.0, 1.0)[:, None]


def mixed(z: np.ndarray) -> np.ndarray:
    """Return logits that a matrix mixes."""
    k = z.shape[1]
    # the same matrix in every trial, too
    matrix = np.eye(k) + 0.3 * np.random.default_rng(k).normal(size=(k, k))
    return 1.5 * z @ matrix.T


def of_two_digits(z: np.ndarray) -> np.ndarray:
    """Return the logarithm of probabilities of two digits; zero counts as half a digit."""
    return np.log(np.maximum(np.round(calib.softmax(2 * z), 2), 0.005))


WORLDS = (
    SimulatedNetwork("twice too sure", 10, 1000, scaled(2)),
    SimulatedNetwork("twice too sure", 10, 100, scaled(2)),
    SimulatedNetwork("three times too sure", 2, 200, scaled(3)),
    SimulatedNetwork("half too unsure", 10, 1000, scaled(0.5)),
    SimulatedNetwork("too unsure", 2, 5000, scaled(0.6)),
    SimulatedNetwork("calibrated", 10, 1000, scaled(1)),
    SimulatedNetwork("calibrated", 2, 100, scaled(1)),
    SimulatedNetwork("bias by class", 5, 500, biased(0.46)),
    SimulatedNetwork("bias by class", 10, 5000, biased(0.7)),
    SimulatedNetwork("bias by class", 100, 2000, biased(0.9)),
    SimulatedNetwork("second class too often", 2, 300, lifted(1.5)),
    SimulatedNetwork("second class too often", 2, 1000, lifted(1.5)),
    SimulatedNetwork("noise of labels", 10, 5000, scaled(2), noisy(0.2), spread=3.0),
    SimulatedNetwork("mistaken labels", 3, 10_000, scaled(1.5), mistaken(0.3)),
    SimulatedNetwork("two sides", 2, 5000, two_sided),
    SimulatedNetwork("two groups", 10, 5000, of_two_groups),
    SimulatedNetwork(
        "twice too sure, deployed calibrated", 10, 2000, scaled(2), deployed=scaled(1)
    ),
    SimulatedNetwork("twice too sure", 100, 300, scaled(2)),
    SimulatedNetwork(
        "rare and three times too sure", 2, 10_000, scaled(3), center=-7.0
    ),
    SimulatedNetwork("rare and three times too sure", 2, 500, scaled(3), center=-7.0),
    SimulatedNetwork(
        "sharp, noise of labels", 10, 150, scaled(4), noisy(0.02), spread=3.0
    ),
    SimulatedNetwork("a little too sure", 4, 300, scaled(1.3)),
    SimulatedNetwork("a little too sure", 4, 100, scaled(1.3)),
    SimulatedNetwork("calibrated", 100, 20_000, scaled(1)),
    SimulatedNetwork("nearly calibrated", 10, 50_000, scaled(1.05)),
    SimulatedNetwork("mixed by a matrix", 5, 20_000, mixed),
    SimulatedNetwork(
        "bias by class, too sure", 1000, 5000, biased(0.6, 1.5), spread=3.0
    ),
    SimulatedNetwork("rounded and twice too sure", 10, 2000, of_two_digits),
)


def one_trial(world: SimulatedNetwork, seed: int) -> Row:
    """Return what a report recommends, and the losses of it, of others and of the truth."""
    rng = np.random.default_rng([SEED, world.n_classes, world.n, seed])
    true = world.logits(world.n, rng)
    q = world.truth(true)
    y = drawn_labels(q, rng)
    outputs = ModelOutputs(y, logits=world.says(true))
    comparison, _ = compare_maps(outputs)
    # a constant seed, as a report has it
    null = calib.consistency_test(calib.ece, y, outputs.prob, n_resamples=199, rng=0)
    recommended = recommend(comparison, outputs, null.p_value)["name"]
    names = [row["name"] for row in comparison if "failed" not in row]
    maps = {name: fitted_map(outputs, name) for name in names}
    # judged on fresh samples by their true probabilities, so that no label adds noise
    fresh = world.logits(N_FRESH, rng)
    nll = {name: loss_of(fitted, world, fresh) for name, fitted in maps.items()}
    best = min(nll, key=nll.__getitem__)
    return {
        "world": world.name,
        "classes": world.n_classes,
        "n": world.n,
        "seed": seed,
        "recommended": recommended,
        "best": best,
        "none": nll["none"],
        "temperature": nll["temperature scaling"],
        "advice": nll[recommended],
        "lowest": nll[best],
        "truth": expected_nll(world, fresh, calib.as_logits(world.truth(fresh))),
    }


def loss_of(fitted: Any, world: SimulatedNetwork, fresh: np.ndarray) -> float:
    """Return the expected NLL of a map, or of none, over fresh samples."""
    says = (world.deployed or world.says)(fresh)
    if fitted is None:
        return expected_nll(world, fresh, says)
    # a map may say zero; its logarithm then is minus infinity, and the loss says so
    with np.errstate(divide="ignore"):
        return expected_nll(world, fresh, np.log(fitted.predict_proba(says)))


def expected_nll(
    world: SimulatedNetwork, fresh: np.ndarray, logits: np.ndarray
) -> float:
    """Return the mean NLL, each label counted with its true probability."""
    log_p = logits - logsumexp(logits, axis=1, keepdims=True)
    truth = world.truth(fresh)
    # nothing is lost where the truth is zero, even if the logarithm is infinite
    return float(-np.where(truth > 0, truth * log_p, 0.0).sum(axis=1).mean())


def rows() -> Iterator[Row]:
    """Return a row for each world and seed; of worlds that take long there is one seed."""
    for world in WORLDS:
        for seed in range(N_SEEDS if world.n * world.n_classes <= LARGE else 1):
            yield one_trial(world, seed)
