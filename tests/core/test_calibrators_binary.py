"""Maps of one score, and the views that apply them to predictions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import betaln, expit, logit
from sklearn.base import clone as sklearn_clone
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from calib import (
    BBQ,
    BetaCalibration,
    ConvergenceError,
    HistogramBinning,
    IsotonicCalibration,
    OneVsRest,
    PlattScaling,
    RankWise,
    ScalingBinning,
    TopLabel,
    TopR,
    WithinTopR,
    ece,
    softmax,
    top_r,
    within_top_r,
)
from calib.maps.wrappers import normalise

MAPS = [
    HistogramBinning(),
    HistogramBinning(n_bins=20, strategy="mass"),
    IsotonicCalibration(),
    BBQ(),
    PlattScaling(),
    BetaCalibration(),
    ScalingBinning(PlattScaling()),
]


def pairs(n, seed=0, power=1.7):
    rng = np.random.default_rng(seed)
    score = rng.random(n)
    return score, rng.random(n) < score**power


@pytest.fixture(scope="module")
def predictions():
    rng = np.random.default_rng(5)
    z = 2 * rng.standard_normal((3000, 4))
    y = (rng.random((3000, 1)) > softmax(z / 1.5).cumsum(axis=1)).sum(axis=1).clip(max=3)
    return z, y


class TestEveryMap:
    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_repairs_a_distorted_score(self, calibrator):
        score, hit = pairs(20_000)
        fitted = sklearn_clone(calibrator).fit(score, hit)
        grid = np.linspace(0.05, 0.95, 19)
        np.testing.assert_allclose(fitted.predict(grid), grid**1.7, atol=0.06)

    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_weights_count_as_repetitions(self, calibrator):
        score, hit = pairs(400)
        times = np.random.default_rng(1).integers(0, 4, 400)
        weighted = sklearn_clone(calibrator).fit(score, hit, sample_weight=times)
        repeated = sklearn_clone(calibrator).fit(score.repeat(times), hit.repeat(times))
        grid = np.linspace(0, 1, 301)
        np.testing.assert_allclose(weighted.predict(grid), repeated.predict(grid), atol=1e-7)

    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_order_of_samples_does_not_matter(self, calibrator):
        score, hit = pairs(500)
        score = score.round(1)
        order = np.random.default_rng(2).permutation(500)
        a = sklearn_clone(calibrator).fit(score, hit).predict(score)
        b = sklearn_clone(calibrator).fit(score[order], hit[order]).predict(score)
        np.testing.assert_allclose(a, b, atol=1e-9)

    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    @pytest.mark.parametrize("hit", [[0, 0, 0], [1, 1, 1], [0, 1, 1], [1, 0, 0]])
    def test_tiny_and_single_class_sets(self, calibrator, hit):
        try:
            fitted = sklearn_clone(calibrator).fit([0.2, 0.4, 0.9], hit)
        except ConvergenceError as error:
            assert isinstance(calibrator, BetaCalibration)
            assert "classifies the whole calibration set correctly" in str(error)
            return
        value = fitted.predict([0.0, 0.3, 1.0])
        assert np.all((value >= 0) & (value <= 1))

    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_constant_score(self, calibrator):
        fitted = sklearn_clone(calibrator).fit([0.3] * 40, [1] * 10 + [0] * 30)
        assert fitted.predict([0.3])[0] == pytest.approx(0.25, abs=0.02)

    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    @given(
        st.lists(st.tuples(st.sampled_from([0, 0.2, 0.5, 0.9, 1]), st.booleans()), min_size=1),
    )
    @settings(deadline=None, max_examples=30)
    def test_any_set_gives_probabilities_or_says_why(self, calibrator, rows):
        score, hit = zip(*rows, strict=True)
        try:
            value = sklearn_clone(calibrator).fit(score, hit).predict(np.linspace(0, 1, 11))
        except ConvergenceError:
            assert isinstance(calibrator, BetaCalibration)
            return
        assert np.all((value >= 0) & (value <= 1))

    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_bad_input_is_named(self, calibrator):
        with pytest.raises(ValueError, match=r"score: row 1 is 1\.5"):
            sklearn_clone(calibrator).fit([0.1, 1.5], [0, 1])
        with pytest.raises(ValueError, match="call fit first"):
            sklearn_clone(calibrator).predict([0.5])


class TestHistogramBinning:
    def test_fitted_bins_have_no_error_on_their_own_data(self):
        score, hit = pairs(1000)
        value = HistogramBinning(n_bins=15).fit(score, hit).predict(score)
        in_bin = np.ceil(15 * score).astype(int)
        for m in range(1, 16):
            assert value[in_bin == m].mean() == pytest.approx(hit[in_bin == m].mean(), abs=2e-6)

    def test_an_empty_bin_takes_its_centre(self):
        binning = HistogramBinning(n_bins=4).fit([0.1, 0.2], [0, 1])
        value = binning.predict([0.2, 0.3, 0.6, 0.8])
        np.testing.assert_allclose(value, [0.5, 0.375, 0.625, 0.875])

    def test_edges_belong_to_the_lower_bin(self):
        binning = HistogramBinning(n_bins=2).fit([0.5, 0.6], [0, 1])
        np.testing.assert_allclose(binning.predict([0.5, 0.51]), [1e-6, 1 - 1e-6])

    def test_unknown_strategy(self):
        with pytest.raises(ValueError, match="strategy: 'size'"):
            HistogramBinning(strategy="size").fit([0.5], [1])


class TestIsotonic:
    @given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=2, max_size=60))
    @settings(deadline=None, max_examples=100)
    def test_agrees_with_scikit_learn(self, rows):
        score, hit = np.array([s for s, _ in rows]) / 12, np.array([h for _, h in rows])
        peer = IsotonicRegression(out_of_bounds="clip").fit(score, hit)
        grid = np.linspace(0, 1, 53)
        ours = IsotonicCalibration(floor=0.0).fit(score, hit)
        np.testing.assert_allclose(ours.predict(grid), peer.predict(grid), atol=1e-9)

    def test_non_decreasing_and_better_than_any_other_step(self):
        score, hit = pairs(300)
        value = IsotonicCalibration(floor=0.0).fit(score, hit).predict(score)
        assert np.all(np.diff(value[np.argsort(score)]) >= 0)
        assert np.sum((value - hit) ** 2) <= np.sum((score**1.7 - hit) ** 2)

    def test_floor_keeps_the_nll_finite(self):
        value = IsotonicCalibration(floor=0.01).fit([0.1, 0.9], [0, 1]).predict([0.0, 1.0])
        np.testing.assert_allclose(value, [0.01, 0.99])


class TestBBQ:
    def test_one_score_is_the_beta_binomial_model(self):
        """One bin is centred at 1/2; with more, all samples are in the bin from 0 to 1/2."""
        hit = np.array([1, 1, 1, 0])
        bbq = BBQ(strength=2.0).fit([0.5] * 4, hit)
        strength = 2.0 / bbq.n_bins_
        a = strength * np.where(bbq.n_bins_ == 1, 1 / 2, 1 / 4)
        b = strength - a
        log_evidence = betaln(a + 3, b + 1) - betaln(a, b)
        weight = np.exp(log_evidence - log_evidence.max())
        mean = (a + 3) / (strength + 4)
        np.testing.assert_allclose(bbq.evidence_, weight / weight.sum())
        assert bbq.predict([0.5])[0] == pytest.approx(bbq.evidence_ @ mean)

    def test_number_of_bins(self):
        assert list(BBQ().fit(*pairs(1000)).n_bins_) == list(range(1, 101))


class TestSigmoids:
    @pytest.mark.parametrize("n", [20, 5000])
    def test_platt_agrees_with_an_independent_optimiser(self, n):
        score, hit = pairs(n)
        target = np.where(hit, (hit.sum() + 1) / (hit.sum() + 2), 1 / ((~hit).sum() + 2))
        x = np.log(score / (1 - score))

        def nll(ab):
            return np.mean(np.logaddexp(0, ab[0] * x + ab[1]) - target * (ab[0] * x + ab[1]))

        best = minimize(nll, [1, 0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-15})
        platt = PlattScaling().fit(score, hit)
        np.testing.assert_allclose([platt.coef_, platt.intercept_], best.x, atol=1e-6)
        assert platt.gradient_norm_ < 1e-9

    def test_beta_agrees_with_logistic_regression(self):
        score, hit = pairs(3000)
        x = np.column_stack([np.log(score), -np.log(1 - score)])
        peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(x, hit)
        beta = BetaCalibration().fit(score, hit)
        np.testing.assert_allclose(beta.coef_, peer.coef_[0], atol=1e-6)
        assert beta.intercept_ == pytest.approx(peer.intercept_[0], abs=1e-6)

    def test_beta_never_decreases(self):
        score, hit = pairs(2000)
        beta = BetaCalibration().fit(score, ~hit)
        assert np.all(beta.coef_ == 0)
        assert beta.predict([0.1, 0.9]) == pytest.approx([1 - hit.mean()] * 2)

    @pytest.mark.parametrize("seed", range(20))
    def test_beta_is_the_best_rising_map_of_a_small_set(self, seed):
        """One hit between misses: a map that falls separates it, and no rising map does."""
        rng = np.random.default_rng(seed)
        score = np.sort(rng.beta(0.3, 1, 30))
        hit = np.arange(30) == rng.integers(3, 27)
        features = np.stack([np.log(score), -np.log(1 - score)])

        def nll(v):
            margin = v[:2] @ features + v[2]
            return np.mean(np.logaddexp(0, margin) - hit * margin)

        bounds = [(0, None), (0, None), (None, None)]
        options = {"ftol": 1e-15, "gtol": 1e-10}
        best = minimize(nll, [0.1, 0.1, -3], bounds=bounds, method="L-BFGS-B", options=options)
        beta = BetaCalibration().fit(score, hit)
        assert nll([*beta.coef_, beta.intercept_]) <= best.fun + 1e-9
        assert (beta.coef_ >= 0).all()
        order = rng.permutation(30)
        again = BetaCalibration().fit(score[order], hit[order])
        np.testing.assert_allclose(again.predict(score), beta.predict(score), atol=1e-6)

    def test_beta_fits_the_set_that_had_no_minimum(self):
        """Its best falling map lies so far away that the solver gave up, at 4e-9."""
        rng = np.random.default_rng(315)
        for n in (20, 40):
            z = 3 * rng.standard_normal((n, 10))
            y = (z / 1.5 + rng.gumbel(size=z.shape)).argmax(axis=1)
        beta = BetaCalibration().fit(softmax(z)[:, 1], y == 1)
        assert beta.gradient_norm_ <= 1e-9 and (beta.coef_ >= 0).all()

    def test_beta_contains_platt_and_the_identity(self):
        rng = np.random.default_rng(3)
        score = rng.random(100_000)
        beta = BetaCalibration().fit(score, rng.random(100_000) < score)
        np.testing.assert_allclose([*beta.coef_, beta.intercept_], [1, 1, 0], atol=0.05)

    def test_unsmoothed_separable_sets_say_why(self):
        for fit in [PlattScaling(smooth_targets=False).fit, BetaCalibration().fit]:
            with pytest.raises(ConvergenceError, match="classifies the whole calibration set"):
                fit([0.1, 0.2, 0.8], [0, 0, 1])

    def test_scores_of_exactly_zero_and_one(self):
        score, hit = np.tile([0.0, 0.5, 1.0], 40), np.arange(120) % 7 < 4
        for calibrator in [PlattScaling(), BetaCalibration()]:
            assert np.isfinite(calibrator.fit(score, hit).predict([0.0, 1.0])).all()


class TestScalingBinning:
    def test_by_hand(self):
        rng = np.random.default_rng(0)
        score = rng.random(60)
        hit = rng.random(60) < score
        smooth = PlattScaling().fit(score, hit).predict(score)
        fitted = ScalingBinning(PlattScaling(), n_bins=4).fit(score, hit)
        rank = smooth.argsort().argsort()
        means = [smooth[rank // 15 == b].mean() for b in range(4)]
        np.testing.assert_allclose(fitted.predict(score), np.array(means)[rank // 15])
        np.testing.assert_allclose(fitted.values_, means)

    def test_bins_cost_it_little(self):
        """Four times the bins, four times the squared error of histogram binning, which is of order
        B/n; not of scaling-binning, where the smooth map has the right form. Sums over 20 sets."""
        rng = np.random.default_rng(1)

        def sample(n):
            score = rng.random(n)
            return score, expit(2 * logit(score) + 0.5)

        def squared_error(binning):
            value = binning.fit(score, hit).predict(fresh)
            binned = binning.map_.predict(fresh) if hasattr(binning, "map_") else fresh
            bin_of = np.searchsorted(binning.edges_[1:-1], binned)
            gap = np.bincount(bin_of, true - value) / np.bincount(bin_of)
            return np.average(gap**2, weights=np.bincount(bin_of))

        fresh, true = sample(100_000)
        total = np.zeros((2, 2))
        for _ in range(20):
            score, chance = sample(800)
            hit = rng.random(800) < chance
            for i, n_bins in enumerate([20, 80]):
                total[0, i] += squared_error(HistogramBinning(n_bins, strategy="mass"))
                total[1, i] += squared_error(ScalingBinning(PlattScaling(), n_bins))
        histogram, scaling = total[:, 1] / total[:, 0]
        assert 3 < histogram < 5 and scaling < 1.2
        assert (total[1] < 0.4 * total[0]).all()

    def test_ties_stay_together(self):
        score, hit = [0.2] * 6 + [0.8] * 6, [0] * 5 + [1] * 6 + [0]
        fitted = ScalingBinning(PlattScaling(smooth_targets=False), n_bins=3).fit(score, hit)
        np.testing.assert_allclose(fitted.predict([0.2, 0.8]), [1 / 6, 5 / 6], atol=1e-6)


class TestViews:
    def test_one_vs_rest_by_hand(self, predictions):
        z, y = predictions
        p = softmax(z)
        columns = [HistogramBinning().fit(p[:, k], y == k).predict(p[:, k]) for k in range(4)]
        expected = normalise(np.column_stack(columns))
        fitted = OneVsRest(HistogramBinning()).fit(z, y)
        np.testing.assert_allclose(fitted.predict_proba(z), expected)

    @pytest.mark.parametrize("view", [OneVsRest, RankWise])
    @pytest.mark.parametrize("calibrator", MAPS, ids=repr)
    def test_rows_sum_to_one(self, predictions, view, calibrator):
        z, y = predictions
        p = view(calibrator).fit(z[:500], y[:500]).predict_proba(z[500:])
        np.testing.assert_allclose(p.sum(axis=1), 1)

    def test_a_row_of_zeros_becomes_uniform(self):
        np.testing.assert_array_equal(normalise(np.zeros((1, 4))), [[0.25] * 4])

    def test_top_label_keeps_the_predicted_class_and_repairs_the_confidence(self, predictions):
        z, y = predictions
        top = TopLabel(IsotonicCalibration()).fit(z[:1500], y[:1500])
        score, hit = top.predict_pairs(z[1500:], y[1500:])
        np.testing.assert_array_equal(hit, z[1500:].argmax(axis=1) == y[1500:])
        assert ece(hit, score) < 0.5 * ece(y[1500:], softmax(z[1500:]))
        assert top.keeps_accuracy

    @pytest.mark.parametrize(("ours", "view"), [(TopR, top_r), (WithinTopR, within_top_r)])
    def test_top_r_views(self, predictions, ours, view):
        z, y = predictions
        fitted = ours(HistogramBinning(), r=2).fit(z, y)
        score, hit = view(2)(y, softmax(z))
        expected = HistogramBinning().fit(score, hit).predict(score)
        np.testing.assert_allclose(fitted.predict_score(z), expected)
        np.testing.assert_array_equal(fitted.predict_pairs(z, y)[1], hit)

    def test_all_ranks_by_hand(self, predictions):
        z, y = predictions
        p = RankWise(PlattScaling()).fit(z, y).predict_proba(z)
        columns = []
        for r in range(1, 5):
            score, hit = top_r(r)(y, softmax(z))
            columns.append(PlattScaling().fit(score, hit).predict(score))
        expected = normalise(np.column_stack(columns))
        ranked = np.take_along_axis(p, np.argsort(-z, axis=1), axis=1)
        np.testing.assert_allclose(ranked, expected, rtol=1e-6)

    @pytest.mark.parametrize("view", [OneVsRest, RankWise, TopLabel])
    @pytest.mark.parametrize("calibrator", [IsotonicCalibration(), PlattScaling()], ids=repr)
    def test_float32_gives_the_float64_answer(self, predictions, view, calibrator):
        z, y = predictions
        z = z.astype(np.float32)
        results = []
        for dtype in [np.float32, np.float64]:
            fitted = view(calibrator).fit(z.astype(dtype), y)
            predict = fitted.predict_score if view is TopLabel else fitted.predict_proba
            results.append(predict(z.astype(dtype)))
        np.testing.assert_allclose(*results, atol=1e-9)

    def test_wrong_number_of_classes(self, predictions):
        z, y = predictions
        for view in [OneVsRest, RankWise]:
            fitted = view(PlattScaling()).fit(z, y)
            with pytest.raises(ValueError, match="3 columns, expected 4"):
                fitted.predict_proba(z[:, :3])

    def test_nested_parameters(self):
        view = OneVsRest(HistogramBinning(n_bins=4))
        assert view.get_params()["calibrator__n_bins"] == 4
        assert sklearn_clone(view).set_params(calibrator__n_bins=9).calibrator.n_bins == 9
        assert repr(view) == "OneVsRest(calibrator=HistogramBinning(n_bins=4))"
