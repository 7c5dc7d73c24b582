"""Compute promises_of_the_library.csv: how often each promise of the library is kept.

`python -m evidence.studies promises_of_the_library` from the root, a quarter of an hour of one
core. In each world the probability of every class is known. A trial draws samples, asks the
library, and says whether the answer keeps what it promises of the truth; `kept` is the share of
`trials`. The tests run each promise in one world, with few trials, and once more broken.
Differences of errors, reports and the gate have tables of their own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.special import ndtr

import calib
from calib_report import ModelOutputs, compare_maps, fitted_map, recommend
from evidence.rows import Row
from evidence.simulate import labels_at

Metric = Callable[..., float]
Test = Callable[[np.ndarray, np.ndarray, np.random.Generator], float]  # the p-value
Trial = Callable[[str, np.random.Generator], float]  # in a world, whether it is kept

SEED, N_TRIALS, N_RESAMPLES = 20_261_127, 300, 100
# the second half of a world's seed; two worlds draw the same numbers, and are never compared
STREAMS = {
    "calibrated": 10,
    "slightly too sure": 17,
    "too sure": 8,
    "clusters": 8,
    "nearly always right": 19,
}
POPULATION, N, CLUSTER, N_NEW = 20_000, 500, 10, 20
ERRORS = [
    m.function
    for m in calib.METRICS.values()
    if m.kind in ("error", "errors of classes")
]
LOSSES = (calib.nll, calib.brier, calib.top1_brier, calib.aurc, calib.excess_aurc)
SLOW, N_SLOW = (calib.smooth_ece, calib.kde_ece), 100
HARM = 0.002  # nats


@dataclass(frozen=True, eq=False)
class Population:
    """Probabilities that a model says, p, and the true ones, q, of a population, (N, K) each."""

    p: np.ndarray
    q: np.ndarray
    cluster: int = 1  # samples that are alike, and whose labels hang together

    @property
    def calibrated(self) -> bool:
        return self.p is self.q

    def rows_and_labels(
        self, n: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        i = np.repeat(rng.integers(len(self.p), size=n // self.cluster), self.cluster)
        common = np.repeat(rng.normal(size=n // self.cluster), self.cluster)
        shared = 0.3 if self.cluster > 1 else 0.0
        # the uniform numbers of a cluster share a normal part: a Gaussian copula
        u = ndtr(shared**0.5 * common + (1 - shared) ** 0.5 * rng.normal(size=n))
        return i, labels_at(self.q[i], u)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return labels and what the model says of n samples."""
        i, y = self.rows_and_labels(n, rng)
        return y, self.p[i]

    def clusters(self, n: int) -> np.ndarray | None:
        return np.arange(n) // self.cluster if self.cluster > 1 else None

    def truth(self, metric: Metric) -> float:
        """Return a metric of the population: every label counts with its probability."""
        # of a calibrated population an error is zero, though bins of a finite one leave a little
        if self.calibrated and calib.METRICS[metric.__name__].kind.startswith("error"):
            return 0.0
        # what the debiased estimate aims at: the error of the population in the same bins
        if metric is calib.debiased_ece:
            metric = partial(
                calib.calibration_error, bins=calib.equal_mass(15), norm="l2"
            )
        n, k = self.p.shape
        # each row once with every label, which weighs as much as it is probable
        labels, each = np.tile(np.arange(k), n), np.repeat(self.p, k, axis=0)
        return metric(labels, each, sample_weight=self.q.ravel())


@cache
def world(name: str) -> Population:
    """Return a world of three classes by its name."""
    rng = np.random.default_rng(SEED)
    z = 2 * rng.normal(size=(POPULATION, 3))
    q = calib.softmax(z)
    if name == "too sure":
        return Population(calib.softmax(1.5 * z), q)
    if name == "slightly too sure":
        return Population(calib.softmax(1.1 * z), q)
    if name == "nearly always right":
        first = 0.99 + 0.01 * q[:, 0]
        p = np.column_stack([first, 1 - first, 0 * first])
        return Population(p, p)
    return Population(q, q, CLUSTER if name == "clusters" else 1)


EVERYWHERE = ("calibrated", "slightly too sure", "too sure")
CALIBRATED = ("calibrated",)


@cache
def true_value(metric: Metric, name: str) -> float:
    return world(name).truth(metric)


def resampled(there: Population, rng: np.random.Generator) -> dict[str, Any]:
    """Options of a bootstrap of N samples of a world, whose clusters it draws whole."""
    return {"n_resamples": N_RESAMPLES, "rng": rng, "clusters": there.clusters(N)}


def contains_truth(found: Any, truth: float) -> bool:
    return bool(found.low <= truth <= found.high)


def interval_of(metric: Metric, name: str, rng: np.random.Generator) -> bool:
    there = world(name)
    drawn = resampled(there, rng)
    return contains_truth(
        calib.bootstrap(metric, *there.sample(N, rng), **drawn),
        true_value(metric, name),
    )


def difference_of(metric: Metric, name: str, rng: np.random.Generator) -> bool:
    """Between the model and one that says one half of it and one half of a guess."""
    there = world(name)
    # halfway to one third each, of three classes
    blunt = Population(there.p / 2 + 1 / 6, there.q)
    y, p = there.sample(N, rng)
    drawn = resampled(there, rng)
    found = calib.paired_difference(metric, y, p, p / 2 + 1 / 6, **drawn)
    return contains_truth(found, there.truth(metric) - blunt.truth(metric))


def mean_of_hits(name: str, rng: np.random.Generator) -> bool:
    there = world(name)
    hit = calib.top_label(*there.sample(N, rng))[1].astype(float)
    drawn = resampled(there, rng)
    found = calib.bootstrap_statistic(lambda rows: hit[rows].mean(), N, **drawn)
    return contains_truth(found, true_value(calib.accuracy, name))


def share_of_hits(name: str, rng: np.random.Generator) -> bool:
    hit = calib.top_label(*world(name).sample(50, rng))[1]
    low, high = calib.wilson_interval(hit.sum(), len(hit))
    return bool(low <= true_value(calib.accuracy, name) <= high)


def not_rejected(test: Test, name: str, rng: np.random.Generator) -> bool:
    return test(*world(name).sample(N, rng), rng) > 0.05


def consistency(
    metric: Metric, y: np.ndarray, p: np.ndarray, rng: np.random.Generator
) -> float:
    return calib.consistency_test(metric, y, p, n_resamples=99, rng=rng).p_value


def cumulative_p(
    statistic: str, y: np.ndarray, p: np.ndarray, rng: np.random.Generator
) -> float:
    return calib.cumulative_test(y, p, statistic=statistic).p_value


def drawn_p(y: np.ndarray, p: np.ndarray, rng: np.random.Generator) -> float:
    """Spiegelhalter's sum among those of 399 calibrated draws: an exact p-value of few samples."""
    score, hit = calib.top_label(y, p)
    drawn = np.vstack([hit, rng.random((399, len(score))) < score])
    size = np.abs((drawn - score) @ (1 - 2 * score))
    return float(np.mean(size >= size[0]))


def smallest_of_holm(y: np.ndarray, p: np.ndarray, rng: np.random.Generator) -> float:
    """Twenty tests of samples of their own."""
    each = zip(np.array_split(y, 20), np.array_split(p, 20), strict=True)
    return calib.holm([drawn_p(*part, rng) for part in each]).min()


def bins_in_band(name: str, rng: np.random.Generator) -> float:
    """The share of the bins of equal width whose frequency lies in their range."""
    score, hit = calib.top_label(*world(name).sample(N, rng))
    band, found = calib.consistency_band(score), calib.equal_width(15)(score, hit)
    full = band.count > 0
    frequency = found.hit_sum[full] / found.count[full]
    return np.mean(
        (band.low[full] - 1e-9 <= frequency) & (frequency <= band.high[full] + 1e-9)
    )


def groups_of(n_groups: int, name: str, rng: np.random.Generator) -> calib.GroupErrors:
    y, p = world(name).sample(N, rng)
    return calib.group_errors(y, p, rng.integers(n_groups, size=N))


def gaps_held(name: str, rng: np.random.Generator) -> float:
    found = groups_of(5, name, rng)
    return float(np.mean((found.low <= 0) & (found.high >= 0)))


def no_group_called(name: str, rng: np.random.Generator) -> bool:
    return groups_of(20, name, rng).p_value.min() > 0.05


def no_spread_called(name: str, rng: np.random.Generator) -> bool:
    return groups_of(20, name, rng).spread_p_value > 0.05


NEW = np.array([0.6, 0.3, 0.1])


def priors_of(new: np.ndarray, rng: np.random.Generator) -> tuple[Any, np.ndarray]:
    """Estimate frequencies of classes from a calibrated model of a world of other ones."""
    there, old = world("calibrated"), world("calibrated").q.mean(axis=0)
    y, p = there.sample(20 * N, rng)
    chance = (new / old)[y]
    # rejection: classes are kept in proportion to their new frequencies
    kept = rng.random(len(y)) < chance / chance.max()
    return calib.estimate_priors(p[kept][:N], old), old


def priors_held(name: str, rng: np.random.Generator) -> float:
    found, _ = priors_of(NEW, rng)
    return np.mean((found.low <= NEW) & (NEW <= found.high))


def no_shift_called(name: str, rng: np.random.Generator) -> bool:
    return priors_of(world("calibrated").q.mean(axis=0), rng)[0].p_value > 0.05


def sets_hold(score: str, within: str, name: str, rng: np.random.Generator) -> float:
    """The share of new samples whose label is in their set, after ten samples of each part."""
    n = 10 if within == "all" else 30
    y, p = world(name).sample(n + N_NEW, rng)
    sets = calib.ConformalSets(score, within=within, randomize=score != "lac")
    sets.fit(p[:n], y[:n], rng=rng)
    new = slice(n, n + N_NEW)
    return sets.predict(p[new], rng=rng)[np.arange(N_NEW), y[new]].mean()


def venn_abers_brackets(name: str, rng: np.random.Generator) -> bool:
    """Of two probabilities one is calibrated: hits lie between their sums, but for chance."""
    score, hit = calib.top_label(*world(name).sample(N, rng))
    fitted = calib.VennAbers().fit(score[:200], hit[:200])
    low, high = fitted.predict_interval(score[200:])
    hits, spread = hit[200:].sum(), 2 * np.sqrt(np.sum(high * (1 - high)))
    return low.sum() - spread <= hits <= high.sum() + spread


def recommended_does_no_harm(name: str, rng: np.random.Generator) -> bool:
    """Nothing is lost by what a report recommends, by more than two thousandths of a nat."""
    there = world(name)
    y, p = there.sample(2 * N, rng)
    outputs = ModelOutputs(y, logits=calib.as_logits(p))
    null = calib.consistency_test(calib.ece, y, outputs.prob, n_resamples=99, rng=rng)
    chosen = fitted_map(
        outputs, recommend(compare_maps(outputs)[0], outputs, null.p_value)["name"]
    )
    if chosen is None:
        return True
    after = Population(chosen.predict_proba(calib.as_logits(there.p)), there.q)
    return after.truth(calib.nll) <= true_value(calib.nll, name) + HARM


@dataclass(frozen=True)
class Promise:
    """What is promised of `name` in how many of a hundred trials, and one trial of it."""

    kind: str
    name: str
    says: str
    promised: int | None
    trial: Trial
    worlds: tuple[str, ...]
    n_trials: int = N_TRIALS

    def kept(self, name: str, n_trials: int) -> np.ndarray:
        """Return whether each trial keeps the promise, or by which share, in one world."""
        # the same trials for all promises of a world: what differs is the promise
        rng = np.random.default_rng([SEED, STREAMS[name]])
        return np.array([self.trial(name, rng) for _ in range(n_trials)], float)


def promises() -> Iterator[Promise]:
    """Yield every promise."""
    yield from intervals_of_metrics()
    yield from intervals_of_others()
    says = "a calibrated bin lies in its range"
    yield Promise("band", "consistency_band", says, 95, bins_in_band, CALIBRATED)
    yield from silent_tests()
    yield from prediction_sets()
    name, says = "recommended map", "loses at most .002 nats against doing nothing"
    trial = recommended_does_no_harm
    yield Promise("recommendation", name, says, None, trial, EVERYWHERE, 60)


def intervals_of_metrics() -> Iterator[Promise]:
    """Yield what intervals promise of errors, of losses, of the accuracy, and of differences."""
    interval = partial(Promise, "interval", promised=95)
    worlds = (*EVERYWHERE, "clusters")
    for metric in ERRORS:
        yield interval(
            name=f"bootstrap of {metric.__name__}",
            says="holds the true error",
            trial=partial(interval_of, metric),
            worlds=worlds,
            n_trials=N_SLOW if metric in SLOW else N_TRIALS,
        )
    for metric in LOSSES:
        yield interval(
            name=f"bootstrap of {metric.__name__}",
            says="holds the true value",
            trial=partial(interval_of, metric),
            worlds=worlds,
        )
    yield interval(
        name="bootstrap of accuracy",
        says="holds the true share",
        trial=partial(interval_of, calib.accuracy),
        worlds=("calibrated", "clusters"),
    )
    for metric in (calib.nll, calib.brier):
        yield interval(
            name=f"paired_difference of {metric.__name__}",
            says="holds the true difference",
            trial=partial(difference_of, metric),
            worlds=("calibrated", "too sure", "clusters"),
        )


def intervals_of_others() -> Iterator[Promise]:
    """Yield what intervals promise of a statistic, of a share, and of several numbers."""
    interval = partial(Promise, "interval")
    clusters, sure = ("calibrated", "clusters"), ("calibrated", "nearly always right")
    says = "holds the true mean"
    yield interval("bootstrap_statistic", says, 95, mean_of_hits, clusters)
    says = "holds the true share"
    yield interval("wilson_interval", says, 95, share_of_hits, sure)
    says = "holds each frequency"
    yield interval("estimate_priors", says, 95, priors_held, CALIBRATED)
    says = "holds each gap"
    yield interval("group_errors", says, 95, gaps_held, CALIBRATED)
    says = "one of two probabilities is calibrated"
    yield interval("VennAbers", says, 95, venn_abers_brackets, EVERYWHERE)


def silent_tests() -> Iterator[Promise]:
    """Yield what tests promise: they are silent where nothing is wrong."""
    test = partial(Promise, "test", promised=95, worlds=CALIBRATED)
    says = "is silent where the model is calibrated"
    for name, p_value in tests_of_calibration().items():
        yield test(name=name, says=says, trial=partial(not_rejected, p_value))
    yield test(name="group_errors, groups", says=says, trial=no_group_called)
    yield test(name="group_errors, spread", says=says, trial=no_spread_called)
    says = "is silent where no frequency changed"
    yield test(name="estimate_priors, test", says=says, trial=no_shift_called)


def tests_of_calibration() -> dict[str, Test]:
    """Return by name the tests whose p value is of labels and probabilities."""
    tests: dict[str, Test] = {
        f"consistency_test of {metric.__name__}": partial(consistency, metric)
        for metric in ERRORS[:2]
    }
    for statistic in ("ks", "kuiper"):
        tests[f"cumulative_test, {statistic}"] = partial(cumulative_p, statistic)
    tests["spiegelhalter_test"] = lambda y, p, _: calib.spiegelhalter_test(y, p).p_value
    return tests | {"holm": smallest_of_holm}


def prediction_sets() -> Iterator[Promise]:
    """Yield what prediction sets promise, of all samples and of each class."""
    sets = partial(Promise, "sets", promised=90)
    for score in ("lac", "aps", "raps"):
        yield sets(
            name=f"ConformalSets, {score}",
            says="hold the label of a new sample",
            trial=partial(sets_hold, score, "all"),
            worlds=("calibrated", "too sure"),
        )
    yield sets(
        name="ConformalSets, by class",
        says="hold the label of each class",
        trial=partial(sets_hold, "lac", "classes"),
        worlds=("too sure",),
    )


def rows() -> Iterator[Row]:
    """Yield one row a promise and world."""
    for promise in promises():
        head: Row = {"kind": promise.kind, "name": promise.name, "says": promise.says}
        head["promised"] = promise.promised
        for name in promise.worlds:
            kept = float(promise.kept(name, promise.n_trials).mean())
            print(promise.name, name, round(kept, 3), flush=True)
            yield head | {"world": name, "kept": kept, "trials": promise.n_trials}
