"""Maps of one score in a view, by hand."""

import numpy as np
import pytest
from networks import network

import calib
from calib.maps.base import ScoreCalibrator
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
        np.testing.assert_array_equal(fitted.predict(Z), Z.argmax(axis=1))

    @pytest.mark.parametrize(("share", "cooled"), [(0.4, False), (0.6, True)])
    def test_logits_are_cooled_where_most_rows_are_one_in_float64(self, share, cooled):
        """Of such rows all top probabilities are one, and their order would be lost."""
        n_sure = round(share * len(Z))
        # a class far below, as all rows have one, makes no row sure
        far_below = Z - 100 * (Z == Z.min(axis=1, keepdims=True))
        z = np.concatenate([1e4 * Z[:n_sure], far_below[n_sure:]])
        weight = np.arange(len(Y)) % 3 + 1
        fitted = calib.RankWise(calib.PlattScaling()).fit(z, Y, weight)
        best = calib.TemperatureScaling().fit(z, Y, weight).temperature_
        assert fitted.temperature_ == (best if cooled else 1)


class Same(ScoreCalibrator):
    """A map that leaves scores as they are."""

    def _fit(self, score, hit, weight):
        self.fitted_ = True

    def _predict(self, score):
        return score


def test_probabilities_of_float16_are_taken_as_they_are_written():
    """Rows of other numbers with such a sum, .0005 more than one, are divided by it."""
    p = np.array([[0.5, 0.3, 0.2005], [0.25, 0.25, 0.5005]], np.float16).astype(float)
    fitted = calib.TopLabel(Same()).fit(np.log(p), [0, 1])
    score = fitted.predict_score(np.log(p))
    np.testing.assert_allclose(score, p.max(axis=1), rtol=1e-12)
    others = p * [1, 1.0003, 1]
    score = fitted.predict_score(np.log(others))
    expected = others.max(axis=1) / others.sum(axis=1)
    np.testing.assert_allclose(score, expected, rtol=1e-12)


def test_probabilities_whose_sum_is_one_but_for_rounding_are_taken_as_they_are_written():
    p = np.array([[0.5, 0.30003, 0.2], [0.25, 0.24995, 0.5]])
    fitted = calib.TopLabel(Same()).fit(np.log(p), [0, 1])
    score = fitted.predict_score(np.log(p))
    np.testing.assert_allclose(score, [0.5, 0.5], rtol=1e-12)


def test_rows_of_zeros_become_uniform_over_the_classes_that_are_not_masked():
    scores = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.7], [0.2, 0.2, 0.6]])
    masked = np.array([[0, 0, 1], [1, 0, 1], [0, 0, 1]], bool)
    expected = [[0.5, 0.5, 0], [0, 1, 0], [0.5, 0.5, 0]]
    np.testing.assert_allclose(normalise(scores, masked), expected)
