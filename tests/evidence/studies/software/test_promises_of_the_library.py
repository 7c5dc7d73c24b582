"""Each promise of the library in one world, with few trials; broken on purpose, it is missed."""

import numpy as np
import pytest
import scipy

import calib
from calib import (
    bands,
    calibration_tests,
    differences,
    groups,
    intervals,
    priors,
    sampled_metrics,
)
from evidence.studies.software import promises_of_the_library

N_SHORT = 100
PROMISES = {promise.name: promise for promise in promises_of_the_library.promises()}
SLOW = (
    "smooth_ece",
    "kde_ece",
    "sweep_ece",
    "ace",
    "tace",
    "psce",
    "classwise_ks",
    "recommended",
)
HARDEST = {  # the world in which a broken version is seen; of others the first
    "bootstrap of accuracy": "clusters",
    "bootstrap_statistic": "clusters",
    "paired_difference of nll": "clusters",
    "paired_difference of brier": "clusters",
    "bootstrap of debiased_ece": "slightly too sure",
    "wilson_interval": "nearly always right",
    **{
        f"bootstrap of {metric.__name__}": "clusters"
        for metric in promises_of_the_library.LOSSES
    },
}


def short(promise):
    """Return what is kept, and what falls short of the promise but once in a thousand times."""
    name = HARDEST.get(promise.name, promise.worlds[0])
    trials = promise.kept(name, N_SHORT if promise.promised else 20)
    chance = 3.3 * trials.std() / np.sqrt(len(trials))
    return trials.mean(), (promise.promised or 95) / 100 - chance


def named(promise):
    """A promise as a parameter; a few seconds each take some metrics, and draws of clusters."""
    is_slow = (
        promise.promised is None
        or promise.name.split()[-1] in SLOW
        or promise.name in HARDEST
    )
    return pytest.param(
        promise, id=promise.name, marks=pytest.mark.slow if is_slow else ()
    )


EACH = pytest.mark.parametrize(
    "promise", [named(promise) for promise in PROMISES.values()]
)


@EACH
def test_a_promise_is_kept(promise):
    share, bound = short(promise)
    assert share >= bound


def alone(clusters, n):
    """Every sample as its own cluster: what hangs together is drawn apart."""
    return np.arange(n)


def wald(hits, n, confidence_level=0.95):
    share = np.asarray(hits) / n
    half = 1.96 * np.sqrt(share * (1 - share) / n)
    return share - half, share + half


def half_of(function):
    return lambda *args: function(*args) / 2


def narrow(function):
    """A range of a lower level."""
    return lambda prob, tail: function(prob, tail + 0.1)


def evenly_drawn(p, rng, _=None):
    """Hits that are spread over the scores as evenly as can be: too little noise."""
    order = np.argsort(p)
    below = np.append(0, np.cumsum(p[order]))
    place = np.argsort(order)
    return lambda: np.diff(np.floor(below + rng.random()))[place] > 0


def thrice(function):
    """Every sample counted three times."""
    return lambda *args: calib.Pairs(
        *(np.repeat(a, 3) for a in function(*args)[:2]), None
    )


def as_it_is(p):
    return np.asarray(p)


def plain_quantile(self, score, weight, rounding):
    return float(np.quantile(score, self.coverage, method="inverted_cdf"))


def doubled(function):
    return lambda df, ratio: function(df, 2 * ratio)


CHI2 = scipy.special.chdtrc
BREAKS = (
    {  # of the names that begin so, the longest first: what is replaced, and by what
        "bootstrap of": (intervals, "cluster_numbers", alone),
        "bootstrap_statistic": (intervals, "cluster_numbers", alone),
        "paired_difference": (differences, "cluster_numbers", alone),
        "wilson_interval": (calib, "wilson_interval", wald),
        "estimate_priors": (priors, "_standard_error", half_of(priors._standard_error)),
        "estimate_priors, test": (scipy.special, "chdtrc", doubled(CHI2)),
        "group_errors": (groups.np, "sqrt", half_of(np.sqrt)),
        "group_errors, groups": (groups, "holm", as_it_is),
        "group_errors, spread": (scipy.special, "chdtrc", doubled(CHI2)),
        "VennAbers": (
            calib.VennAbers,
            "predict_interval",
            lambda self, score: (score / 2, score / 2),
        ),
        "consistency_band": (
            bands,
            "_poisson_binomial_range",
            narrow(bands._poisson_binomial_range),
        ),
        "consistency_test": (sampled_metrics, "calibrated_outcomes", evenly_drawn),
        "cumulative_test": (
            calibration_tests,
            "view_pairs",
            thrice(calibration_tests.view_pairs),
        ),
        "spiegelhalter_test": (
            calibration_tests,
            "view_pairs",
            thrice(calibration_tests.view_pairs),
        ),
        "holm": (calib, "holm", as_it_is),
        "ConformalSets": (calib.ConformalSets, "_threshold", plain_quantile),
        "recommended map": (
            promises_of_the_library,
            "fitted_map",
            lambda outputs, _: calib.MatrixScaling().fit(outputs.scores, outputs.y),
        ),
    }
    | {  # in place of the interval that suits the metric
        f"bootstrap of {metric.__name__}": (
            sampled_metrics.SampledMetric,
            "suited",
            lambda *_: "percentile",
        )
        for metric in promises_of_the_library.ERRORS
    }
)
BREAKS["bootstrap of debiased_ece"] = (
    sampled_metrics.SampledMetric,
    "suited",
    lambda *_: "basic",
)


def breaking(promise):
    starts = [start for start in BREAKS if promise.name.startswith(start)]
    return BREAKS[max(starts, key=len)]


@EACH
def test_a_broken_version_is_missed(promise, monkeypatch):
    monkeypatch.setattr(*breaking(promise))
    share, bound = short(promise)
    assert share < bound


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ks_error", "classwise_ece", "debiased_ece"])
def test_calibrated_draws_of_clusters_hang_together(name, monkeypatch):
    """Drawn one by one they are too even: a calibrated model then seems to err."""
    promise, draws = (
        PROMISES[f"bootstrap of {name}"],
        sampled_metrics.SampledMetric.statistic_if_calibrated,
    )
    covered = promise.kept("clusters", N_SHORT)
    assert covered.mean() >= 0.95 - 3.3 * covered.std() / N_SHORT**0.5
    monkeypatch.setattr(
        sampled_metrics.SampledMetric,
        "statistic_if_calibrated",
        lambda one, rng, _: draws(one, rng),
    )
    assert promise.kept("clusters", N_SHORT).mean() < 0.8
