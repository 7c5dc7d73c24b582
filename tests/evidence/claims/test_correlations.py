"""Correlations and slopes over networks, on tables by hand."""

import numpy as np
import pandas as pd
import pytest
from network_rows import networks
from scipy.stats import linregress, spearmanr, t

from evidence.claims import correlations


def test_a_correlation_is_spearmans_on_the_scale_of_fisher():
    rng = np.random.default_rng(1)
    rows = networks(20, rng, x=lambda rng, n: rng.random(n))
    rows["y"] = rows["x"] + 0.3 * rng.random(20)
    cases = correlations.correlates(rows, x="x", y="y", sign=1)
    interval = cases.interval_of(cases.values, {})
    rho = spearmanr(rows["x"], rows["y"]).statistic
    assert cases.to_shown(interval.estimate) == pytest.approx(rho)
    alike = cases.interval_of(cases.values, {"dataset": ["one"] * 20})
    assert alike.high - alike.low > interval.high - interval.low


def test_a_correlation_with_a_column_that_is_not_there_has_no_cases():
    rows = networks(9, np.random.default_rng(1), x=lambda rng, n: rng.random(n))
    cases = correlations.correlates(rows, x="x", y="y", sign=1)
    assert cases.values.empty and cases.summary == "x or y is missing"


def test_a_slope_is_that_of_least_squares():
    rng = np.random.default_rng(2)
    x, noise = rng.random((2, 12))
    y = 3 * x + 0.1 * noise
    names = [f"n{i}" for i in range(12)]
    long = [
        {"dataset": name, "case": name, "method": method, "value": value}
        for name, a, b in zip(names, x, y, strict=True)
        for method, value in (("x", a), ("y", b))
    ]
    cases = correlations.slope(pd.DataFrame(long), x="x", y="y", sign=1, of=1.0)
    interval = cases.interval_of(cases.values, {})
    fit = linregress(x, y)
    assert interval.estimate == pytest.approx(fit.slope)
    assert interval.p(0.0) == pytest.approx(fit.pvalue, rel=1e-6)
    assert cases.reference == 1.0
    one_set = cases.interval_of(cases.values, {"dataset": ["one"] * 12})
    # twelve of one data set tell as much of a mean as so many drawn singly
    singly = 1 / (0.7 / 12 + 0.3)
    error = fit.stderr * (12 / singly) ** 0.5
    ends = t(singly - 2, fit.slope, error).interval(0.95)
    assert (one_set.low, one_set.high) == pytest.approx(ends)


def test_a_slope_of_a_method_that_no_network_has_has_no_cases():
    rows = pd.DataFrame({"case": ["n1", "n2"], "method": "A", "value": 1.0})
    assert correlations.slope(rows, x="A", y="C", sign=1, of=1.0).values.empty


def test_cases_of_a_correlation_are_networks_and_a_margin_is_on_the_scale_of_fisher():
    rng = np.random.default_rng(1)
    rows = networks(9, rng, x=lambda rng, n: rng.random(n))
    rows["y"] = rows["x"]
    cases = correlations.correlates(rows, x="x", y="y", sign=1, margin=0.5)
    assert cases.values.index.get_level_values("case").tolist() == [*rows["case"]]
    assert cases.to_shown(cases.margin) == pytest.approx(0.5)
    plain = correlations.correlates(rows, x="x", y="y", sign=1)
    assert plain.margin == 0
    alone = correlations.correlates(rows[["x", "y"]], x="x", y="y", sign=1)
    assert len(alone.values) == 9


@pytest.mark.parametrize(("n", "is_number"), [(4, False), (5, True)])
def test_a_correlation_of_four_networks_is_no_number(n, is_number):
    rows = pd.DataFrame({"x": np.arange(n), "y": np.arange(n) ** 2})
    cases = correlations.correlates(rows, x="x", y="y", sign=1)
    assert np.isfinite(cases.interval_of(cases.values, {}).estimate) == is_number
