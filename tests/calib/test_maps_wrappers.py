"""Maps of one score in a view, by hand."""

import numpy as np
from networks import network

import calib
from calib.maps.wrappers import normalise

Z, Y = network(3000, 4)


class TestViews:
    def test_one_vs_rest_by_hand(self):
        p = calib.softmax(Z)
        columns = [
            calib.HistogramBinning().fit(p[:, k], Y == k).predict(p[:, k])
            for k in range(4)
        ]
        fitted = calib.OneVsRest(calib.HistogramBinning()).fit(Z, Y)
        np.testing.assert_allclose(
            fitted.predict_proba(Z), normalise(np.column_stack(columns))
        )
        np.testing.assert_array_equal(normalise(np.zeros((1, 4))), [[0.25] * 4])

    def test_all_ranks_by_hand(self):
        p = calib.RankWise(calib.PlattScaling()).fit(Z, Y).predict_proba(Z)
        views = (calib.top_r(r)(Y, calib.softmax(Z)) for r in range(1, 5))
        columns = [
            calib.PlattScaling().fit(score, hit).predict(score) for score, hit in views
        ]
        ranked = np.take_along_axis(p, np.argsort(-Z, axis=1), axis=1)
        np.testing.assert_allclose(
            ranked, normalise(np.column_stack(columns)), rtol=1e-6
        )

    def test_top_label_by_hand(self):
        fitted = calib.TopLabel(calib.HistogramBinning()).fit(Z, Y)
        score, hit = calib.top_label(Y, calib.softmax(Z))
        expected = calib.HistogramBinning().fit(score, hit).predict(score)
        np.testing.assert_allclose(fitted.predict_score(Z), expected)
        np.testing.assert_array_equal(fitted.predict_pairs(Z, Y)[1], hit)
