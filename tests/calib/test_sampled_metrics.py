"""A metric with its samples: sums agree with what they shorten, and bad arguments are named."""

import loops
import numpy as np
import pytest
from draws import draw, drawn_pairs
from resampled import own_metric, rng
from scipy.sparse import csr_array

import calib
from calib import bootstrap, consistency_test
from calib.sampled_metrics import sampled_metric


@pytest.mark.parametrize("resample", [bootstrap, consistency_test])
def test_few_entries_are_kept_as_sums(resample, monkeypatch):
    y, p = draw(60, 4)
    summed = resample(calib.classwise_ece, y, p, n_resamples=20, rng=0)
    monkeypatch.setattr(calib.metrics, "CLASSWISE_ENTRIES", 0)
    recomputed = resample(calib.classwise_ece, y, p, n_resamples=20, rng=0)
    name = "resampled" if resample is bootstrap else "null"
    np.testing.assert_allclose(getattr(summed, name), getattr(recomputed, name))


@pytest.mark.parametrize(
    ("metric", "options", "splits", "skewed"),
    [
        (calib.ece, {}, True, False),
        (calib.rmsce, {}, False, False),
        (calib.mce, {}, False, True),
        (calib.calibration_error, {"norm": "max"}, False, True),
        (calib.ks_error, {}, False, True),
        (calib.nll, {}, False, False),
        (own_metric, {}, False, False),
    ],
)
def test_the_norm_says_whether_an_error_splits_into_gaps_or_is_the_largest_one(
    metric, options, splits, skewed
):
    sampled = sampled_metric(metric, *draw(20, 3), options)
    assert (sampled.splits, sampled.skewed) == (splits, skewed)


@pytest.mark.parametrize(
    ("metric", "chosen", "refused"),
    [
        (
            calib.ece,
            {
                None: "split",
                "split": "split",
                "basic": "basic",
                "percentile": "percentile",
            },
            [],
        ),
        (calib.nll, {None: "basic", "percentile": "percentile"}, ["split"]),
        (own_metric, {None: "basic", "percentile": "percentile"}, ["split"]),
        (calib.mce, {"basic": "basic", "percentile": "percentile"}, [None, "split"]),
    ],
)
def test_a_difference_has_the_method_that_is_asked_or_the_one_that_is_known_to_suit(
    metric, chosen, refused
):
    sampled = sampled_metric(metric, *draw(20, 3), {})
    assert {method: sampled.suited_to_difference(method) for method in chosen} == chosen
    for method in refused:
        with pytest.raises(ValueError, match="no interval of a difference of"):
            sampled.suited_to_difference(method)


@pytest.mark.parametrize(
    ("metric", "of_samples", "of_clusters"),
    [
        (calib.accuracy, "wilson", "basic"),
        (calib.nll, "basic", "basic"),
        (calib.ece, "corrected", "corrected"),
        (own_metric, "basic", "basic"),
    ],
)
def test_an_interval_has_the_method_that_is_known_to_suit(
    metric, of_samples, of_clusters
):
    """A share of samples in clusters is no binomial one."""
    sampled = sampled_metric(metric, *draw(20, 3), {})
    assert sampled.suited(None) == of_samples
    assert sampled.suited(np.arange(20) // 4) == of_clusters


def few_of_a_class(y_true, y_prob):
    return (
        float(y_prob[y_true == 0, 0].mean())
        if (y_true == 0).sum() > 3
        else float("nan")
    )


def test_a_metric_that_draws_leave_undefined_is_refused():
    y, p = np.repeat([0, 1], [4, 46]), np.tile([0.02, 0.98], (50, 1))
    message = r"metric: few_of_a_class is not a number for \d+ of 99 draws"
    for draws in (bootstrap, consistency_test):
        with pytest.raises(calib.NoIntervalError, match=message):
            draws(few_of_a_class, y, p, n_resamples=99, rng=rng())
    with pytest.raises(ValueError, match=message):
        calib.paired_difference(few_of_a_class, y, p, 1 - p, n_resamples=99, rng=rng())


def test_sums_above_one_by_rounding_are_resampled():
    p = np.array([[0.6006, 0.4004, 0.0], [0.5, 0.3, 0.2]] * 10, np.float16)
    options = {"n_resamples": 5, "rng": 0, "view": calib.within_top_r(2)}
    assert np.isfinite(bootstrap(calib.psce, [0, 2] * 10, p, **options).resampled).all()
    assert 0 < consistency_test(calib.psce, [0, 2] * 10, p, **options).p_value <= 1


P = [[0.9, 0.1], [0.4, 0.6]]


REFUSED = [
    ({"rng": 0.5}, "rng: 0.5"),
    ({"rng": -1}, "rng: -1"),
    ({"rng": None}, "rng: None"),
    ({"n_resamples": 0}, "n_resamples: 0"),
    ({"sample_weight": [1, 2]}, "sample_weight: not defined"),
    ({"y_true": [0, 5]}, "y_true: row 1 is 5"),
    ({"bins": 3}, "bins"),
    ({"metric": own_metric, "y_true": [0]}, "y_prob: 2 rows, expected 1 as in y_true"),
    ({"y_prob": csr_array(P)}, "y_prob: an array of type object"),
    ({"metric": lambda y, p: np.nan}, "metric: <lambda> is not a number"),
    ({"metric": "ece"}, "metric: 'ece'"),
]


BAD_ARGUMENTS = [
    (call, *refused) for call in (bootstrap, consistency_test) for refused in REFUSED
]
CORRECTED = {"metric": calib.brier, "method": "corrected"}
BAD_ARGUMENTS += [
    (bootstrap, {"method": "bca"}, "method: 'bca'"),
    (bootstrap, CORRECTED, "method: 'corrected'"),
    (bootstrap, {"confidence_level": 95}, "confidence_level: 95"),
]


@pytest.mark.parametrize(("call", "options", "message"), BAD_ARGUMENTS)
def test_bad_arguments_of_draws_are_named(call, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call(**{"metric": calib.ece, "y_true": [0, 1], "y_prob": P, "rng": 0} | options)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize(
    ("metric", "norm"), [(calib.ece, "l1"), (calib.rmsce, "l2"), (calib.mce, "max")]
)
def test_draws_in_bins_are_those_of_rows_and_of_calibrated_hits(
    metric, norm, clustered
):
    """Of clusters whole ones are drawn, and their gaps keep or change their sign."""
    hit, score = drawn_pairs(60, {})
    cluster, generator = np.arange(60) // 4, rng(3)
    sampled = sampled_metric(metric, hit, score, {"n_bins": 5})
    given = cluster if clustered else None
    null, resampled = sampled.null_and_resampled(9, given, rng(3))
    for drawn in null:
        gap = (
            (hit - score) * (2 * generator.integers(0, 2, 15) - 1)[cluster]
            if clustered
            else (generator.random(60) < score) - score
        )
        table = loops.width_gaps(
            [(s, s + g) for s, g in zip(score, gap, strict=True)], 5
        )
        assert drawn == pytest.approx(loops.norm(table, norm))
    members = np.arange(60).reshape(15 if clustered else 60, -1)
    for drawn in resampled:
        rows = members[generator.integers(len(members), size=len(members))].ravel()
        assert drawn == pytest.approx(metric(hit[rows], score[rows], n_bins=5))


def test_an_own_metric_of_scores_is_drawn_with_hits_as_frequent_as_they_say():
    def hits(y_true, y_prob):
        return float(y_true.mean())

    sampled = sampled_metric(hits, np.zeros(4000, int), np.full(4000, 0.3), {})
    draw_one = sampled.statistic_if_calibrated(rng())
    assert [draw_one(), draw_one()] == pytest.approx([0.3, 0.3], abs=0.03)


def test_a_cumulative_error_of_clusters_is_that_of_gaps_with_the_signs_of_theirs():
    hit, score = drawn_pairs(60, {})
    cluster, generator = np.arange(60) // 4, rng(3)
    sampled = sampled_metric(calib.ks_error, hit, score, {})
    draw_one = sampled.statistic_if_calibrated(rng(3), cluster)
    for _ in range(3):
        gap = (hit - score) * (2 * generator.integers(0, 2, 15) - 1)[cluster]
        expected = loops.ks(list(zip(score, score + gap, strict=True)))
        assert draw_one() == pytest.approx(expected)


@pytest.mark.parametrize("metric", [calib.ece, own_metric])
@pytest.mark.parametrize(
    ("hit", "score", "is_same"),
    [
        ([1, 0, 1], [0.5, 0.6, 0.7], True),
        ([1, 1, 1], [0.5, 0.6, 0.7], False),
        ([1, 0, 1], [0.5, 0.6, 0.8], False),
        ([1, 0, 1, 0], [0.5, 0.6, 0.7, 0.7], False),
    ],
)
def test_two_models_are_the_same_where_scores_and_hits_are(metric, hit, score, is_same):
    first = sampled_metric(metric, [1, 0, 1], [0.5, 0.6, 0.7], {})
    assert first.same_as(sampled_metric(metric, hit, score, {})) == is_same
