"""What the ledger says of networks to come: simulations with known truth."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from evidence.claims import shares
from evidence.claims.amounts import RESIDUAL, amounts
from evidence.claims.estimates import codes_of, likelihood_of
from evidence.forecasts.second import new_networks

SCALES = {"dataset": 1.5, "author": 1.0, "kin": 0.4}


def networks_like(rng, n_sets, n_authors, each):
    """Rows of networks whose effects are drawn with the spreads `SCALES`, and these effects."""
    rows = pd.MultiIndex.from_product([range(n_sets), range(n_authors), range(each)])
    rows = rows.to_frame(index=False, name=["dataset", "author", "kin"]).astype(str)
    rows["kin"] += rows.index.astype(str)
    effects = {
        name: rng.normal(0, SCALES[name], rows[name].nunique()) for name in SCALES
    }
    codes = {name: pd.factorize(rows[name])[0] for name in SCALES}
    total = sum(effects[name][codes[name]] for name in SCALES)
    return rows, effects, total


def networks_to_come(n):
    """Networks on the first data set, by a new author."""
    kin = [f"new {k}" for k in range(n)]
    return pd.DataFrame({"dataset": "0", "author": "new", "kin": kin})


def test_of_a_network_like_no_other_the_model_says_the_mean_share():
    rng = np.random.default_rng(4)
    rows, _, eta = networks_like(rng, 4, 2, 3)
    rows = rows.assign(
        networks=1, total=(rng.random(len(rows)) < expit(eta)).astype(float)
    )
    new = networks_to_come(1).assign(dataset="another")
    result = new_networks.coins(rows, new, SCALES).counts()[1]
    mean = shares.share(likelihood_of(rows), SCALES).mean
    assert result == pytest.approx(mean, abs=0.01)


def test_an_amount_like_no_other_is_that_of_the_ledger():
    rows, _, total = networks_like(np.random.default_rng(5), 4, 2, 3)
    rows["total"] = total
    new = networks_to_come(1).assign(dataset="another")
    result = new_networks.predicted(rows, new, np.ones(1), SCALES)
    _, low, high = amounts(rows["total"], codes_of(rows), SCALES).interval(new=True)
    assert [result.quantile(q) for q in (0.025, 0.975)] == pytest.approx([low, high])


@pytest.mark.slow
def test_predicted_amounts_of_new_networks_are_covered_as_said():
    """Of the mean of five networks on a known data set: 90 % lie inside, and far fewer of half."""
    rng, inside = np.random.default_rng(6), []
    for _ in range(150):
        rows, effects, total = networks_like(rng, 5, 2, 2)
        rest = np.sqrt(RESIDUAL)
        rows["total"] = 10 + total + rng.normal(0, rest, len(rows))
        kin = rng.normal(0, SCALES["kin"], 5) + rng.normal(0, rest, 5)
        value = (
            10 + effects["dataset"][0] + rng.normal(0, SCALES["author"]) + kin.mean()
        )
        result = new_networks.predicted(
            rows, networks_to_come(5), np.full(5, 0.2), SCALES
        )
        inside.append([result.quantile(0.05) < value < result.quantile(0.95)])
        inside[-1].append(result.quantile(0.25) < value < result.quantile(0.75))
    wide, half = np.mean(inside, axis=0)
    assert 0.84 <= wide <= 0.97 and 0.38 <= half <= 0.64


@pytest.mark.slow
def test_more_than_half_of_new_networks_agree_as_often_as_said():
    """The probabilities are right on average, and better than the base rate."""
    rng, said, came = np.random.default_rng(7), [], []
    for _ in range(40):
        rows, effects, eta = networks_like(rng, 3, 2, 3)
        mu = rng.normal(0, shares.MU_SPREAD)
        agree = rng.random(len(rows)) < expit(mu + eta)
        rows = rows.assign(networks=1, total=agree.astype(float))
        alike = mu + effects["dataset"][0] + rng.normal(0, SCALES["author"])
        coin = expit(alike + rng.normal(0, SCALES["kin"], 5))
        counts = new_networks.coins(rows, networks_to_come(5), SCALES).counts()
        said.append(counts[3:].sum())
        came.append((rng.random(5) < coin).sum() > 2)
    said, came = np.array(said), np.array(came, float)
    spread = np.sqrt((said * (1 - said)).sum()) / len(said)
    assert abs(said.mean() - came.mean()) < 2.6 * spread
    assert ((said - came) ** 2).mean() < 0.9 * came.mean() * (1 - came.mean())


def test_heads_are_counted():
    p = np.array([[0.1, 0.5, 0.9], [0.2, 0.2, 0.2]])
    expected = np.zeros(4)
    for row in p:
        for shown in product([0, 1], repeat=3):
            expected[sum(shown)] += np.prod(np.where(shown, row, 1 - row)) / 2
    assert new_networks.number_of_heads(p) == pytest.approx(expected)
