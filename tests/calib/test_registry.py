"""What is known of each metric: its entry, formula and bins."""

from functools import partial

import numpy as np
import pytest
from draws import draw, draw_weights

import calib
from calib.registry import metric_of, reads_pairs, unwrapped
from calib.views import view_pairs


def test_every_metric_is_public():
    assert {metric.function.__name__ for metric in calib.METRICS.values()} <= set(
        calib.__all__
    )


def own_metric(y_true, y_prob):
    return 0.0


def test_a_metric_is_known_also_with_options_that_are_set():
    entry = calib.METRICS["ece"]
    assert metric_of(calib.ece) is metric_of(partial(calib.ece, n_bins=3)) is entry
    assert metric_of(own_metric) is None
    assert reads_pairs(partial(calib.ks_error, view=calib.top_r(2)))
    assert not reads_pairs(calib.nll) and not reads_pairs(own_metric)
    assert unwrapped(partial(calib.ece, n_bins=3)) == (calib.ece, {"n_bins": 3})


def test_a_formula_of_what_is_checked_gives_the_metric_with_these_options():
    y, p = draw(60, 3)
    for options in ({}, {"n_bins": 4, "closed": "left"}):
        formula = calib.METRICS["ece"].formula_with(**options)
        assert formula(view_pairs(y, p, calib.top_label)) == calib.ece(y, p, **options)
    with pytest.raises(TypeError, match="n_bin: not an option of ece"):
        calib.METRICS["ece"].formula_with(n_bin=4)


def test_weights_of_what_is_checked_are_repetitions_where_samples_are_counted():
    y, p = draw(60, 3)
    score, hit = calib.top_label(y, p)
    times = np.arange(60) % 3
    formula = calib.METRICS["debiased_ece"].formula_with(norm="l1")
    repeated = calib.debiased_ece(
        np.repeat(hit, times), np.repeat(score, times), norm="l1"
    )
    assert formula(calib.Pairs(score, hit, times.astype(float))) == pytest.approx(
        repeated
    )


@pytest.mark.parametrize("name", calib.METRICS)
def test_an_integer_weight_is_a_repetition_where_the_entry_says_so(name):
    """Of four samples too: a sweep goes up to as many bins as there are samples."""
    entry = calib.METRICS[name]
    weighted, repeated = [], []
    for n in (4, 60):
        (y, p), times = draw(n, 3), draw_weights(n)
        weighted.append(entry.function(y, p, sample_weight=times))
        repeated.append(entry.function(y.repeat(times), p.repeat(times, axis=0)))
    assert (weighted == pytest.approx(repeated)) == entry.weights_repeat


def test_an_error_in_bins_says_which_bins_and_norm_it_has():
    assert calib.METRICS["mce"].in_bins({"n_bins": 4}) == (calib.equal_width(4), "max")
    mass = {"bins": calib.equal_mass(7), "norm": "l2"}
    bins, norm = calib.METRICS["calibration_error"].in_bins(mass)
    assert bins is mass["bins"] and norm == "l2"
    assert calib.METRICS["nll"].in_bins({}) is None


def predicted_and_outcome(entry):
    """Scores and hits of 60 samples, or probabilities and labels, as a metric reads them."""
    checked = entry.checked_input(*draw(60, 3), {})
    return checked[:2] if entry.reads == "pairs" else (checked.p, checked.y)


PREPARED = [
    name
    for name, entry in calib.METRICS.items()
    if entry.prepare(predicted_and_outcome(entry)[0], {})
]


@pytest.mark.parametrize("weight", [np.ones(60), draw_weights(60).astype(float)])
@pytest.mark.parametrize("name", PREPARED)
def test_a_prepared_draw_is_the_formula_of_what_is_drawn(name, weight):
    """The draw has other hits, or labels, than the samples that were given."""
    entry = calib.METRICS[name]
    predicted, outcome = predicted_and_outcome(entry)
    if entry.reads == "pairs":
        values, drawn = ~outcome - predicted, calib.Pairs(predicted, ~outcome, weight)
    else:
        values = (outcome + 1) % 3
        drawn = calib.Vectors(values, predicted, weight)
    value = entry.prepare(predicted, {})(values, weight)
    assert value == pytest.approx(entry.formula_with()(drawn))


ERRORS_OF_PAIRS = [
    name
    for name, entry in calib.METRICS.items()
    if entry.reads == "pairs" and entry.kind == "error"
]


def error_of_two_scores(name, first, second):
    """Return an error where gaps of two scores are given, each of half the samples."""
    score = np.repeat([0.3, 0.7], 2000)
    rank = np.tile(np.arange(2000), 2) / 2000
    hit = rank < score + np.repeat([first, second], 2000)
    order = np.random.default_rng(0).permutation(4000)
    return calib.METRICS[name].function(hit[order].astype(int), score[order])


def error_of_one_gap(name, gap):
    """Return the mean of the errors where both scores are too small, and too large, by a gap.

    An error of one sign, as of overconfidence alone, sees one of the two.
    """
    return np.mean([error_of_two_scores(name, g, g) for g in (gap, -gap)])


@pytest.mark.parametrize("name", ERRORS_OF_PAIRS)
def test_a_square_grows_with_the_square_of_the_gaps_and_no_other_error_does(name):
    growth = error_of_one_gap(name, 0.2) / error_of_one_gap(name, 0.1)
    expected = 4 if calib.METRICS[name].square else 2
    assert growth == pytest.approx(expected, rel=0.1)


# of cumulative sums half is left, of bins all, of one sum nothing; in a square of two sums gaps
# cancel as well, and it is no largest sum
@pytest.mark.parametrize(
    "name", [name for name in ERRORS_OF_PAIRS if not calib.METRICS[name].square]
)
def test_gaps_of_two_signs_cancel_where_an_error_is_of_cumulative_sums(name):
    share_left = error_of_two_scores(name, 0.1, -0.1) / error_of_one_gap(name, 0.1)
    is_half_left = share_left == pytest.approx(0.5, rel=0.2)
    assert is_half_left == calib.METRICS[name].cumulative


@pytest.mark.parametrize(
    ("name", "checked"), [("ece", calib.Pairs), ("classwise_ece", calib.Vectors)]
)
def test_what_a_metric_reads_is_pairs_of_a_view_or_whole_vectors(name, checked):
    assert type(calib.METRICS[name].checked_input(*draw(9, 3), {})) is checked


@pytest.mark.parametrize(
    ("name", "options", "is_known"),
    [
        ("ece", {}, True),
        ("calibration_error", {"bins": calib.equal_mass(5)}, False),
        ("calibration_error", {"bins": calib.equal_width(5)}, True),
        ("ks_error", {}, True),
        ("sweep_ece", {}, False),
    ],
)
def test_a_draw_is_prepared_but_where_it_moves_the_bins(name, options, is_known):
    drawn_metric = calib.METRICS[name].prepare(np.array([0.2, 0.7]), options)
    assert (drawn_metric is not None) == is_known


@pytest.mark.parametrize("name", calib.METRICS)
@pytest.mark.parametrize("surely_wrong", [0.0, 0.01, 1e-9])
def test_no_metric_exceeds_its_largest_value(name, surely_wrong):
    """Not where all that was nearly excluded happened."""
    p = np.tile([[surely_wrong, 1 - surely_wrong]], (50, 1))
    entry = calib.METRICS[name]
    with np.errstate(divide="ignore"):
        value = entry.formula_with()(entry.checked_input(np.zeros(50, int), p, {}))
    assert 0 <= value <= entry.largest * (1 + 1e-12)


def test_a_mean_of_losses_says_its_largest_value():
    with pytest.raises(TypeError, match="largest: not given, expected the most that x"):
        calib.registry.metric("x", len, reads="pairs", kind="mean")
