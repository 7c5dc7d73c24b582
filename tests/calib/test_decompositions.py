"""Decompositions are their loops, and add up."""

import loops
import numpy as np
import pytest
from draws import draw, draw_weights, each_draw, shapes

import calib


def parts(d):
    return d.reliability - d.resolution + d.uncertainty + d.within_bins


@each_draw
def test_murphy_is_the_loop_and_adds_up(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    top = loops.top_label(y, p)
    d = calib.murphy_decomposition(y, p)
    bin_of = [loops.width_bin(s, 15) for s, _ in top]
    share = sum(h for _, h in top) / n
    reliability = resolution = 0.0
    for m in set(bin_of):
        members = [pair for pair, b in zip(top, bin_of, strict=True) if b == m]
        score, hit = (
            sum(column) / len(members) for column in zip(*members, strict=True)
        )
        reliability += len(members) / n * (score - hit) ** 2
        resolution += len(members) / n * (hit - share) ** 2
    values = [d.reliability, d.resolution, d.uncertainty, d.score, parts(d)]
    score = calib.top1_brier(y, p)
    expected = [reliability, resolution, share * (1 - share), score, score]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    # one value in each bin
    exact = calib.murphy_decomposition(y == 0, p[:, 0].round(1))
    assert exact.within_bins == pytest.approx(0, abs=1e-12)


@shapes
def test_corp_is_the_loop(options):
    y, p = draw(30, 3, **options)
    top = loops.top_label(y, p)
    for w in (None, draw_weights(30)):
        u = [1] * 30 if w is None else w.tolist()
        fit = loops.isotonic(top, u)
        share = sum(a * h for a, (_, h) in zip(u, top, strict=True)) / sum(u)

        def mean_score(forecast, u=u):
            terms = [
                a * (forecast(s) - h) ** 2 for a, (s, h) in zip(u, top, strict=True)
            ]
            return sum(terms) / sum(u)

        raw, best = mean_score(lambda s: s), mean_score(lambda s, fit=fit: fit[s])
        constant = mean_score(lambda s, share=share: share)
        d = calib.corp_decomposition(y, p, sample_weight=w)
        values = [d.score, d.reliability, d.resolution, d.uncertainty, parts(d)]
        expected = [raw, raw - best, constant - best, constant, raw]
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
