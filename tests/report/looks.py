"""How often one look breaks a rule of a model that did not change.

`PYTHONPATH=.:tests python -m tests.report.looks` takes 200 looks at each of four worlds, in three
minutes: four rules against the numbers of an earlier report, the same against the same samples
with another model as good, and a bound that the truth just keeps.
"""

import sys

import numpy as np

import calib
from calib_report.measure import numbers_as_they_are, unchanged
from calib_report.model_outputs import ModelOutputs
from calib_report.rules import MORE_IS_WORSE, Base, Rules, SavedNumbers, check

N_LOOKS = 200
WORLDS = {  # samples, classes, temperature
    "calibrated, 500 samples": (500, 4, 1.0),
    "calibrated, 2000 samples": (2000, 4, 1.0),
    "too sure, 2000 samples": (2000, 4, 2.0),
    "two classes, 1000 samples": (1000, 2, 1.0),
}


def week(n, k, temperature, rng):
    """Return the outputs of a model in a week that is like any other."""
    z = rng.normal(size=(n, k))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return ModelOutputs(y, logits=temperature * z)


def numbers_of(outputs, rng):
    """Return the numbers that a report of a week saves."""
    numbers = numbers_as_they_are(outputs, unchanged(outputs), rng)
    held_to = {name: numbers[name] for name in MORE_IS_WORSE}
    return SavedNumbers("base.json", "classes", outputs.names, held_to)


def twins(outputs, rng):
    """Return two models of the same samples, each with noise of its own, and as good."""
    for _ in range(2):
        noise = 0.3 * rng.normal(size=outputs.known.shape)
        yield ModelOutputs(outputs.y, logits=outputs.known + noise)


def broken(n_looks, world, rng):
    """Return how many looks break a rule: against a report, against a twin, and a true bound."""
    against_report = against_twin = beyond_bound = 0
    large = week(200_000, *WORLDS[world][1:], rng)
    limit = calib.ece(large.y, large.prob)
    for _ in range(n_looks):
        before, now = (week(*WORLDS[world], rng) for _ in range(2))
        rules = Rules.of([f"ece={limit}"], against=numbers_of(before, rng))
        bound, *others = check(now, rules)[1]
        beyond_bound += not bound.holds
        against_report += not all(verdict.holds for verdict in others)
        first, second = twins(now, rng)
        verdicts = check(second, Rules(against=Base("base.npz", first)))[1]
        against_twin += not all(verdict.holds for verdict in verdicts)
    return against_report, against_twin, beyond_bound


def main(n_looks=N_LOOKS):
    rng = np.random.default_rng(2026)
    for world in WORLDS:
        report, twin, bound = broken(n_looks, world, rng)
        print(
            f"{world}: of {n_looks} looks {report} break a rule against a report, {twin} against "
            f"a twin on the same samples, {bound} a bound that is the truth",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
