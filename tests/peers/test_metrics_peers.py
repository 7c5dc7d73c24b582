"""Metrics against other libraries: equal where the definition is, else the difference explained.

A test named ``..._differs_...`` shows a rule or a fault of the library, next to the number that the
definition gives.
"""

import calibration as uncertainty_calibration
import mapie.metrics.calibration as mapie_calibration
import netcal.metrics
import numpy as np
import probmetrics.distributions
import probmetrics.metrics
import pycalib.metrics
import pytest
import relplot
import sklearn.calibration
import sklearn.metrics
import torch
import uncertainty_metrics.numpy as uncertainty_metrics
from draws import draw
from torchmetrics.functional.classification import (
    binary_calibration_error,
    multiclass_calibration_error,
)

import calib

Y, P = draw(2000, 5, seed=1, sharp=2.0)
SCORE, HIT = calib.top_label(Y, P)
NORMS = {"l1": "ece", "l2": "rmsce", "max": "mce"}


def torchmetrics_error(y, p, norm="l1", n_bins=15):
    return multiclass_calibration_error(
        torch.tensor(p),
        torch.tensor(y),
        num_classes=p.shape[1],
        n_bins=n_bins,
        norm=norm,
    ).item()


@pytest.mark.parametrize("norm", NORMS)
def test_torchmetrics(norm):
    """Equal to float32, in which it computes although it is given float64."""
    ours = getattr(calib, NORMS[norm])(Y, P)
    assert torchmetrics_error(Y, P, norm) == pytest.approx(ours, abs=1e-6)


def test_torchmetrics_differs_in_float32_at_a_million():
    """It adds float32 numbers one by one, and loses digits; the definition is exact to 1e-12."""
    rng = np.random.default_rng(0)
    score = rng.beta(8, 1, 1_000_000).astype(np.float32)
    hit = (rng.random(len(score)) < score - 0.02).astype(int)
    theirs = binary_calibration_error(
        torch.tensor(score), torch.tensor(hit), n_bins=15
    ).item()
    exact = calib.ece(hit, score.astype(np.float64))
    assert calib.ece(hit, score) == pytest.approx(exact, rel=1e-12)
    assert abs(theirs / exact - 1) > 1e-4


def test_others_differ_where_scores_are_one():
    """A score of one gets a sixteenth bin of its own there, so that it is not mixed with 0.95."""
    score, hit = np.array([1.0, 1.0, 0.95, 0.95]), np.array([0, 1, 1, 1])
    expected = pytest.approx((2 * 0.5 + 2 * 0.05) / 4)
    theirs = binary_calibration_error(
        torch.tensor(score), torch.tensor(hit), n_bins=15
    ).item()
    assert theirs == expected
    p, options = (
        np.column_stack([score, 1 - score]),
        {"class_conditional": False, "max_prob": True},
    )
    assert (
        general_calibration_error(1 - hit, p, scheme="even", num_bins=15, **options)
        == expected
    )
    assert calib.ece(hit, score) == pytest.approx((2 * 0.5 - 2 * 0.05) / 4)


def test_torchmetrics_differs_on_the_edges():
    """Its bins are closed on the left, ours on the right unless told."""
    score, hit = np.array([0.5, 0.4, 0.7]), np.array([0, 1, 1])
    theirs = binary_calibration_error(
        torch.tensor(score), torch.tensor(hit), n_bins=2
    ).item()
    assert theirs == pytest.approx(calib.ece(hit, score, n_bins=2, closed="left"))
    assert theirs != pytest.approx(calib.ece(hit, score, n_bins=2))


def test_netcal():
    assert netcal.metrics.ECE(15).measure(P, Y) == pytest.approx(
        calib.ece(Y, P), abs=1e-12
    )
    assert netcal.metrics.MCE(15).measure(P, Y) == pytest.approx(
        calib.mce(Y, P), abs=1e-12
    )


def test_netcal_ace_differs_from_nixons():
    """Its ACE is the plain mean of the top-label gaps over the bins that hold samples."""
    theirs = netcal.metrics.ACE(15).measure(P, Y)
    gap = calib.equal_width(15)(SCORE, HIT).gap
    assert theirs == pytest.approx(np.nanmean(np.abs(gap)), abs=1e-12)
    assert abs(theirs - calib.ace(Y, P)) > 0.01


def test_uncertainty_calibration():
    v = uncertainty_calibration
    assert v.get_ece(P, Y) == pytest.approx(calib.ece(Y, P), abs=1e-12)
    assert v.get_ece(P, Y, mode="marginal") == pytest.approx(
        calib.classwise_ece(Y, P), abs=1e-12
    )
    equal_mass = calib.calibration_error(Y, P, bins=calib.equal_mass(10))
    assert v.get_ece_em(P, Y, num_bins=10) == pytest.approx(equal_mass, abs=1e-12)


def test_uncertainty_calibration_debiased():
    theirs = uncertainty_calibration.lower_bound_scaling_top_ce(
        P, Y, p=2, debias=True, num_bins=10
    )
    ours = calib.debiased_ece(Y, P, bins=calib.equal_mass(10))
    assert theirs == pytest.approx(ours, abs=1e-12)
    np.random.seed(0)  # noqa: NPY002, the library draws from the global state
    theirs = uncertainty_calibration.lower_bound_scaling_top_ce(
        P, Y, p=1, debias=True, num_bins=10
    )
    ours = calib.debiased_ece(Y, P, bins=calib.equal_mass(10), norm="l1")
    # the mean of 1000 draws against its limit
    assert theirs == pytest.approx(ours, abs=1e-3)


def test_scikit_learn():
    assert sklearn.metrics.log_loss(Y, P) == pytest.approx(calib.nll(Y, P), abs=1e-12)
    theirs = sklearn.metrics.brier_score_loss(Y, P, scale_by_half=False)
    assert theirs == pytest.approx(calib.brier(Y, P), abs=1e-12)
    theirs = sklearn.metrics.brier_score_loss(HIT, SCORE)
    assert theirs == pytest.approx(calib.top1_brier(Y, P), abs=1e-12)
    hit, score = sklearn.calibration.calibration_curve(HIT, SCORE, n_bins=15)
    bins = calib.equal_width(15)(SCORE, HIT)
    np.testing.assert_allclose(score, bins.mean_score[bins.count > 0], atol=1e-12)
    np.testing.assert_allclose(hit, bins.mean_hit[bins.count > 0], atol=1e-12)


def test_scikit_learn_log_loss_differs_where_a_label_had_probability_zero():
    """It clips to the machine epsilon; the definition is infinite."""
    y, p = [0, 1], [[0.0, 1.0], [0.5, 0.5]]
    assert sklearn.metrics.log_loss(y, p) < 20
    assert calib.nll(y, p) == np.inf


def test_pycalib():
    assert pycalib.metrics.conf_ECE(Y, P, bins=15) == pytest.approx(
        calib.ece(Y, P), abs=1e-9
    )
    theirs = pycalib.metrics.classwise_ECE(Y, P, bins=15)
    assert theirs == pytest.approx(calib.classwise_ece(Y, P), abs=1e-9)


def general_calibration_error(
    y, p, threshold=0.0, scheme="adaptive", norm="l1", **options
):
    options = {"class_conditional": True, "max_prob": False, "num_bins": 10} | options
    return uncertainty_metrics.gce(
        y, p, binning_scheme=scheme, norm=norm, threshold=threshold, **options
    )


def test_uncertainty_metrics_classwise():
    theirs = general_calibration_error(Y, P, scheme="even")
    assert theirs == pytest.approx(calib.classwise_ece(Y, P, n_bins=10), abs=1e-12)


def test_uncertainty_metrics_adaptive():
    """Nixon's released code: each gap weighted by its share of the kept scores.

    Its edges are the first scores of ranges, ours the last ones: the same ranges while the number
    of kept scores is a multiple of the number of ranges.
    """
    assert general_calibration_error(Y, P) == pytest.approx(
        calib.ace(Y, P, n_bins=10), abs=1e-12
    )
    threshold = 0.01
    theirs = general_calibration_error(Y, P, threshold=threshold)
    ours = calib.tace(Y, P, threshold=threshold, n_bins=10, average="kept")
    assert theirs == pytest.approx(ours, rel=0.05)


def test_uncertainty_metrics_differs_in_l2():
    """It squares a bin's weight together with its gap, so that the error shrinks with the bins."""
    theirs = general_calibration_error(
        Y,
        P,
        scheme="even",
        norm="l2",
        class_conditional=False,
        max_prob=True,
        num_bins=15,
    )
    bins = calib.equal_width(15)(SCORE, HIT)
    assert theirs == pytest.approx(
        np.sqrt(np.sum((bins.gap_sum / len(Y)) ** 2)), abs=1e-12
    )
    assert theirs < calib.rmsce(Y, P)


def relplot_error(hit, score, width):
    return relplot.metrics.smECE_sigma(score, hit.astype(float), width)


def test_relplot_at_a_fixed_width():
    rng = np.random.default_rng(0)
    score = rng.uniform(0.2, 0.8, 4000)
    hit = rng.random(4000) < score**2
    assert relplot.config.use_logit_scaling is False
    for width in (0.03, 0.1):
        ours = calib.smooth_ece(hit, score, width=width)
        assert relplot_error(hit, score, width) == pytest.approx(ours, rel=5e-3)
    assert relplot.smECE(score, hit.astype(float)) == pytest.approx(
        calib.smooth_ece(hit, score), abs=1e-3
    )


def test_relplot_differs_where_scores_are_one():
    """Mass at the end is counted once there, not with its mirror image.

    Half of the scores are 1 and right, half are 0.5 with a gap of 0.4: the error is 0.2. Halving
    the weight of the first half gives 0.4 / 1.5.
    """
    score = np.repeat([1.0, 0.5], 500)
    hit = np.concatenate([np.ones(500), np.arange(500) < 450]).astype(bool)
    assert calib.smooth_ece(hit, score, width=0.02) == pytest.approx(0.2, abs=1e-6)
    assert relplot_error(hit, score, 0.02) == pytest.approx(0.4 / 1.5, rel=2e-2)


def categorical(y, p):
    d = probmetrics.distributions
    return d.CategoricalDirac(torch.tensor(y), p.shape[1]), d.CategoricalProbs(
        torch.tensor(p)
    )


def test_probmetrics():
    m = probmetrics.metrics
    y, p = categorical(Y, P)
    assert m.LogLoss().compute(y, p).item() == pytest.approx(calib.nll(Y, P), abs=1e-6)
    assert m.BrierLoss().compute(y, p).item() == pytest.approx(
        calib.brier(Y, P), abs=1e-6
    )
    assert m.CalibrationError(15).compute(y, p).item() == pytest.approx(
        calib.ece(Y, P), abs=1e-6
    )


def test_probmetrics_ks():
    pair = np.stack([1 - SCORE, SCORE], axis=1)
    y, p = categorical(HIT.astype(int), pair)
    theirs = (
        probmetrics.metrics.KolmogorovSmirnovCalibrationMetric().compute(y, p).item()
    )
    assert theirs == pytest.approx(calib.ks_error(Y, P), abs=1e-6)


def test_probmetrics_ks_differs_on_ties():
    """It takes the maximum inside a run of equal scores, so that it depends on their order."""
    hit, score = np.array([1, 1, 0, 0]), np.full(4, 0.5)
    pair = np.stack([1 - score, score], axis=1)
    metric = probmetrics.metrics.KolmogorovSmirnovCalibrationMetric()
    assert metric.compute(*categorical(hit, pair)).item() == pytest.approx(0.25)
    assert calib.ks_error(hit, score) == 0.0


def test_mapie_differs_by_one_bin():
    """Its n bins are n - 1 intervals; given one bin more it agrees."""
    for n_bins in (5, 15):
        theirs = mapie_calibration.expected_calibration_error(
            HIT.astype(int), SCORE, num_bins=n_bins
        )
        assert theirs == pytest.approx(calib.ece(Y, P, n_bins=n_bins - 1), abs=1e-12)
        assert theirs != pytest.approx(calib.ece(Y, P, n_bins=n_bins), abs=1e-6)


def test_mapie_top_label_ece_differs():
    """Its top-label ECE is the plain mean over the predicted classes, each binned by itself."""
    theirs = mapie_calibration.top_label_ece(Y, P, num_bins=16)
    predicted = P.argmax(axis=1)
    each = [calib.ece(HIT[predicted == k], SCORE[predicted == k]) for k in range(5)]
    assert theirs == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("statistic", ["ks", "kuiper"])
def test_mapie_p_values(statistic):
    """It moves tied scores by a little noise."""
    name = {"ks": "kolmogorov_smirnov_p_value", "kuiper": "kuiper_p_value"}[statistic]
    for seed in range(3):
        score, chance = np.random.default_rng(seed).random((2, 1000))
        hit = (chance < score**1.1).astype(int)
        ours = calib.cumulative_test(hit, score, statistic=statistic).p_value
        assert getattr(mapie_calibration, name)(hit, score) == pytest.approx(
            ours, abs=1e-4
        )


@pytest.mark.parametrize(("norm", "power"), [("l1", 1.0), ("l2", 2.0)])
def test_probmetrics_error_of_the_vector(norm, power):
    """The same mean from the same held-out probabilities, which both take as they are given."""
    rng = np.random.default_rng(0)
    z = 2 * rng.standard_normal((1000, 4))
    y = (z / 2 + rng.gumbel(size=z.shape)).argmax(axis=1)
    ours = calib.vector_error(z, y, calib.VectorScaling(), norm=norm)
    rows = calib.folds(len(y), 5, 0)
    moved = np.concatenate(list(calib.held_out(calib.VectorScaling(), z, y, rows)))
    order = np.concatenate(rows)
    stated, true = calib.softmax(z)[order], np.eye(4)[y[order]]
    of_rows = probmetrics.distributions.CategoricalProbs
    errors = [of_rows(torch.tensor(p)) for p in (true, moved, stated)]
    loss = probmetrics.metrics.ProperLpLoss(power)._compute_indiv(
        *errors[:2], f_x=errors[2]
    )
    assert ours.error == pytest.approx(-float(loss.mean()), rel=1e-6)
