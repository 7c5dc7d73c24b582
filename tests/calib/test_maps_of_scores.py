"""Maps of one score by hand and by independent optimisers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import network, pairs
from scipy.optimize import minimize
from scipy.special import betaln, logit
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

import calib

MAPS = [
    calib.HistogramBinning(),
    calib.HistogramBinning(n_bins=20, strategy="mass"),
    calib.IsotonicCalibration(),
    calib.BBQ(),
    calib.PlattScaling(),
    calib.BetaCalibration(),
    calib.QuadraticScaling(),
    calib.VennAbers(),
    calib.ScalingBinning(calib.PlattScaling()),
]
MAPS += [
    calib.SplineCalibration(n_knots=8, runout=runout, target=target)
    for runout in ("natural", "parabolic", "cubic")
    for target in ("gap", "hits")
]


FEW = st.tuples(st.sampled_from([0, 0.2, 0.5, 0.9, 1]), st.booleans())


Z, Y = network(3000, 4)


@pytest.mark.parametrize("calibrator", MAPS, ids=repr)
class TestEveryMap:
    def test_repairs_a_distorted_score(self, calibrator):
        fitted = clone(calibrator).fit(*pairs(20_000))
        grid = np.linspace(0.05, 0.95, 19)
        np.testing.assert_allclose(fitted.predict(grid), grid**1.7, atol=0.06)

    def test_constant_score(self, calibrator):
        fitted = clone(calibrator).fit([0.3] * 40, [1] * 10 + [0] * 30)
        assert fitted.predict([0.3])[0] == pytest.approx(0.25, abs=0.02)

    @given(st.lists(FEW, min_size=1))
    @settings(deadline=None, max_examples=20)
    def test_any_set_gives_probabilities_or_says_why(self, calibrator, rows):
        score, hit = map(np.array, zip(*rows, strict=True))
        try:
            fitted = clone(calibrator).fit(score, hit)
        except calib.ConvergenceError as error:
            assert isinstance(
                calibrator, calib.BetaCalibration | calib.QuadraticScaling
            )
            assert "classifies the whole calibration set correctly" in str(error)
            return
        value = fitted.predict(np.linspace(0, 1, 11))
        assert np.all((value >= 0) & (value <= 1))
        again = clone(calibrator).fit(score[::-1], hit[::-1])  # ties, in another order
        np.testing.assert_allclose(
            again.predict(score), fitted.predict(score), atol=1e-6
        )


class TestBinning:
    def test_fitted_bins_have_no_error_on_their_own_data(self):
        score, hit = pairs(1000)
        value = calib.HistogramBinning(n_bins=15).fit(score, hit).predict(score)
        in_bin = np.ceil(15 * score).astype(int)
        for m in range(1, 16):
            assert value[in_bin == m].mean() == pytest.approx(
                hit[in_bin == m].mean(), abs=2e-6
            )

    def test_an_empty_bin_takes_its_centre_and_an_edge_belongs_to_the_lower_bin(self):
        value = (
            calib.HistogramBinning(n_bins=4)
            .fit([0.1, 0.2], [0, 1])
            .predict([0.2, 0.3, 0.6, 0.8])
        )
        np.testing.assert_allclose(value, [0.5, 0.375, 0.625, 0.875])
        binning = calib.HistogramBinning(n_bins=2).fit([0.5, 0.6], [0, 1])
        np.testing.assert_allclose(
            binning.predict([0.5, 0.54, 0.56]), [1e-6, 1e-6, 1 - 1e-6]
        )

    @given(
        st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=2, max_size=60)
    )
    @settings(deadline=None, max_examples=40)
    def test_isotonic_agrees_with_scikit_learn(self, rows):
        score, hit = np.array([s for s, _ in rows]) / 12, np.array([h for _, h in rows])
        weight = 1.0 + np.arange(len(rows)) % 3
        grid = np.linspace(0, 1, 53)
        for w in (weight, None):
            peer = IsotonicRegression(out_of_bounds="clip").fit(score, hit, w)
            ours = calib.IsotonicCalibration(floor=0.0).fit(score, hit, w)
            np.testing.assert_allclose(
                ours.predict(grid), peer.predict(grid), atol=1e-9
            )
        floored = calib.IsotonicCalibration(floor=0.01).fit(score, hit).predict(grid)
        np.testing.assert_array_equal(floored, ours.predict(grid).clip(0.01, 0.99))

    @pytest.mark.parametrize("same", [0.2, 1 - 0.8, np.nextafter(0.2, 1)])
    def test_isotonic_counts_a_miss_with_the_lowest_hit_where_rounding_parts_them(
        self, same
    ):
        fitted = calib.IsotonicCalibration().fit([0.1, same, 0.2, 0.9], [0, 0, 1, 1])
        assert fitted.predict([0.1, same, 0.2, 0.9]) == pytest.approx(
            [0, 0.5, 0.5, 1], abs=1e-5
        )

    def test_bbq_of_one_score_is_the_beta_binomial_model(self):
        """However many bins are asked for, one holds all samples, and is centred at 1/2."""
        bbq = calib.BBQ(strength=2.0).fit([0.5] * 4, [1, 1, 1, 0])
        strength = 2.0 / bbq.n_bins_
        a = strength / 2
        b = strength - a
        log_evidence = betaln(a + 3, b + 1) - betaln(a, b)
        weight = np.exp(log_evidence - log_evidence.max())
        np.testing.assert_allclose(bbq.evidence_, weight / weight.sum())
        mean = bbq.evidence_ @ ((a + 3) / (strength + 4))
        assert bbq.predict([0.5])[0] == pytest.approx(mean)
        assert list(calib.BBQ().fit(*pairs(1000)).n_bins_) == list(range(1, 101))


class TestSigmoids:
    @pytest.mark.parametrize("n", [20, 5000])
    def test_platt_agrees_with_an_independent_optimiser(self, n):
        score, hit = pairs(n)
        target = np.where(
            hit, (hit.sum() + 1) / (hit.sum() + 2), 1 / ((~hit).sum() + 2)
        )
        x = np.log(score / (1 - score))

        def nll(ab):
            return np.mean(
                np.logaddexp(0, ab[0] * x + ab[1]) - target * (ab[0] * x + ab[1])
            )

        best = minimize(
            nll, [1, 0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-15}
        )
        platt = calib.PlattScaling().fit(score, hit)
        np.testing.assert_allclose([platt.coef_, platt.intercept_], best.x, atol=1e-6)
        assert platt.gradient_norm_ < 1e-9

    def test_beta_agrees_with_logistic_regression_and_never_falls(self):
        score, hit = pairs(3000)
        x = np.column_stack([np.log(score), -np.log(1 - score)])
        peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(
            x, hit
        )
        beta = calib.BetaCalibration().fit(score, hit)
        np.testing.assert_allclose(beta.coef_, peer.coef_[0], atol=1e-6)
        assert beta.intercept_ == pytest.approx(peer.intercept_[0], abs=1e-6)
        fallen = calib.BetaCalibration().fit(score, ~hit)
        assert np.all(fallen.coef_ == 0)
        assert fallen.predict([0.1, 0.9]) == pytest.approx([1 - hit.mean()] * 2)

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
        best = minimize(
            nll, [0.1, 0.1, -3], bounds=bounds, method="L-BFGS-B", options=options
        )
        beta = calib.BetaCalibration().fit(score, hit)
        assert nll([*beta.coef_, beta.intercept_]) <= best.fun + 1e-9
        assert (beta.coef_ >= 0).all()

    def test_beta_fits_the_set_that_had_no_minimum(self):
        """Its best falling map lies so far away that the solver gave up, at 4e-9."""
        rng = np.random.default_rng(315)
        for n in (20, 40):
            z = 3 * rng.standard_normal((n, 10))
            y = (z / 1.5 + rng.gumbel(size=z.shape)).argmax(axis=1)
        beta = calib.BetaCalibration().fit(calib.softmax(z)[:, 1], y == 1)
        assert beta.gradient_norm_ <= 1e-9 and (beta.coef_ >= 0).all()

    def test_separable_sets_say_why_and_the_ends_are_finite(self):
        for fit in [
            calib.PlattScaling(smooth_targets=False).fit,
            calib.BetaCalibration().fit,
        ]:
            with pytest.raises(
                calib.ConvergenceError, match="classifies the whole calibration set"
            ):
                fit([0.1, 0.2, 0.8], [0, 0, 1])
        score, hit = np.tile([0.0, 0.5, 1.0], 40), np.arange(120) % 7 < 4
        for calibrator in [calib.PlattScaling(), calib.BetaCalibration()]:
            assert np.isfinite(calibrator.fit(score, hit).predict([0.0, 1.0])).all()

    def test_scaling_binning_by_hand(self):
        score, hit = pairs(60)
        smooth = calib.PlattScaling().fit(score, hit).predict(score)
        fitted = calib.ScalingBinning(calib.PlattScaling(), n_bins=4).fit(score, hit)
        rank = smooth.argsort().argsort()
        means = [smooth[rank // 15 == b].mean() for b in range(4)]
        np.testing.assert_allclose(fitted.predict(score), np.array(means)[rank // 15])
        np.testing.assert_allclose(fitted.values_, means)


def isotonic_with(score, hit, weight, x, label):
    """The isotonic value at x of all samples and of one more there."""
    fitted = IsotonicRegression(increasing=True).fit(
        np.append(score, x), np.append(hit, label), np.append(weight, 1)
    )
    return fitted.predict([x])[0]


@given(st.lists(FEW, min_size=1, max_size=12), st.lists(st.integers(1, 3), min_size=12))
@settings(deadline=None, max_examples=20)
def test_venn_abers_is_two_isotonic_fits(rows, weights):
    score, hit = map(np.array, zip(*rows, strict=True))
    weight, grid = (
        np.array(weights[: len(score)], float),
        np.append(np.linspace(0, 1, 7), score),
    )
    fitted = calib.VennAbers(frequency_weights=True).fit(score, hit, weight)
    ends = fitted.predict_interval(grid)
    for label in (0, 1):
        expected = [isotonic_with(score, hit, weight, x, label) for x in grid]
        np.testing.assert_allclose(ends[label], expected, atol=1e-9)


def test_cross_venn_abers_averages_the_logarithms_of_its_folds():
    score, hit = pairs(90)
    folds = [
        calib.VennAbers().fit(score[k::3], hit[k::3]).predict_interval(score)
        for k in range(3)
    ]
    low, high = (np.array(ends) for ends in zip(*folds, strict=True))
    miss, hit_mean = (np.exp(np.log(p).mean(axis=0)) for p in (1 - low, high))
    fitted = calib.VennAbers(n_folds=3).fit(score, hit)
    np.testing.assert_allclose(
        fitted.predict_interval(score), (1 - miss, hit_mean), atol=1e-12
    )
    np.testing.assert_allclose(
        fitted.predict(score), hit_mean / (miss + hit_mean), atol=1e-12
    )


def test_quadratic_scaling_is_the_least_nll():
    score, hit = pairs(500)
    x = logit(score)

    def loss(c):
        margin = c[0] * x + c[1] * x**2 + c[2]
        return np.mean(np.logaddexp(0, margin) - hit * margin)

    fitted = calib.QuadraticScaling().fit(score, hit)
    best = minimize(loss, [1, 0, 0], tol=1e-12).x
    np.testing.assert_allclose([*fitted.coef_, fitted.intercept_], best, atol=1e-4)


@pytest.mark.parametrize(
    "calibrator",
    [calib.PlattScaling(), calib.BetaCalibration(), calib.QuadraticScaling()],
    ids=repr,
)
def test_one_constant_score_keeps_the_order(calibrator):
    """Its slope was a matter of rounding: predict(0.99) was anything from 0.006 to 0.97."""
    rng = np.random.default_rng(0)
    hit = np.arange(200) < 140
    for _ in range(3):
        fitted = clone(calibrator).fit(np.full(200, 0.2), rng.permutation(hit))
        odds = np.exp(
            logit(fitted.predict([0.01, 0.2, 0.99])) - logit([0.01, 0.2, 0.99])
        )
        np.testing.assert_allclose(odds, odds[0], rtol=1e-6)  # the log-odds are shifted
        assert fitted.predict([0.2])[0] == pytest.approx(0.7, abs=0.01)


def test_sigmoids_take_half_of_the_least_distance_from_zeros_and_ones():
    """Votes of ten: with 0 as 1e-12 the slope was a tenth of that of the odds that are known."""
    rng = np.random.default_rng(0)
    true = rng.beta(2, 2, 5000)
    score, hit = rng.binomial(10, true) / 10, rng.random(5000) < true
    platt = calib.PlattScaling().fit(score, hit)
    assert platt.floor_ == pytest.approx(0.05) and platt.coef_ > 0.5
    assert calib.PlattScaling(floor=1e-12).fit(score, hit).coef_ < 0.25
    for kept in (score > 0, score < 1):
        assert calib.PlattScaling().fit(score[kept], hit[kept]).floor_ == platt.floor_
    inner = (score > 0) & (score < 1)
    assert calib.PlattScaling().fit(score[inner], hit[inner]).floor_ == 1e-16
    grid = np.arange(11) / 10
    np.testing.assert_allclose(platt.predict(grid), (10 * grid + 2) / 14, atol=0.06)


def test_log_odds_beyond_a_millionth_of_a_millionth_keep_their_order():
    rng = np.random.default_rng(0)
    x = rng.uniform(-35, 35, 3000)
    hit = rng.random(3000) < 1 / (1 + np.exp(-x / 10))
    score = 1 / (1 + np.exp(-x))
    for calibrator in (calib.PlattScaling(), calib.BetaCalibration()):
        low = np.sort(x[x < -28])
        assert (
            np.diff(calibrator.fit(score, hit).predict(1 / (1 + np.exp(-low)))) > 0
        ).all()


def test_venn_abers_takes_weights_of_any_ratio():
    calibrated = (
        calib.VennAbers()
        .fit([0.1, 0.2, 0.3], [0, 1, 1], [1e90, 1, 1])
        .predict([0.1, 0.3])
    )
    assert ((calibrated > 0) & (calibrated < 1)).all()
