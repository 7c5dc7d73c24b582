"""Proper scores against literal loops and identities."""

import loops
import numpy as np
import pytest
from cases import case, draw, draw_weights

import calib


@case
def test_nll_and_brier_are_the_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    for w in (None, draw_weights(n)):
        kwargs = {"sample_weight": w}
        assert calib.brier(y, p, **kwargs) == pytest.approx(loops.brier(y, p, w), abs=1e-12)
        if (p[np.arange(n), y] > 0).all():
            assert calib.nll(y, p, **kwargs) == pytest.approx(loops.nll(y, p, w), rel=1e-12)


def test_nll_is_infinite_where_the_label_had_probability_zero():
    assert calib.nll([0, 1], [[0.0, 1.0], [0.5, 0.5]]) == np.inf


@pytest.mark.filterwarnings("ignore:invalid value")  # the interval of infinite values is NaN
def test_nll_reads_no_row_of_weight_zero():
    y, p = [0, 1], [[0.0, 1.0], [0.5, 0.5]]
    assert calib.nll(y, p, sample_weight=[0, 3]) == np.log(2)
    drawn = calib.bootstrap(calib.nll, y, p, n_resamples=20, rng=np.random.default_rng(0)).resampled
    assert set(drawn) == {np.inf, np.log(2)}


def test_float32_scores_are_summed_in_float64():
    y, p = draw(1000, 5)
    p = p.astype(np.float32)
    assert calib.nll(y, p) == pytest.approx(loops.nll(y, p), rel=1e-12)
    assert calib.brier(y, p) == pytest.approx(loops.brier(y, p), rel=1e-12)


@case
def test_top1_brier_and_accuracy_are_the_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    weights = draw_weights(n)
    pairs = loops.top_label(y, p)
    for w in (np.ones(n), weights):
        squares = sum(u * (h - s) ** 2 for u, (s, h) in zip(w, pairs, strict=True)) / w.sum()
        hits = sum(u * h for u, (_, h) in zip(w, pairs, strict=True)) / w.sum()
        assert calib.top1_brier(y, p, sample_weight=w) == pytest.approx(squares, abs=1e-12)
        assert calib.accuracy(y, p, sample_weight=w) == pytest.approx(hits, abs=1e-12)


def test_brier_is_the_sum_of_the_briers_of_each_class():
    y, p = draw(50, 4)
    each = [calib.top1_brier(y, p, view=calib.one_vs_rest(k)) for k in range(4)]
    assert calib.brier(y, p) == pytest.approx(sum(each), abs=1e-12)


def parts(d):
    return d.reliability - d.resolution + d.uncertainty + d.within_bins


@case
def test_murphy_is_the_loop_and_adds_up(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    pairs = loops.top_label(y, p)
    d = calib.murphy_decomposition(y, p)
    bin_of = [loops.width_bin(s, 15) for s, _ in pairs]
    share = sum(h for _, h in pairs) / n
    reliability = resolution = 0.0
    for m in set(bin_of):
        inside = [pair for pair, b in zip(pairs, bin_of, strict=True) if b == m]
        score, hit = (sum(column) / len(inside) for column in zip(*inside, strict=True))
        reliability += len(inside) / n * (score - hit) ** 2
        resolution += len(inside) / n * (hit - share) ** 2
    assert d.reliability == pytest.approx(reliability, abs=1e-12)
    assert d.resolution == pytest.approx(resolution, abs=1e-12)
    assert d.uncertainty == pytest.approx(share * (1 - share), abs=1e-12)
    assert d.score == pytest.approx(calib.top1_brier(y, p), abs=1e-12)
    assert parts(d) == pytest.approx(d.score, abs=1e-12)


def test_murphy_is_exact_where_bins_hold_one_value():
    rng = np.random.default_rng(0)
    score = rng.choice([0.1, 0.4, 0.7, 0.9], 200)
    d = calib.murphy_decomposition(rng.random(200) < score, score)
    assert d.within_bins == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("options", [{}, {"ties": True}, {"saturated": True}])
def test_corp_is_the_loop(options):
    y, p = draw(30, 3, **options)
    pairs = loops.top_label(y, p)
    weights = np.random.default_rng(1).integers(0, 4, 30)
    weights[0] = 2
    for w in (None, weights):
        u = [1] * 30 if w is None else w.tolist()
        fit = loops.isotonic(pairs, u)
        share = sum(a * h for a, (_, h) in zip(u, pairs, strict=True)) / sum(u)

        def mean_score(forecast, u=u):
            terms = [a * (forecast(s) - h) ** 2 for a, (s, h) in zip(u, pairs, strict=True)]
            return sum(terms) / sum(u)

        raw, best = mean_score(lambda s: s), mean_score(lambda s, fit=fit: fit[s])
        constant = mean_score(lambda s, share=share: share)
        d = calib.corp_decomposition(y, p, sample_weight=w)
        assert d.score == pytest.approx(raw, abs=1e-12)
        assert d.reliability == pytest.approx(raw - best, abs=1e-12)
        assert d.resolution == pytest.approx(constant - best, abs=1e-12)
        assert d.uncertainty == pytest.approx(constant, abs=1e-12)
        assert parts(d) == pytest.approx(d.score, abs=1e-12)
