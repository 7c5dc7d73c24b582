"""Maps as others wrote them, by hand."""

import numpy as np
import pytest

import calib
from evidence.studies.arena import calarena_audit as study

SCORE = np.array([0.0, 0.05, 0.1, 0.55, 1.0])
HIT = np.array([1, 0, 1, 0, 1])


def test_a_bin_is_closed_on_the_left_and_the_last_on_both_sides():
    edges = np.array([0, 0.1, 0.5, 0.9, 1.0])
    shares = study.hit_shares(edges, SCORE, HIT, empty=-1)
    assert shares.tolist() == [0.5, 1, 0, 1]
    assert study.hit_shares(edges, SCORE[:1], HIT[:1], empty=-1).tolist() == [
        1,
        -1,
        -1,
        -1,
    ]


def test_an_empty_bin_has_the_share_of_all():
    curve = study.left_closed(quantiles=False)(SCORE, HIT)
    assert curve(np.array([0.0, 0.1, 0.3, 0.55, 1.0])).tolist() == [0.5, 1, 0.6, 0, 1]


def test_quantiles_that_agree_are_one_edge():
    curve = study.left_closed(quantiles=True)(
        np.repeat([0.2, 0.7], 50), np.repeat([0, 1], 50)
    )
    assert curve(np.array([0.1, 0.2, 0.7, 0.9])).tolist() == pytest.approx([0, 0, 1, 1])


def test_a_mixture_of_equal_weights_is_the_mean_of_its_three_parts():
    z = np.array([[1.0, 0.0], [0.0, 3.0]])
    mixture = study.mixed(np.array([0, 0, 0, np.log(2)]), z)
    parts = calib.softmax(z / 2) + calib.softmax(z) + 1 / 2
    np.testing.assert_allclose(mixture, parts / 3)


def test_maps_of_classes_are_divided_by_their_sum_and_none_is_zero():
    fitted = study.ByClass(lambda score, hit: lambda s: np.where(s > 0.5, 0.6, 0), 0.2)
    p = fitted.fit(np.zeros((2, 3)), np.array([0, 1])).predict_proba(
        np.log([[0.8, 0.1, 0.1], [0.4, 0.3, 0.3]])
    )
    np.testing.assert_allclose(p, [[0.6, 0.2, 0.2], [1 / 3, 1 / 3, 1 / 3]])


def test_few_wide_bins_are_chosen_where_the_score_says_nothing():
    rng = np.random.default_rng(0)
    score, hit = rng.random(1000), (rng.random(1000) < 0.5).astype(float)
    curve = study.widths_by_bic(score, hit)
    assert curve(np.linspace(0.01, 0.99, 9)) == pytest.approx(hit.mean(), abs=0.03)


def test_a_step_of_hits_is_found():
    score = np.random.default_rng(1).random(1000)
    curve = study.widths_by_bic(score, (score > 0.5).astype(float))
    assert curve(np.array([0.2, 0.45, 0.55, 0.8])) == pytest.approx(
        [0, 0, 1, 1], abs=0.01
    )


def test_bins_of_ours_are_of_equal_width_or_of_equal_mass(monkeypatch):
    rng = np.random.default_rng(8)
    z = 2 * rng.normal(size=(400, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    kept = ("Base-model", "Hist-uniform", "Hist-quantile")
    maps = {key: map_ for key, map_ in study.MAPS.items() if key[0] in kept}
    monkeypatch.setattr(study, "MAPS", maps)
    arrays = z[:200], y[:200], z[200:], y[200:]
    monkeypatch.setattr(study, "resnet_arrays", lambda: arrays)
    monkeypatch.setattr(
        study, "difference_rows", lambda name, ours, y, p: [((name, ours), y, p)]
    )
    found = {key: p for key, y_test, p in study.rows() if (y_test == y[200:]).all()}
    np.testing.assert_allclose(
        found["Base-model", "the network"], calib.softmax(z)[200:]
    )
    for name, strategy, ours, theirs in (
        ("Hist-uniform", "width", "ten bins", "closed on the left"),
        ("Hist-quantile", "mass", "equal mass", "between quantiles"),
    ):
        binning = calib.HistogramBinning(n_bins=10, strategy=strategy)
        logits = calib.as_logits(calib.softmax(z), floor=study.FLOOR)
        fitted = calib.OneVsRest(binning).fit(logits[:200], y[:200])
        p = found[name, f"OneVsRest(HistogramBinning), {ours}"]
        np.testing.assert_allclose(p, fitted.predict_proba(logits[200:]))
        # no score lies on an edge of equal width, and near quantiles few do
        same = np.isclose(found[name, f"{theirs}, at least 1e-30"], p).mean()
        assert same > (0.99 if strategy == "width" else 0.5)
