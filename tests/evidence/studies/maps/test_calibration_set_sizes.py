"""Sets of several sizes: how they are drawn, and what is told of a map that cannot be fitted."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.studies.maps import calibration_set_sizes as study


class Refusing:
    """A map that has no minimum."""

    def fit(self, logits, y):
        raise calib.ConvergenceError("no minimum", 1.0)


def first_logits(outputs):
    """What tells one sample from all others."""
    return {*outputs.logits[:, 0]}


@pytest.fixture
def tables(monkeypatch):
    """The tables that are asked for of a network of so many classes and twelve samples."""

    def measured(n_classes):
        logits = np.random.default_rng(0).normal(size=(12, n_classes))
        net = SimpleNamespace(test=Outputs(np.zeros(12, int), logits=logits))
        calls = []
        monkeypatch.setattr(study, "SIZES", (2, 5, 6, 7))
        monkeypatch.setattr(study, "REPETITIONS", 2)
        monkeypatch.setattr(study, "load_source", lambda name: net)
        monkeypatch.setattr(study, "table", lambda *call: calls.append(call) or [])
        study.measure_by_size("a")
        return calls

    return measured


def test_sets_are_drawn_from_the_other_half_and_the_whole_of_it_once(tables):
    calls = tables(3)
    sizes = [drawn for _, _, drawn, _, _ in calls]
    assert sizes == [(0, 0), (2, 0), (2, 1), (5, 0), (5, 1), (6, 0)]
    tested, pool = (first_logits(calls[i][j]) for i, j in ((0, 1), (-1, 3)))
    assert len(tested) == len(pool) == 6 and not tested & pool
    for _, test, (n, _), calibration, _ in calls[1:]:
        assert first_logits(test) == tested
        # without replacement
        assert len(first_logits(calibration)) == n
        assert first_logits(calibration) <= pool
    assert first_logits(calls[3][3]) != first_logits(calls[4][3])


def test_beyond_fifty_classes_no_matrix_is_fitted(tables):
    assert {"matrix", "matrix-odir"} <= {*tables(50)[-1][-1]}
    assert {*tables(51)[-1][-1]} == {*study.COMPETING_MAPS} - {"matrix", "matrix-odir"}


def test_a_map_without_a_minimum_has_no_values():
    logits, y = np.log([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 1])
    outputs = Outputs(y, logits=logits)
    maps = {"none": None, "refusing": Refusing()}
    none, refusing = study.table("a", outputs, (2, 1), outputs, maps)
    assert (none["n"], none["repetition"], none["classes"]) == (2, 1, 2)
    assert none["calibrator"] == "none"
    assert none["nll"] == pytest.approx(np.log(8 / 3) / 2)
    # said .75 and right; said .5 and, of two alike, the first is not the label
    assert none["ece"] == pytest.approx((0.25 + 0.5) / 2)
    assert (refusing["calibrator"], refusing["nll"], refusing["ece"]) == (
        "refusing",
        "",
        "",
    )
