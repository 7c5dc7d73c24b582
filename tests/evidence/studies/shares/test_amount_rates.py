"""How often the model of amounts errs, where the truth is known."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from evidence import load_results
from evidence.claims.stored import load_scales
from evidence.studies.shares import amount_rates


def test_how_often_amounts_err_is_computed_again():
    stored = load_results("amount_rates")
    sets = np.repeat(np.arange(3), (5, 2, 1))
    rng, scales = np.random.default_rng(8), load_scales()
    rates = amount_rates.rates_of_means(sets, 0.5, 0.0, scales, rng, 400)
    there = stored.query("sizes == '5 2 1' and icc == 0.5 and truth == 0").iloc[0]
    for name, spread in {
        "shown": 0.02,
        "refuted": 0.02,
        "covered": 0.04,
    }.items():
        assert rates[name] == pytest.approx(there[name], abs=spread), name
    # a mean that is far from zero is shown, and those of one data set too sure
    assert amount_rates.rates_of_means(sets, 0.1, 5.0, scales, rng, 50)["shown"] > 0.9
    one = amount_rates.rates_of_means(
        0 * sets, 0.7, 0.0, dict.fromkeys(scales, 0.05), rng, 300
    )
    assert one["shown"] + one["refuted"] > 0.2 and one["covered"] < 0.8
    models = np.repeat(np.arange(5), 3)
    for icc, most in ((0.0, 0.02), (0.9, 0.2)):
        rates = amount_rates.rates_of_correlations(models, icc, rng, 1000)
        assert rates["shown"] < most and rates["refuted"] < most
    assert rates["shown"] > 0.01 and rates["covered"] < 0.93


def test_amounts_err_as_often_as_the_page_says():
    """About one in a hundred a side while networks are alike by a half, three at 0.7."""
    rates = load_results("amount_rates").query("truth == 0")
    wrong = rates[["shown", "refuted"]].max(axis=1)
    assert wrong[rates["icc"] <= 0.3].max() < 0.015
    assert wrong[(rates["of"] == "means") & (rates["icc"] <= 0.5)].max() < 0.02
    assert 0.02 < wrong[(rates["of"] == "means") & (rates["icc"] == 0.7)].max() < 0.04


def test_networks_of_one_group_are_as_alike_as_is_said():
    groups, rng = np.array([0, 0, 1]), np.random.default_rng(3)
    values = amount_rates.alike(groups, 0.3, rng, 40_000)
    expected = [[1, 0.3, 0], [0.3, 1, 0], [0, 0, 1]]
    np.testing.assert_allclose(np.cov(values.T), expected, atol=0.03)


def test_a_side_is_shown_or_refuted_where_its_probability_is_sure():
    rates = amount_rates.rates_of_words(np.array([0.999, 0.5, 0.997, 0.001]))
    assert rates == {"shown": 0.5, "refuted": 0.25}


def test_an_interval_holds_a_truth_whose_place_is_between_its_ends(monkeypatch):
    """Of four draws the places of the truth are .001, .03, .97 and .999."""
    places = iter([0.001, 0.03, 0.97, 0.999])

    def distribution(*_):
        place = next(places)
        return SimpleNamespace(
            mean_between=lambda low, high: 1 - place if low == 0 else place
        )

    monkeypatch.setattr(amount_rates, "amounts", distribution)
    rng = np.random.default_rng(0)
    rates = amount_rates.rates_of_means(np.zeros(3, int), 0.1, 2.0, {}, rng, 4)
    assert rates == {"shown": 0.25, "refuted": 0.25, "covered": 0.5}


def test_layouts_have_as_many_networks_as_their_sizes_say(monkeypatch):
    monkeypatch.setattr(amount_rates, "rates_of_means", lambda *_: {"covered": 1})
    monkeypatch.setattr(
        amount_rates,
        "rates_of_correlations",
        lambda models, *_: {"covered": [*models]},
    )
    rows = [*amount_rates.rows()]
    stored = load_results("amount_rates")
    keys = ["of", "n", "groups", "sizes", "icc", "truth", "draws"]
    assert pd.DataFrame(rows)[keys].to_dict("list") == stored[keys].to_dict("list")
    (models, *_) = [row["covered"] for row in rows if row["n"] == 11]
    assert models == [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6]
