"""What maps leave of a calibrated model's answers."""

import numpy as np
import pytest
from simulated_answers import (
    agree,
    calibrated_answers,
    means_and_errors,
    of_one_half,
)

import calib
from evidence.language.held_out_maps import MAPS_OF_CONFIDENCE, mapped_halves
from evidence.language.pair_measures import generator, pair_nll
from evidence.studies.language import language_maps, language_transfer


@pytest.fixture(scope="module")
def calibrated_rows():
    return list(language_maps.map_rows(calibrated_answers()))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["isotonic", "histogram"])
def test_after_a_map_the_error_of_two_halves_is_that_of_one(name, calibrated_rows):
    rng = np.random.default_rng(9)
    one = means_and_errors(
        of_one_half(MAPS_OF_CONFIDENCE[name], rng) for _ in range(400)
    )
    rows = [row for row in calibrated_rows if row["map"] == name]
    table = means_and_errors((row["ece"], row["ece_chance"]) for row in rows)
    assert agree(table, one).all(), (table, one)
    # of both halves together the errors of the two maps cancel: below what chance would leave
    assert table[0][0] > 1.2 * table[0][1], table


def test_means_over_answers_are_those_of_both_halves_together():
    result = calibrated_answers()
    score, hit = result.pairs("net 0", "stated")
    rng = generator("maps", result.source, result.dataset, "net 0", "stated")
    halves = list(mapped_halves("platt", hit[1:], score[1:], rng))
    row = language_maps.map_row([""] * 6, halves, rng)
    after, hits = language_transfer.as_one(halves)
    assert row["n"] == len(hit) - 1 and row["accuracy"] == pytest.approx(hits.mean())
    assert row["brier"] == pytest.approx(calib.top1_brier(hits, after))
    assert row["nll"] == pytest.approx(pair_nll(hits, after))
