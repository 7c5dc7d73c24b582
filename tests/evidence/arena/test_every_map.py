"""Every map of the arena: cells of its stored table, and small sets by hand."""

import numpy as np
import pandas as pd
import pytest

import calib
from evidence import load_results
from evidence.arena import every_map
from evidence.arena import prediction_sets as sets
from evidence.arena.arena_metrics import ARENA_METRICS


def test_some_cheap_cells_are_computed_again():
    """To six digits; another processor may round the last otherwise."""
    task = sets.load_set("sst2-dan3-w100-s1")
    maps = {
        name: every_map.ARENA_MAPS[name]
        for name in ("none", "temperature", "vector", "isotonic")
    }
    stored = load_results("arena").set_index(["set", "n", "order", "map"])
    for row in every_map.fit_to_prediction_set(task, task.calibration_sets, maps):
        there = stored.loc[(row["set"], row["n"], row["order"], row["map"])]
        assert row["failure"] == ("" if pd.isna(there["failure"]) else there["failure"])
        values = [float(row[metric] or np.nan) for metric in ARENA_METRICS]
        expected = there[[*ARENA_METRICS]].astype(float)
        np.testing.assert_allclose(expected, values, rtol=1e-4, atol=1e-6)


def drawn(n, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((n, n_classes))
    return 2 * z, (z + rng.gumbel(size=z.shape)).argmax(axis=1)


def test_of_two_classes_the_decision_is_how_much_more_the_second_has():
    assert every_map.decisions(np.array([[1, 4], [5, 2]])).tolist() == [[3], [-3]]
    three = np.array([[1, 4, 2]])
    assert every_map.decisions(three) is three


@pytest.mark.parametrize(
    ("logits", "said"),
    [([[1, 4], [5, 2], [0, 0]], [1, 0, 0]), ([[1, 4, 2], [0, 1, 3]], [1, 2])],
)
def test_a_classifier_predicts_what_its_decisions_say(logits, said):
    x = every_map.decisions(np.array(logits))
    model = every_map.classifier_of_decisions(len(logits[0]))
    assert model.fit(x, said) is model and model.predict(x).tolist() == said
    expected = x[:, 0] if len(logits[0]) == 2 else x
    assert np.array_equal(model.decision_function(x), expected)
    assert model.classes_.tolist() == list(range(len(logits[0])))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_temperature_of_scikit_learn_is_that_of_the_same_loss(n_classes):
    logits, y = drawn(400, n_classes)
    found = every_map.ScikitLearn("temperature").fit(logits, y).predict_proba(logits)
    ours = calib.TemperatureScaling().fit(logits, y).predict_proba(logits)
    np.testing.assert_allclose(found, ours, atol=1e-3)


def test_the_isotonic_map_of_two_classes_keeps_their_shares():
    logits, y = drawn(200, 2)
    p = every_map.ScikitLearn("isotonic").fit(logits, y).predict_proba(logits)
    assert p[:, 1].mean() == pytest.approx(y.mean())
    assert (np.diff(p[np.argsort(logits[:, 1] - logits[:, 0]), 1]) >= 0).all()


class Fails:
    def fit(self, logits, y):
        raise ValueError("no minimum")


def test_each_map_of_each_calibration_set_has_a_row():
    """The test set is .75 sure of the first of two classes, right, wrong, right, right."""
    logits, y = drawn(30, 2)
    test = np.tile([np.log(3), 0], (4, 1))
    task = sets.PredictionSet("s", "d", "text", logits, y, test, np.array([0, 1, 0, 0]))
    learnt = [
        sets.CalibrationSet(1, 30, logits, y),
        sets.CalibrationSet(0, 9, logits, y),
    ]
    maps = {"none": None, "temperature": calib.TemperatureScaling(), "fails": Fails()}
    rows = every_map.fit_to_prediction_set(task, learnt, maps)
    assert [(row["n"], row["order"], row["map"]) for row in rows] == [
        (n, order, name) for n, order in ((30, 1), (9, 0)) for name in maps
    ]
    assert {(row["set"], row["dataset"], row["classes"]) for row in rows} == {
        ("s", "d", 2)
    }
    none, temperature, fails = rows[:3]
    # six digits: -log .75 is .2876821, and the other half's mean with -log .25 .836988
    assert (none["nll_1"], none["nll_2"]) == ("0.836988", "0.287682")
    assert (none["accuracy"], none["ece"], none["failure"]) == ("0.75", "0", "")
    scaling = calib.TemperatureScaling().fit(logits, y)
    nll = calib.nll(np.array([0, 0]), scaling.predict_proba(test[2:]))
    assert float(temperature["nll_2"]) == pytest.approx(nll, rel=1e-5)
    assert fails["nll_1"] == "" and "no minimum" in fails["failure"]


def test_slow_maps_are_maps_of_the_arena():
    assert (
        set(every_map.ARENA_MAPS) > every_map.SLOW
        and every_map.ARENA_MAPS["none"] is None
    )
