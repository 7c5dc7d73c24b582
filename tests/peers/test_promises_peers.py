"""Sets and groups against MAPIE and MCGrad: equal where the rule is, else the difference told."""

import numpy as np
import pandas as pd
import pytest
from classifiers import Probabilities
from mapie.classification import SplitConformalClassifier
from mcgrad.methods import MCGrad

import calib
from evidence.derived.multicalibration import Multicalibration


def network(n=6000, n_classes=20, seed=0):
    """Probabilities of a network that is too confident, and labels."""
    rng = np.random.default_rng(seed)
    z = 2 * rng.standard_normal((n, n_classes))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    return calib.softmax(1.5 * z), y


P, Y = network()
OWN, TEST = slice(0, 3000), slice(3000, None)
RIGHT = np.arange(3000), Y[TEST]


def mapie_sets(score, include=None):
    """MAPIE's sets on the test half, and its fitted object."""
    fitted = SplitConformalClassifier(
        Probabilities().fit(P, Y),
        confidence_level=0.9,
        conformity_score=score,
        random_state=0,
    ).conformalize(P[OWN], Y[OWN])
    options = None if include is None else {"include_last_label": include}
    return fitted.predict_set(P[TEST], conformity_score_params=options)[1][:, :, 0]


def our_sets(score, **options):
    rng = np.random.default_rng(0)
    fitted = calib.ConformalSets(score, **options).fit(P[OWN], Y[OWN], rng=rng)
    return fitted.predict(P[TEST], rng=rng)


def test_mapie_lac():
    """Equal but for what rounds to the threshold: a set of ours takes it, in any type of number."""
    theirs, ours = mapie_sets("lac"), our_sets("lac")
    assert (ours >= theirs).all()
    threshold = np.quantile(
        1 - P[OWN][np.arange(3000), Y[OWN]], 2701 / 3000, method="higher"
    )
    beyond = 1 - P[TEST][ours & ~theirs] - threshold
    assert (beyond <= 2e-6).all() and len(beyond) < 10


def test_mapie_aps_with_lots():
    """The same rule with lots of its own: sizes and coverage agree within what lots do."""
    theirs, ours = mapie_sets("aps", "randomized"), our_sets("aps", randomize=True)
    assert theirs.sum(axis=1).mean() == pytest.approx(ours.sum(axis=1).mean(), rel=0.03)
    assert theirs[RIGHT].mean() == pytest.approx(ours[RIGHT].mean(), abs=0.012)


def test_mapie_aps_without_lots_differs():
    """It finds its threshold with lots and fills the sets without: more are covered than asked."""
    theirs, ours = mapie_sets("aps", True), our_sets("aps")
    assert theirs[RIGHT].mean() > 0.92
    assert ours[RIGHT].mean() == pytest.approx(0.9, abs=0.012)


def grouped(n=20_000, seed=0):
    """Scores that are wrong in two of three groupings, hits, and their true probabilities."""
    rng = np.random.default_rng(seed)
    groups = pd.DataFrame({name: rng.integers(0, 4, n) for name in "abc"})
    score = 0.05 + 0.9 * rng.random(n)
    true = (
        score + 0.15 * (groups["a"] == 1) - 0.2 * ((groups["b"] == 2) & (score > 0.5))
    )
    true = np.clip(true.to_numpy(), 0.01, 0.99)
    return groups, score, (rng.random(n) < true).astype(int), true


def memberships(groups):
    return np.column_stack([groups[name] == k for name in groups for k in range(4)])


def test_mcgrad():
    """Trees against patches on new samples: trees come nearer to the truth."""
    groups, score, hit, _ = grouped()
    new_groups, new_score, _, true = grouped(seed=1)
    names = list("abc")
    train = groups.assign(score=score, hit=hit)

    options = {"categorical_feature_column_names": names}
    theirs = MCGrad(random_state=0).fit(train, "score", "hit", **options)
    ours = Multicalibration(0.01).fit(score, hit, memberships(groups))
    before = np.mean((new_score - true) ** 2)
    table = new_groups.assign(score=new_score)
    peer = theirs.predict(table, "score", **options)
    patched = ours.predict(new_score, memberships(new_groups))
    errors = [np.mean((p - true) ** 2) for p in (peer, patched)]
    assert errors[0] < errors[1] < 0.4 * before, (errors, before)
