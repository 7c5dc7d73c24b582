"""Compute gate_with_memory.csv: how often a gate that is looked at weekly alarms.

`python -m evidence.studies gate_with_memory` from the root. Two years of weekly files, whose
events happen with the probability that is said and an offset: none, or that from the 53rd week on.
The gate with memory alarms where its evidence reaches 20 at any look; the weekly test where the
mean offset of one week is further from zero, or from what is allowed, than chance leads it in one
of twenty weeks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

import calib
from calib.sequential import EDGES, N_REGIONS
from evidence.constants import ROUNDED_95
from evidence.data import generator
from evidence.rows import Row

N_RUNS, N_DRIFTS = 1000, 200
WEEKS, CHANGE = 104, 52
LABELS = (100, 1000)  # a week
TOLERANCES = (0.0, 0.02)
OFFSETS = (0.01, 0.02, 0.05)
SAID = (np.arange(200) + 0.5) / 200  # probabilities that are said
WORLDS = {"confidences": (5, 2), "a rare event": (0.5, 5)}  # of a beta distribution


@dataclass(frozen=True)
class ChangingModel:
    """How often each probability is said, and how often it is so before and after a change."""

    share: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @classmethod
    def of(cls, name: str, before: float, after: float) -> "ChangingModel":
        a, b = WORLDS[name]
        density = SAID ** (a - 1) * (1 - SAID) ** (b - 1)
        scores = (np.clip(SAID + offset, 0, 1) for offset in (before, after))
        return cls(density / density.sum(), *scores)

    def weeks(self, n_labels: int, rng: np.random.Generator) -> np.ndarray:
        """Return the sums of two years, (104, 6, 6), as `calib.look_sums` would."""
        # by probability and not by sample: a week is two hundred binomial numbers
        n = rng.multinomial(n_labels, self.share, size=WEEKS)
        changed = np.arange(WEEKS)[:, None] >= CHANGE
        hits = rng.binomial(n, np.where(changed, self.after, self.before))
        squares = hits * (1 - SAID) ** 2 + (n - hits) * SAID**2
        variance = n * SAID * (1 - SAID)  # if calibrated
        # all that a gate remembers of a look
        sums = [n, hits - n * SAID, squares, variance, n * SAID, n * SAID**3]
        in_region = np.searchsorted(EDGES, SAID)[:, None] == np.arange(N_REGIONS)
        return np.stack([each @ in_region for each in sums], axis=-1)


def first_alarm_of_memory(
    weeks: np.ndarray, tolerance: float, error: float = 0.05
) -> float:
    """Return the week of the first alarm, from 1; infinite where there is none."""
    for week in range(1, len(weeks) + 1):
        if calib.drift_evidence(weeks[:week], tolerance=tolerance).breaks(error):
            return week
    return np.inf


def first_alarm_of_tests(weeks: np.ndarray, tolerance: float) -> float:
    """Return the first week whose own test alarms, from 1; infinite where there is none."""
    count, offset, _, variance, *_ = weeks.sum(axis=1).T
    beyond = np.abs(offset) - tolerance * count > ROUNDED_95 * np.sqrt(variance)
    return float(beyond.argmax() + 1) if beyond.any() else np.inf


GATES = {"memory": first_alarm_of_memory, "a test each week": first_alarm_of_tests}


def alarm_rates(
    gate: str,
    name: str,
    n_labels: int,
    tolerance: float,
    before: float,
    after: float,
    n_runs: int,
) -> Row:
    """Return the row of one gate in one world: early alarms, and how soon a change is seen."""
    rng = generator("gate with memory", name, n_labels, tolerance, before, after)
    world = ChangingModel.of(name, before, after)
    alarm = np.array(
        [GATES[gate](world.weeks(n_labels, rng), tolerance) for _ in range(n_runs)]
    )
    changes = before != after
    # an alarm before the change is a false one
    early = alarm <= (CHANGE if changes else WEEKS)
    row = {
        "gate": gate,
        "world": name,
        "labels": n_labels,
        "tolerance": tolerance,
        "before": before,
        "after": after,
        "runs": n_runs,
        "false_alarms": float(early.mean()),
    }
    if not changes or early.all():
        return row | {"seen": "", "median_weeks": "", "weeks_of_nine_in_ten": ""}
    weeks = alarm[~early] - CHANGE
    # a week that came, and not a mean with an infinite one
    half, late = np.quantile(weeks, [0.5, 0.9], method="higher")
    return row | {
        "seen": float(np.isfinite(weeks).mean()),
        "median_weeks": half if np.isfinite(half) else "",
        "weeks_of_nine_in_ten": late if np.isfinite(late) else "",
    }


def rows() -> Iterator[Row]:
    """Yield each gate in each world: where nothing changes, and where it does beyond tolerance."""
    for gate, name, n_labels, tolerance in product(GATES, WORLDS, LABELS, TOLERANCES):
        task = gate, name, n_labels, tolerance
        yield alarm_rates(*task, tolerance, tolerance, N_RUNS)
        for offset in OFFSETS:
            if offset > tolerance:
                yield alarm_rates(*task, 0.0, offset, N_DRIFTS)
