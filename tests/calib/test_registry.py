"""What is known of each metric: its entry, formula and bins."""

from functools import partial

import pytest
from draws import draw

import calib
from calib.registry import metric_of, reads_pairs, unwrapped
from calib.views import view_pairs


def test_every_metric_is_public():
    assert {metric.function.__name__ for metric in calib.METRICS.values()} <= set(
        calib.__all__
    )


def own_metric(y_true, y_prob):
    return 0.0


def test_a_metric_is_known_also_with_options_that_are_set():
    entry = calib.METRICS["ece"]
    assert metric_of(calib.ece) is metric_of(partial(calib.ece, n_bins=3)) is entry
    assert metric_of(own_metric) is None
    assert reads_pairs(partial(calib.ks_error, view=calib.top_r(2)))
    assert not reads_pairs(calib.nll) and not reads_pairs(own_metric)
    assert unwrapped(partial(calib.ece, n_bins=3)) == (calib.ece, {"n_bins": 3})


def test_a_formula_of_what_is_checked_gives_the_metric_with_these_options():
    y, p = draw(60, 3)
    for options in ({}, {"n_bins": 4, "closed": "left"}):
        formula = calib.METRICS["ece"].of_checked(**options)
        assert formula(view_pairs(y, p, calib.top_label)) == calib.ece(y, p, **options)
    with pytest.raises(TypeError, match="n_bin: not an option of ece"):
        calib.METRICS["ece"].of_checked(n_bin=4)


def test_an_error_in_bins_says_which_bins_and_norm_it_has():
    assert calib.METRICS["mce"].in_bins({"n_bins": 4}) == (calib.equal_width(4), "max")
    mass = {"bins": calib.equal_mass(7), "norm": "l2"}
    bins, norm = calib.METRICS["calibration_error"].in_bins(mass)
    assert bins is mass["bins"] and norm == "l2"
    assert calib.METRICS["nll"].in_bins({}) is None
