"""What the ledger expects of counts, of networks whose chances are known."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from registered_lines import line_with
from scipy.stats import binom

from evidence.forecasts.second import asked_networks, expected_counts
from evidence.forecasts.second.new_networks import Coins

SURE = 40.0  # a logit
NETWORKS = asked_networks.forecast_networks()["case"].tolist()
FOURTEEN = [name for name in NETWORKS if not name.startswith("HMC")]


def coins_of(logits):
    """Coins that hang together with nothing."""
    n = len(logits)
    return Coins(np.ones(1), np.array([logits], float), np.zeros((1, n, n)))


def of_claim(monkeypatch, coins):
    """Let every claim have these coins; the numbers of models that are asked for."""
    asked = []
    monkeypatch.setattr(
        expected_counts, "claim_coins", lambda claim, n: asked.append(n) or coins
    )
    return asked


def sure(names, agreeing):
    return coins_of([SURE if name in agreeing else -SURE for name in names])


@pytest.mark.parametrize(("agreeing", "probability"), [(7, 0), (8, 1), (14, 1)])
def test_more_than_half_of_the_fourteen_is_eight_and_no_ensemble_counts(
    monkeypatch, agreeing, probability
):
    ensembles = set(NETWORKS) - set(FOURTEEN)
    coins = sure(NETWORKS, {*FOURTEEN[:agreeing], *ensembles})
    assert of_claim(monkeypatch, coins) == []
    result = expected_counts.forecast_of_counts(line_with("share above half"))
    assert result == {"probability": pytest.approx(probability, abs=1e-9)}


@pytest.mark.parametrize("name", ["ResNet-18", "HMC IMDB"])
@pytest.mark.parametrize("agrees", [True, False])
def test_a_line_of_one_network_has_the_probability_that_it_agrees(
    monkeypatch, name, agrees
):
    others = {*NETWORKS} - {name}
    of_claim(monkeypatch, sure(NETWORKS, {name} if agrees else others))
    line = line_with("one network", case=name)
    result = expected_counts.forecast_of_counts(line)
    assert result == {"probability": pytest.approx(float(agrees), abs=1e-9)}


FEWEST = {  # the models that are asked about, and the fewest that make the line true
    **dict.fromkeys(
        [
            "tuning-logit-half",
            "tuning-stated-half",
            "stated-below-logit-instructed",
            "stated-half-of-logit",
            "base-small-error",
        ],
        (15, 8),
    ),
    "tuning-logit-cells": (15, 11),
    "tuning-mmlu-half": (3, 2),
    "tuning-mmlu-every": (3, 3),
    "tuning-mmlu-subjects": (3, 3),
    "kadavath-mmlu": (3, 1),
    "temperature-mmlu": (6, 4),
    "temperature-mmlu-base": (3, 2),
    "temperature-mmlu-chat": (3, 3),
    "temperature-mmlu-every-model": (6, 6),
}


@pytest.mark.parametrize("line", FEWEST)
def test_a_line_about_models_asks_for_its_own_share(monkeypatch, line):
    models, fewest = FEWEST[line]
    for agreeing in (fewest - 1, fewest):
        coins = sure(range(models), range(agreeing))
        asked = of_claim(monkeypatch, coins)
        result = expected_counts.forecast_of_counts(line_with(name=line))
        assert asked == [models]
        expected = float(agreeing == fewest)
        assert result == {"probability": pytest.approx(expected, abs=1e-9)}


def test_every_network_is_all_of_the_fourteen(monkeypatch):
    asked = of_claim(monkeypatch, coins_of([3.0] * len(NETWORKS)))
    result = expected_counts.forecast_of_counts(
        line_with(name="every-network-overconfident")
    )
    assert asked == [None]
    assert result["probability"] == pytest.approx((1 / (1 + np.exp(-3))) ** 14)


def test_an_amount_has_the_quantiles_of_the_share_in_percent(monkeypatch):
    """Of coins that hang together with nothing, the number is binomial."""
    of_claim(monkeypatch, coins_of([0.0] * len(NETWORKS)))
    result = expected_counts.forecast_of_counts(line_with("share", unit="percent"))
    for end, q in asked_networks.QUANTILES.items():
        assert result[end] == pytest.approx(100 * binom.ppf(q, 14, 0.5) / 14)


@pytest.mark.parametrize(
    ("name", "models"), [("amount-share-stated-lower", 15), ("amount-mmlu-improved", 6)]
)
def test_an_amount_of_models_is_a_share_of_so_many(monkeypatch, name, models):
    asked = of_claim(monkeypatch, sure(range(models), range(2)))
    result = expected_counts.forecast_of_counts(line_with(unit="percent", name=name))
    assert asked == [models]
    assert [*result.values()] == pytest.approx([100 * 2 / models] * 4)


def counts_of(*rows):
    columns = ["id", "evidence", "networks", "total"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.parametrize(
    ("kinds", "counted"),
    [
        (["zoo", "public", "published", "public"], ["public", "public"]),
        (["published", "zoo", "zoo"], ["zoo", "zoo"]),
        (["tao", "published", "plaut"], ["tao", "plaut"]),
    ],
)
def test_public_networks_count_before_ours_and_what_is_in_print_never(
    monkeypatch, kinds, counted
):
    rows = counts_of(*([name, kind, 1, 1] for name in "ab" for kind in kinds))
    monkeypatch.setattr(expected_counts.stored, "load_networks", lambda: rows)
    result = expected_counts.counted_rows("b")
    assert result["evidence"].tolist() == counted
    assert set(result["id"]) == {"b"} and result.index.tolist() == [
        *range(len(counted))
    ]


@pytest.mark.parametrize(
    ("total", "is_count"), [(0, True), (2, True), (2.1, False), (-0.1, False)]
)
def test_a_count_is_none_to_all_of_the_networks(total, is_count):
    rows = counts_of(["a", "public", 2, 1], ["a", "public", 2, total])
    assert expected_counts.is_count(rows) is is_count


@pytest.mark.parametrize("rows", [counts_of(), counts_of(["a", "public", 1, 3.5])])
def test_a_claim_without_counts_tells_nothing(monkeypatch, rows):
    monkeypatch.setattr(expected_counts, "counted_rows", lambda claim: rows)
    line = replace(line_with("share above half"), claim=f"of {len(rows)} rows")
    assert expected_counts.forecast_of_counts(line) is None


@pytest.mark.parametrize("n_models", [None, 4])
def test_a_claim_is_asked_about_the_sealed_networks_or_so_many_models(
    monkeypatch, n_models
):
    rows = counts_of(["a", "public", 1, 1])
    monkeypatch.setattr(expected_counts, "counted_rows", lambda claim: rows)
    monkeypatch.setattr(expected_counts, "coins", lambda *given: given)
    given, new, scales = expected_counts.claim_coins("a claim of a test", n_models)
    assert given is rows and scales == asked_networks.registered_scales()
    assert len(new) == (n_models or len(NETWORKS))
