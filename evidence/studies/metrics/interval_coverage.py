"""Compute interval_coverage.csv: how often bootstrap intervals contain the truth.

`python -m evidence.studies interval_coverage` from the root. Scores of ResNet-56 on CIFAR-10 before
and after temperature scaling, hits drawn from a smooth curve that was fitted to its own: the true
error is known: exactly, for the smooth ECE from very many samples, and for the classwise ECE as
that of its bins. `basic` and `percentile` are the shares of the trials whose 95 % interval contains
it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_zoo
from evidence.derived.known_truth import KnownCurve, modelled_on, scaled_network
from evidence.rows import Row

SIZES, N_TRIALS, N_RESAMPLES, SEED = (5000,), 60, 150, 1979
MANY = 1_000_000


def worlds_with_truth() -> Iterator[tuple[str, KnownCurve]]:
    """Yield name and world, before and after scaling."""
    test, scaled = scaled_network()
    yield "as trained", modelled_on(test.y, test.prob)
    yield "after scaling", modelled_on(test.y, scaled)


Metric = Callable[..., float]
Draw = Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]]
# network, metric, its true value, how to draw samples
Trial = tuple[str, Metric, float, Draw]


def ece_mass(hit: np.ndarray, score: np.ndarray, **options: Any) -> float:
    return calib.calibration_error(hit, score, bins=calib.equal_mass(15), **options)


def true_errors(score: np.ndarray, curve: np.ndarray) -> dict[Metric, float]:
    """Each metric with its value for unlimited samples."""
    # in the order of the scores, as the KS error sums them up
    gap = (score - curve)[np.argsort(score, kind="stable")]
    return {
        calib.ece: np.abs(gap).mean(),
        ece_mass: np.abs(gap).mean(),
        calib.ks_error: np.abs(np.cumsum(gap)).max() / len(gap),
        calib.top1_brier: ((score - curve) ** 2 + curve * (1 - curve)).mean(),
    }


def smooth_worlds() -> Iterator[Trial]:
    """Yield network, the smooth ECE, its value for very many samples, and how to draw samples."""
    for name, world in worlds_with_truth():
        # no formula is known: the value of very many samples stands for the limit
        many = world.sample(MANY, np.random.default_rng(SEED))
        yield name, calib.smooth_ece, calib.smooth_ece(*many), world.sample


def class_worlds() -> Iterator[Trial]:
    """The same for the classwise ECE, with its 15 bins: labels are drawn after vector scaling."""
    network = load_zoo("cifar10-resnet56")
    y, z, z_test = (
        network.to_fit.y,
        network.to_fit.as_logits(),
        network.test.as_logits(),
    )
    truth = calib.VectorScaling().fit(z, y).predict_proba(z_test)
    after = calib.TemperatureScaling().fit(z, y).predict_proba(z_test)
    for name, prob in (("as trained", network.test.prob), ("after scaling", after)):

        def draw(
            n: int, rng: np.random.Generator, prob: np.ndarray = prob
        ) -> tuple[np.ndarray, np.ndarray]:
            rows = rng.integers(len(prob), size=n)
            beyond = rng.uniform(size=(n, 1)) > np.cumsum(truth[rows], axis=1)
            return beyond.sum(axis=1).clip(max=truth.shape[1] - 1), prob[rows]

        # bins closed on the right, those of one class after those of another
        place = np.ceil(15 * prob).clip(1) - 1 + 15 * np.arange(prob.shape[1])
        gaps = np.bincount(place.astype(int).ravel(), (truth - prob).ravel())
        yield name, calib.classwise_ece, np.abs(gaps).sum() / prob.size, draw


def top_worlds() -> Iterator[Trial]:
    """The same for the metrics of the top label whose value is known exactly."""
    for name, world in worlds_with_truth():
        for metric, truth in true_errors(world.score, world.curve).items():
            yield name, metric, truth, world.sample


def coverage_of_intervals(
    name: str,
    metric: Metric,
    truth: float,
    draw: Draw,
    n: int,
    rng: np.random.Generator,
) -> Row:
    """One row: how often the two intervals contain the truth."""
    n_held = np.zeros(2)
    for _ in range(N_TRIALS):
        samples = draw(n, rng)
        estimate = calib.bootstrap(
            metric, *samples, method="basic", n_resamples=N_RESAMPLES, rng=rng
        )
        # the percentile interval of the same resamples
        low, high = np.quantile(np.asarray(estimate.resampled), [0.025, 0.975])
        n_held += [estimate.low <= truth <= estimate.high, low <= truth <= high]
    basic, percentile = (float(share) for share in n_held / N_TRIALS)
    of = {"network": name, "metric": metric.__name__, "n": n, "truth": float(truth)}
    return of | {"basic": basic, "percentile": percentile, "n_trials": N_TRIALS}


def rows() -> Iterator[Row]:
    families = (top_worlds(), smooth_worlds(), class_worlds())
    for family, trials in enumerate(families):
        # the first of them is drawn as it was when it stood alone
        rng = np.random.default_rng([SEED, family] if family else SEED)
        for world in trials:
            for n in SIZES:
                yield coverage_of_intervals(*world, n, rng)
