"""What is called with what, and what is put in the place of a good argument, by hand."""

from itertools import islice

import numpy as np
import pytest

import calib
from evidence.studies.parts.outcomes_of_calls import Y, Z
from evidence.studies.software import bad_arguments as study


def example(y, k, n_bins=5, *, rng=None, n_resamples=1000, label="", ax=None, **more):
    """Stand for a public function."""


def test_each_parameter_that_must_be_given_has_a_good_value():
    good = study.good_arguments(example)
    assert good.pop("y") is Y
    assert good == {"k": 1, "n_bins": 5, "rng": 0, "n_resamples": 20}
    assert study.good_arguments(example, k=2, n_bins=3)["k"] == 2
    assert study.good_arguments(example, k=2, n_bins=3)["n_bins"] == 3
    with pytest.raises(KeyError, match="unheard_of"):
        study.good_arguments(lambda unheard_of: None)


def test_a_class_is_called_if_it_is_fitted_or_has_a_use():
    assert study.is_result("Bins", calib.Bins)
    assert not study.is_result("PlattScaling", calib.PlattScaling)
    assert not study.is_result("load_map", calib.Bins)
    assert not study.is_result("ece", calib.ece)


def test_a_map_is_applied_to_what_it_was_fitted_to():
    use, good = study.call_of("TemperatureScaling")
    few, y = Z[:30], Y[:30]
    fitted = calib.TemperatureScaling().fit(few, y)
    answer = use(**good | {"logits": few, "y": y, "sample_weight": None})
    assert answer == pytest.approx(fitted.predict_proba(few))


def test_a_saved_map_is_loaded():
    use, good = study.call_of("load_map")
    assert use(**good).predict_proba(Z) == pytest.approx(study.FITTED.predict_proba(Z))


def test_weights_are_repetitions_where_that_can_be_said():
    inner = calib.PlattScaling()
    asked = {"frequency_weights": False, "calibrator": inner, "k": 1}
    told = study.with_counts(asked)
    assert told["frequency_weights"] is True and told["k"] == 1
    assert asked["frequency_weights"] is False
    assert told["calibrator"].frequency_weights and not inner.frequency_weights
    assert study.with_counts({"calibrator": 3}) == {"calibrator": 3}


def test_one_number_of_an_array_is_replaced_and_the_array_stays():
    array = np.array([[0.25, 0.5]])
    rng = np.random.default_rng(0)
    row, column = rng.integers(1), rng.integers(2)
    bad = study.mangled(array, np.random.default_rng(0))
    assert array.tolist() == [[0.25, 0.5]]
    values = [np.nan, np.inf, -np.inf, -1, 2, 1e308, 0.5, -1e-320]
    for changed, value in zip(bad, values, strict=False):
        expected = array.copy()
        expected[row, column] = value
        np.testing.assert_array_equal(changed, expected)
    assert [len(rows) for rows in bad[8:12]] == [0, 1, 0, 2]


@pytest.mark.parametrize("seed", range(5))
def test_a_bad_call_has_one_bad_argument(monkeypatch, seed):
    good = {"k": "good", "y": np.zeros(2)}
    monkeypatch.setattr(study, "call_of", lambda name: (example, good))
    monkeypatch.setattr(study, "SCALARS", ["bad"])
    monkeypatch.setattr(study, "mangled", lambda array, rng: ["mangled"])
    calls = [*islice(study.bad_calls("a", np.random.default_rng(seed)), 40)]
    for option, function, arguments in calls:
        [other] = {"k", "y"} - {option}
        assert function is example and arguments[other] is good[other]
    put = {(option, arguments[option]) for option, _, arguments in calls}
    assert put == {("k", "bad"), ("y", "bad"), ("y", "mangled")}


@pytest.mark.parametrize("values", [[1.0, np.nan], ["a", "b"]])
def test_what_is_not_a_number_stays_the_same(values):
    assert study.outcome(lambda y: None, {"y": np.array(values)}) == "returned"


def test_outcomes_of_calls_are_counted(monkeypatch):
    outcomes = iter(["returned", "a fault", "refused", "a fault"])
    calls = [("k", example, {"k": place, "y": 9}) for place in range(5)]
    monkeypatch.setattr(study, "bad_calls", lambda name, rng: iter(calls))
    monkeypatch.setattr(study, "outcome", lambda *call: next(outcomes))
    counts, examples = study.fuzz("a", 4)
    assert counts == {"returned": 1, "wrong": 2, "refused": 1}
    assert examples == {"a fault": "k=1"}
