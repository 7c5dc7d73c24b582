"""What bettors win, by loops over the tickets that they buy."""

from types import SimpleNamespace

import numpy as np
import pytest
from drawings import ends_of_bars, points, ticks

import calib
from book.show.learn import theory

SCORE, HIT = np.array([0.6, 0.9, 0.6, 0.8]), np.array([1, 0, 0, 1])


def test_tickets_of_one_price_are_summed_together():
    # at 0.6: 0.4 - 0.6; at 0.8: 0.2; at 0.9: -0.9; of four
    assert theory.summed_gaps(SCORE, HIT) == pytest.approx([0, -0.05, 0, -0.225])


def test_kuipers_error_is_the_most_that_one_interval_of_prices_wins():
    prob = np.c_[SCORE, 1 - SCORE]
    sums = theory.summed_gaps(SCORE, HIT)
    best = max(abs(b - a) for a in sums for b in sums)
    assert theory.kuiper_error(1 - HIT, prob) == pytest.approx(best)


def test_each_bettor_wins_what_a_loop_over_the_tickets_gives():
    rng = np.random.default_rng(0)
    prob, y = rng.dirichlet(np.ones(10), 80), rng.integers(0, 10, 80)
    score, hit = prob.max(axis=1), prob.argmax(axis=1) == y
    won = {name: bet(y, prob) for name, bet in theory.BETS.items()}
    assert won["one stake"] == pytest.approx(abs(np.mean(hit - score)))
    assert won["each score"] == pytest.approx(np.mean(np.abs(hit - score)))
    of_classes = sum(
        calib.calibration_error(y, prob, view=calib.one_vs_rest(k)) for k in range(10)
    )
    assert won["sum of ten classes"] == pytest.approx(of_classes)
    assert won["100 bins: ECE"] == pytest.approx(calib.ece(y, prob, n_bins=100))
    assert won["one stake"] <= won["15 bins: ECE"] <= won["each score"] + 1e-12


def test_chance_wins_the_mean_and_the_middle_of_calibrated_labels():
    prob = np.tile([0.7, 0.3], (50, 1))
    mean, (low, high) = theory.won_by_chance(prob, n_draws=60)
    assert len(mean) == len(theory.BETS)
    assert (low < mean).all() and (mean < high).all()
    # one stake wins |hits - 35| of 50: on average sqrt(2 * 50 * .21 / pi) of them
    assert mean[0] == pytest.approx(2 * np.sqrt(2 * 50 * 0.21 / np.pi), rel=0.25)
    assert mean[5] == pytest.approx(42, rel=0.03)  # each score: 0.7 * 0.3 + 0.3 * 0.7


def test_what_is_won_stands_beside_what_chance_wins():
    prob, mean = np.c_[SCORE, 1 - SCORE], np.arange(1.0, 9.0)
    network = SimpleNamespace(test=SimpleNamespace(y=1 - HIT))
    figure = theory.draw_winnings_by_bet(
        network, prob, np.array([mean - 0.5, mean + 2]), mean
    )
    (ax,) = figure.axes
    places = [0, 1, 2, 3, 4, 5, 7.3, 8.3]
    assert points(ax, 0) == pytest.approx(np.c_[mean, places])
    assert ends_of_bars(ax, 0, "x") == pytest.approx(np.c_[mean - 0.5, mean + 2])
    assert points(ax, 1)[3, 0] == pytest.approx(100 * calib.ece(1 - HIT, prob))
    assert ticks(ax.yaxis) == list(theory.BETS)
