"""What the arena measures: halves of a test set, and a row a fit."""

import numpy as np
import pandas as pd
import pytest

import calib
from evidence.arena.arena_metrics import ARENA_METRICS, as_rows

Y = np.array([0, 1, 1, 0, 1])
P = np.array([[0.9, 0.1], [0.4, 0.6], [0.8, 0.2], [0.7, 0.3], [0.1, 0.9]])


@pytest.mark.parametrize("name", ["nll", "brier"])
def test_of_five_samples_two_are_the_first_half_and_three_the_second(name):
    metric = getattr(calib, name)
    assert ARENA_METRICS[f"{name}_1"](Y, P) == metric(Y[:2], P[:2])
    assert ARENA_METRICS[f"{name}_2"](Y, P) == metric(Y[2:], P[2:])


def test_the_other_metrics_are_of_all_samples():
    for name in ("ece", "classwise_ece", "accuracy"):
        assert ARENA_METRICS[name](Y, P) == getattr(calib, name)(Y, P)
    by_chance = calib.error_if_calibrated(np.array([0.9, 0.6, 0.8, 0.7, 0.9]))
    assert ARENA_METRICS["ece_chance"](Y, P) == by_chance


def fit(note, nll_1, nll_2):
    rows = [("nll_1", nll_1), ("nll_2", nll_2)]
    table = pd.DataFrame(rows, columns=["metric", "value"])
    return table.assign(prediction="set", n=100, note=note, fit_seconds=0.5)


@pytest.mark.parametrize(
    ("note", "losses", "failure"),
    [
        ("", (0.5, 0.7), ""),
        ("", (0.5, np.inf), "probability of zero"),
        ("", (np.inf, 0.7), "probability of zero"),
        ("no optimum", (np.nan, np.nan), "no optimum"),
    ],
)
def test_a_fit_fails_by_an_error_or_by_a_label_of_no_probability(note, losses, failure):
    rows = as_rows(fit(note, *losses).assign(calibrator="beta"))
    assert len(rows) == 1
    row = rows.iloc[0]
    assert (row["set"], row["n"], row["map"]) == ("set", 100, "beta")
    assert row["failure"] == failure and row["fit_seconds"] == 0.5
    np.testing.assert_equal((row["nll_1"], row["nll_2"]), losses)
