"""Maps of one set of answers on another: both halves, each beside its chance level."""

import numpy as np
import pytest
from simulated_answers import (
    agree,
    calibrated_answers,
    drawn_pairs,
    means_and_errors,
    of_one_half,
)

import calib
from evidence.language.held_out_maps import MAPS_OF_CONFIDENCE, mapped_halves
from evidence.language.originals import Answers, Choices
from evidence.studies.language import language_transfer


def test_errors_of_two_maps_cancel_in_one_ece_and_not_in_their_mean():
    """Of a constant, the halves' accuracies a and b give errors a - b and b - a."""
    hit, _ = drawn_pairs(2000)
    constant, rng = np.full(len(hit), 0.5), np.random.default_rng(0)
    halves = list(mapped_halves("isotonic", hit, constant, rng))
    apart = [calib.ece(half_hit, score) for score, half_hit in halves]
    first, second = (half_hit.mean() for _, half_hit in halves)
    assert apart == pytest.approx([abs(first - second)] * 2) and first != second
    # in the bins of both halves the two errors stand side by side
    score, both = language_transfer.as_one(halves)
    assert calib.ece(both, score) == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
def test_an_own_map_is_judged_on_one_half_beside_its_chance_level():
    rng = np.random.default_rng(10)
    one = means_and_errors(
        of_one_half(MAPS_OF_CONFIDENCE["isotonic"], rng) for _ in range(400)
    )
    found, rows = calibrated_answers(), []
    for model in found.models:
        own, others = (
            found.pairs(model, "stated"),
            found.pairs("net 0", "stated"),
        )
        target = language_transfer.Target("s", model, "d", "g", "stated")
        *of_one_map, row = language_transfer.transfers(target, own, others, "others")
        assert [row["fitted_on"] for row in of_one_map] == ["", "others"]
        assert all(row["ece"] >= 0 for row in of_one_map) and row["ece"] == ""
        rows.append(row)
    assert {row["fitted_on"] for row in rows} == {"other half"}
    table = means_and_errors((row["ece_half"], row["chance_half"]) for row in rows)
    assert agree(table, one).all(), (table, one)


@pytest.mark.parametrize("is_one_map", [True, False])
def test_an_ece_of_all_is_only_that_of_one_map(is_one_map):
    """Whatever the model is called."""
    target = language_transfer.Target("s", "other half", "d", "g", "stated")
    hit, score = drawn_pairs(60)
    halves = [(score[:30], hit[:30]), (score[30:], hit[30:])]
    own = language_transfer.mapped_by_other_half("isotonic", halves, 2.5)
    mapped = own._replace(is_one_map=is_one_map)
    row = language_transfer.transfer_row(target, mapped, n_draws=9)
    assert (row["model"], row["map"], row["temperature"]) == (
        "other half",
        "isotonic",
        2.5,
    )
    eces = [calib.ece(half_hit, half_score) for half_score, half_hit in halves]
    assert row["ece_half"] == pytest.approx(sum(eces) / 2)
    assert row["ece"] == (pytest.approx(calib.ece(hit, score)) if is_one_map else "")
    assert (row["p_value"] == "") != is_one_map


def test_answers_of_a_group_are_those_that_have_a_confidence(monkeypatch):
    """Of 1100 answers every other is of a group; one in eleven of both has no confidence."""
    outcome = np.ones((1, 1100), int)
    outcome[0, 5] = language_transfer.sources.MISSING
    stated = np.linspace(0, 1, 1100)
    stated[::11] = np.nan
    subjects = np.tile(["a", "b"], 550)
    result = Answers("s", "d", ["m"], outcome, {"stated": stated[None]}, subjects)
    monkeypatch.setattr(
        language_transfer,
        "transfers",
        lambda target, own, others, where: [own[0]],
    )
    assert not [*language_transfer.transfer_between_groups(result)]  # 999 are too few
    outcome[0, 5] = 1
    first, second = language_transfer.transfer_between_groups(result)
    answered = np.arange(1100) % 11 > 0
    np.testing.assert_array_equal(first, stated[answered & (subjects == "a")])
    np.testing.assert_array_equal(second, stated[answered & (subjects == "b")])


def test_maps_of_one_set_are_fitted_to_all_others(monkeypatch):
    def answers(name, score):
        score = np.array([score])
        hits = np.ones_like(score, int)
        return Answers("s", name, ["m"], hits, {"choice": score}, np.full(2, "all"))

    sets = [answers(name, [k, k + 0.5]) for k, name in enumerate("abc")]
    monkeypatch.setattr(language_transfer, "transfers", lambda *row: [row])
    rows = [*language_transfer.transfer_between_sets(sets)]
    target, own, (others, _), where = rows[1]
    assert target == ("s", "m", "b", "all", "choice") and where == "other sets"
    assert own[0].tolist() == [1, 1.5] and others.tolist() == [0, 0.5, 2, 2.5]


def test_a_subject_has_its_temperature_from_the_other_subjects_and_its_own():
    rng = np.random.default_rng(9)
    z = 2 * rng.normal(size=(300, 4))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    inside = np.arange(300) < 100
    choices = Choices("s-x", "d", "m", 3 * z, y, np.where(inside, "a", "b"))
    target = language_transfer.Target("s", "m", "d", "a", "choice")
    mapped = [*language_transfer.with_temperatures(target, choices, inside)]
    fits = [
        calib.TemperatureScaling().fit(3 * z[rows], y[rows]).temperature_
        for rows in (~inside, inside)
    ]
    assert [(m.map, m.fitted_on, m.temperature) for m in mapped] == [
        ("none", "", ""),
        ("temperature", "other subjects", fits[0]),
        ("temperature", "other half", fits[1]),
    ]
    assert [m.is_one_map for m in mapped] == [True, True, False]
