"""Compute promises_about_chance.csv: how often the gate and the report keep what they promise.

`python -m evidence.studies promises_about_chance` from the root, five minutes of a quiet core.
`promised` is how many of a hundred alarms may be false; empty where nothing is promised. In four
worlds a model does not change: one look breaks a rule against the numbers of an earlier `report`,
against a `twin` on the same samples that is as good, or a `bound` that the truth just keeps.
`honest` files are told to be looked at first, `damaged` ones pass, and a threshold lets in more
errors than its `risk`.
"""

from collections.abc import Iterator

import numpy as np

import calib
from calib_report.gating.references import (
    MORE_IS_WORSE,
    ReferenceNumbers,
    ReferenceOutputs,
)
from calib_report.gating.rules import Rules, judge
from calib_report.measuring.declining import threshold_to_decline
from calib_report.measuring.measure import numbers_as_they_are
from calib_report.measuring.outcome import Outcome, outcome_as_is
from calib_report.measuring.request import Request
from calib_report.model_outputs import ModelOutputs
from evidence.files_with_truth import honest_and_damaged
from evidence.rows import Row

N_LOOKS = 200
N_FILES = 2000
N_RISKS = 500
SEED = 2026
WORLDS = {  # samples, classes, temperature
    "calibrated, 500 samples": (500, 4, 1.0),
    "calibrated, 2000 samples": (2000, 4, 1.0),
    "too sure, 2000 samples": (2000, 4, 2.0),
    "two classes, 1000 samples": (1000, 2, 1.0),
}
# the second half of a world's seed
STREAMS = {
    "calibrated, 500 samples": 23,
    "calibrated, 2000 samples": 24,
    "too sure, 2000 samples": 22,
    "two classes, 1000 samples": 25,
}


def week(n: int, k: int, temperature: float, rng: np.random.Generator) -> ModelOutputs:
    """Return the outputs of a model in a week that is like any other."""
    z = rng.normal(size=(n, k))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return ModelOutputs(y, logits=temperature * z)


def numbers_of(outputs: ModelOutputs, rng: np.random.Generator) -> ReferenceNumbers:
    """Return the numbers that a report of a week saves."""
    numbers = numbers_as_they_are(outputs, outcome_as_is(outputs), rng)
    held_to = {name: numbers[name] for name in MORE_IS_WORSE}
    return ReferenceNumbers("base.json", "classes", outputs.names, held_to)


def twins(outputs: ModelOutputs, rng: np.random.Generator) -> Iterator[ModelOutputs]:
    """Yield two models of the same samples, each with noise of its own, and as good."""
    for _ in range(2):
        noise = 0.3 * rng.normal(size=outputs.scores.shape)
        yield ModelOutputs(outputs.y, logits=outputs.scores + noise)


def broken(n_looks: int, world: str, rng: np.random.Generator) -> tuple[int, int, int]:
    """Return how many looks break a rule: against a report, against a twin, and a true bound."""
    against_report = against_twin = beyond_bound = 0
    large = week(200_000, *WORLDS[world][1:], rng)
    limit = calib.ece(large.y, large.prob)
    for _ in range(n_looks):
        before, now = (week(*WORLDS[world], rng) for _ in range(2))
        rules = Rules.parsed([f"ece={limit}"], against=numbers_of(before, rng))
        bound, *others = judge(now, rules)[1]
        beyond_bound += not bound.holds
        against_report += not all(verdict.holds for verdict in others)
        first, second = twins(now, rng)
        verdicts = judge(second, Rules(against=ReferenceOutputs("base.npz", first)))[1]
        against_twin += not all(verdict.holds for verdict in verdicts)
    return against_report, against_twin, beyond_bound


def exceeded_risks(n_reports: int, rng: np.random.Generator) -> int:
    """Return how many reports name a threshold whose true share of errors is above the risk.

    The half that is surer is right nine times in ten: a lower threshold breaks the promise.
    """
    wish, exceeded = Request(risk=0.1), 0
    for _ in range(n_reports):
        sure = rng.uniform(0, 1, 2000)
        right = (rng.random(2000) < 0.75 + 0.2 * sure).astype(int)
        outcome = Outcome(0 * sure, 0 * sure, sure, right, task="pairs")
        threshold = threshold_to_decline(outcome, rng, wish)["threshold"]
        exceeded += threshold is not None and threshold < 0.5
    return exceeded


def row_of_promise(
    what: str, world: str, promised: int | str, counted: int, of: int
) -> Row:
    """Return how many of a hundred are promised at most, and how many of all were counted."""
    head = {"what": what, "world": world, "promised": promised}
    return head | {"counted": counted, "of": of}


def rows() -> Iterator[Row]:
    for world in WORLDS:
        counts = broken(N_LOOKS, world, np.random.default_rng([SEED, STREAMS[world]]))
        for what, count in zip(("report", "twin", "bound"), counts, strict=True):
            yield row_of_promise(what, world, 5, count, N_LOOKS)
    files, alarms = honest_and_damaged.false_alarms(
        N_FILES, np.random.default_rng(SEED)
    )
    yield row_of_promise("honest", "all", 1, alarms.total(), files.total())
    files, passed = honest_and_damaged.missed_alarms(
        N_FILES, np.random.default_rng(SEED)
    )
    for damage, count in passed.items():
        yield row_of_promise("damaged", damage, "", count, files[damage])
    exceeded = exceeded_risks(N_RISKS, np.random.default_rng(SEED))
    yield row_of_promise("risk", "2000 samples", 5, exceeded, N_RISKS)
