"""What many functions take is described in the same words by all of them."""

import inspect

import pytest
from numpydoc.docscrape import get_doc_object

import calib
from calib.maps.base import LogitCalibrator, ScoreCalibrator


def metrics_of(what):
    return [
        metric.function for metric in calib.METRICS.values() if metric.reads == what
    ]


RESAMPLING = [calib.bootstrap, calib.bootstrap_statistic, calib.paired_difference]
ERRORS = [calib.ece, calib.mce, calib.rmsce, calib.classwise_ece, calib.sce]
MAPS = [
    v
    for v in vars(calib).values()
    if inspect.isclass(v) and issubclass(v, calib.Calibrator)
]
SOLVED = [cls for cls in MAPS if "max_iter" in inspect.signature(cls).parameters]
SIGMOIDS = [cls for cls in SOLVED if issubclass(cls, ScoreCalibrator)]
FREE = [cls for cls in SOLVED if cls not in [calib.TemperatureScaling, *SIGMOIDS]]
GROUPS = {
    "metrics of pairs": (
        metrics_of("pairs"),
        ["y_true", "y_prob", "sample_weight", "view"],
    ),
    "counts of samples": ([calib.debiased_ece, calib.kde_ece], ["frequency_weights"]),
    "metrics of vectors": (
        metrics_of("vectors"),
        ["y_true", "y_prob", "sample_weight"],
    ),
    "errors in bins": (ERRORS, ["n_bins", "closed"]),
    "resampling": (RESAMPLING, ["n_resamples", "confidence_level", "clusters", "rng"]),
    "solved maps": (SOLVED, ["max_iter"]),
    "free maps": (FREE, ["tol"]),
    "sigmoids": (SIGMOIDS, ["tol", "floor"]),
    "fitting": ([ScoreCalibrator.fit, LogitCalibrator.fit], ["sample_weight"]),
}


@pytest.mark.parametrize("group", GROUPS)
def test_members_describe_a_parameter_in_the_same_words(group):
    members, parameters = GROUPS[group]
    assert len(members) > 1
    for name in parameters:
        words = {description(member, name) for member in members} - {None}
        assert len(words) == 1, f"{name}: {words}"


def description(member, name):
    """Return the type and the text of a parameter; None of a function that does not take it."""
    for parameter in get_doc_object(member)["Parameters"]:
        if parameter.name == name:
            return " ".join([parameter.type, *parameter.desc])
    return None
