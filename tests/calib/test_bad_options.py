"""Options and values that make no sense are refused by name."""

import time

import numpy as np
import pytest
from maps import HIT, LOGIT_MAPS, NONSENSE, SCORE, SCORE_MAPS, Y, Z, fitted
from stand_ins import NoArray

import calib
from calib.maps.base import ProbabilityCalibrator, clone

CALIBRATORS = SCORE_MAPS + LOGIT_MAPS
CASES = [
    pytest.param(
        calibrator, name, value, id=f"{type(calibrator).__name__}-{name}-{value}"
    )
    for calibrator in CALIBRATORS
    for name in calibrator.get_params(deep=False)
    for value in NONSENSE.get(name, ())
    if value is not None or getattr(calibrator, name) is not None
]


def test_each_parameter_of_a_map_has_values_that_are_refused():
    names = {
        name for calibrator in CALIBRATORS for name in calibrator.get_params(deep=False)
    }
    missing = names - NONSENSE.keys()
    assert not missing, f"tests/parts/maps.py: NONSENSE lacks {missing}"


@pytest.mark.parametrize(("calibrator", "name", "value"), CASES)
def test_parameters_of_calibrators(calibrator, name, value):
    changed = clone(calibrator).set_params(**{name: value})
    with pytest.raises((TypeError, ValueError), match=f"^{name}: "):
        fitted(changed)


OUT_OF_FOLD = {
    "held_out": lambda calibrator: [
        *calib.held_out(calibrator, Z, Y, calib.folds(Y, 2))
    ],
    "refine_parts": lambda calibrator: calib.refine_parts(Z, Y, calibrator),
    "vector_error": lambda calibrator: calib.vector_error(Z, Y, calibrator),
}
OF_PROBABILITIES = [
    case for case in CASES if isinstance(case.values[0], ProbabilityCalibrator)
]


@pytest.mark.parametrize("function", OUT_OF_FOLD)
@pytest.mark.parametrize(("calibrator", "name", "value"), OF_PROBABILITIES)
def test_parameters_of_calibrators_that_are_fitted_out_of_fold(
    function, calibrator, name, value
):
    changed = clone(calibrator).set_params(**{name: value})
    with pytest.raises((TypeError, ValueError), match=f"^{name}: "):
        OUT_OF_FOLD[function](changed)


def test_a_parameter_that_is_no_calibrator_has_no_parameters():
    with pytest.raises(
        ValueError, match="n_bins__low: n_bins is 15, expected a calibrator"
    ):
        calib.HistogramBinning().set_params(n_bins__low=1)


def test_a_map_of_logits_is_no_map_of_one_score():
    with pytest.raises(TypeError, match="calibrator: TemperatureScaling"):
        calib.OneVsRest(calib.TemperatureScaling()).fit(Z, Y)


# Values that once gave a wrong number, a foreign error or a machine without memory.
P, UNEQUAL = calib.softmax(Z), [[0.5, 0.5], [1.0]]


def weighted(weight):
    counted = calib.BBQ(frequency_weights=True)
    return counted.fit(SCORE, HIT, sample_weight=np.full(400, weight))


ECE, DIAGRAM, GROUPS = calib.ece, calib.reliability_diagram, calib.group_errors
HELD_OUT, TEMPERATURE = calib.held_out, calib.TemperatureScaling()
UNDATED = np.full(400, np.datetime64("NaT"))
MASKED = np.ma.masked_equal(np.arange(400) % 3, 1)
REFUSED = [
    (ECE, (HIT, SCORE), {"n_bins": 10**9}, "n_bins: 1000000000, expected"),
    (calib.equal_mass, (10**9,), {}, "n_bins: 1000000000"),
    (
        calib.calibration_error,
        (HIT, SCORE),
        {"bins": calib.equal_mass},
        "bins: <function equal_m",
    ),
    (DIAGRAM, (HIT, SCORE), {"bins": calib.equal_width}, "bins: <function equal_width"),
    (weighted, (1e90,), {}, "sample_weight: the weights stand for"),
    (weighted, (1e300,), {}, "sample_weight: the weights sum to"),
    (ECE, (NoArray(), SCORE), {}, "y_true: not an array"),
    (calib.classwise_diagrams, (Y, P), {"classes": []}, "classes: none"),
    (GROUPS, (HIT, SCORE, [*"ab" * 199, "a", None]), {}, "groups: row 399 is None"),
    (GROUPS, (HIT, SCORE, MASKED), {}, "groups: a masked array"),
    (
        GROUPS,
        (HIT, SCORE, [1.0, np.nan] * 200),
        {},
        "groups: row 1 is 'nan', expected a name",
    ),
    (
        GROUPS,
        (HIT, SCORE, ["a", "b", "", "a"] * 100),
        {},
        "groups: row 2 is '', expected a name",
    ),
    (calib.folds, ([1, np.nan, np.nan, 1], 2), {}, "y: row 1 is 'nan'"),
    (
        calib.bootstrap,
        (ECE, HIT, SCORE),
        {"clusters": UNDATED, "rng": 0},
        "clusters: row 0 is 'NaT'",
    ),
    (GROUPS, (HIT, SCORE, [["a"], ["b"]] * 200), {}, "groups: shape"),
    (HELD_OUT, (TEMPERATURE, Z, Y, [np.arange(400)]), {}, "folds: fold 0 leaves none"),
    (HELD_OUT, (TEMPERATURE, Z, Y, [[0], range(400)]), {}, "folds: fold 1 leaves none"),
    (HELD_OUT, (TEMPERATURE, Z, Y, []), {}, "folds: none, expected"),
    (HELD_OUT, (TEMPERATURE, Z, Y, 3), {}, "folds: 3, expected the rows"),
    (HELD_OUT, (TEMPERATURE, Z, Y, [[], [1]]), {}, "folds: "),
    (HELD_OUT, (TEMPERATURE, Z, Y, [[1, 400]]), {}, "folds: row 1 is 400"),
    (HELD_OUT, (TEMPERATURE, Z, Y, [[0.5]]), {}, "folds: row 0 is 0.5"),
    (calib.save_map, (3, "map.json"), {}, "int is not a map of calib"),
    (calib.load_map, (3,), {}, "path: 3, expected the path of a file"),
    (calib.load_map, ("",), {}, "path: '', expected the path of a file"),
    (calib.bootstrap, (calib.nll, [0, 1], UNEQUAL), {"rng": 0}, "y_prob: not an array"),
    (
        calib.spiegelhalter_test,
        ([0, 1], UNEQUAL),
        {},
        "y_prob: not an array of numbers",
    ),
    (DIAGRAM, ([0, 1], UNEQUAL), {}, "y_prob: not an array of numbers"),
    (calib.spiegelhalter_test, (Y, P), {"view": "top_label"}, "view: 'top_label'"),
    (DIAGRAM, (Y, P), {"view": 3}, "view: 3"),
]


@pytest.mark.parametrize(("call", "given", "options", "message"), REFUSED)
def test_is_refused_by_name(call, given, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call(*given, **options)


def test_heavy_weights_do_not_make_bbq_slow():
    start = time.process_time()
    heavy = weighted(1e6)
    assert time.process_time() - start < 3
    assert len(heavy.n_bins_) <= 1000
