"""Sets and groups against MAPIE and MCGrad: from probabilities to a set, or to patched scores.

A group of benchmarks is a row of the table, a benchmark a library.
"""

import numpy as np
import pandas as pd
import pytest
from bench_metrics import compare
from classifiers import Probabilities
from mapie.classification import SplitConformalClassifier
from mcgrad.methods import MCGrad

import calib
from book.evidence.multicalibration import Multicalibration


@pytest.fixture(scope="module")
def hundred_classes():
    """Probabilities of a network that is too confident, and labels: half to fit, half to use."""
    rng = np.random.default_rng(0)
    z = 2 * rng.standard_normal((20_000, 100))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return calib.softmax(1.5 * z), y


@pytest.fixture(scope="module")
def groups():
    """Scores that are wrong in some groups of three groupings, and hits."""
    rng = np.random.default_rng(0)
    member = rng.integers(0, 4, (20_000, 3))
    score = 0.05 + 0.9 * rng.random(20_000)
    true = score + 0.15 * (member[:, 0] == 1) - 0.2 * ((member[:, 1] == 2) & (score > 0.5))
    return member, score, (rng.random(20_000) < np.clip(true, 0.01, 0.99)).astype(int)


def our_sets(data, score, **options):
    p, y = data
    rng = np.random.default_rng(0)
    fitted = calib.ConformalSets(score, **options).fit(p[:10_000], y[:10_000], rng=rng)
    return fitted.predict(p[10_000:], rng=rng).sum()


def mapie_sets(data, score, include=None):
    p, y = data
    options = None if include is None else {"include_last_label": include}
    fitted = SplitConformalClassifier(
        Probabilities().fit(p, y), confidence_level=0.9, conformity_score=score, random_state=0
    ).conformalize(p[:10_000], y[:10_000])
    return fitted.predict_set(p[10_000:], conformity_score_params=options)[1].sum()


def our_patches(data):
    member, score, hit = data
    inside = (member[:, :, None] == np.arange(4)).reshape(len(member), -1)
    return Multicalibration(0.01).fit(score, hit, inside).predict(score, inside).mean()


def mcgrad_trees(data):
    member, score, hit = data
    table = pd.DataFrame(member, columns=list("abc")).assign(score=score, hit=hit)
    options = {"categorical_feature_column_names": list("abc")}
    fitted = MCGrad(random_state=0).fit(table, "score", "hit", **options)
    return np.mean(fitted.predict(table, "score", **options))


bench_lac = compare(
    "Conformal sets, LAC, 20 000 x 100",
    1,
    "hundred_classes",
    calib=lambda data: our_sets(data, "lac"),
    mapie=lambda data: mapie_sets(data, "lac"),
)
bench_aps = compare(
    "Conformal sets, APS with lots, 20 000 x 100",
    1,
    "hundred_classes",
    calib=lambda data: our_sets(data, "aps", randomize=True),
    mapie=lambda data: mapie_sets(data, "aps", "randomized"),
)
bench_multicalibration = compare(
    "Multicalibration, 20 000 scores, 12 groups",
    1,
    "groups",
    calib=our_patches,
    mcgrad=mcgrad_trees,
)
