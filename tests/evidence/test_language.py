"""Answers of language models: read without trust, kept exactly, and measured the same again."""

import numpy as np
import pytest
from helpers import need_shared

import calib
from evidence import load_results
from evidence.language import originals as sources
from evidence.language.all_answers import choice_answers
from evidence.language.answers import answer_sets, load_answers
from evidence.language.held_out_maps import (
    mapped_held_out,
    mean_over,
    random_halves,
)
from evidence.language.pair_measures import as_text, auroc, pair_nll
from evidence.studies.language import metrics_of_answers
from evidence.studies.language.language_paired import weighted_measures

TAO = b",category,correct_answer,extracted_answer,verbal_numerical_confidence,"
TAO += b"logit_perplexity_confidence,verbal_linguistic_confidence,token_length\n"
ROW = {"name": "net", "model": "net", "dataset": "set"}


def test_an_answer_that_is_not_there_is_neither_right_nor_wrong():
    lines = b"0,0,law,A,A,0.9,0.5,0.95,7\n1,1,law,B,A,1.0,0.5,47.975,7\n"
    lines += b"2,2,law,B,,925.0,0.5,,2048\n"
    answers = sources.ANSWER_READERS["tao"](ROW, b",Unnamed: 0" + TAO + lines)
    assert answers["outcome"].tolist() == [
        sources.RIGHT,
        sources.WRONG,
        sources.MISSING,
    ]
    assert answers["confidence"]["verbal"].tolist()[:2] == [0.9, 1.0]
    assert np.isnan(answers["confidence"]["verbal"][2])  # 925 is not a probability
    assert np.isnan(answers["confidence"]["linguistic"]).tolist() == [False, True, True]
    assert answers["refused"] == {"verbal": 1, "linguistic": 1}


def test_grades_are_read_in_the_order_of_the_parts():
    files = [b"grade confidence_level\nCorrect 0.5\nUnparseable 0\n"]
    files += [b"grade confidence_level\nWrong 0.25"]
    outcome, score = sources.ANSWER_READERS["plaut"](ROW, *files)
    assert outcome.tolist() == [1, 2, 0]
    assert score[[0, 2]].tolist() == [0.5, 0.25] and np.isnan(score[1])
    with pytest.raises(ValueError, match="the first line"):
        sources.ANSWER_READERS["plaut"](ROW, b"confidence_level\nCorrect 0.5\n")


def test_the_probability_of_the_life_table_is_computed_again():
    lives = ",".join(sources.COLUMNS["life_table"]) + "\n"
    lives += '0,,"1,000",,,"1,000",\n1,,900,,,950,\n2,,600,,,800,\n3,,0,,,0,\n'
    head = ",".join(sources.COLUMNS["lifeeval"]) + "\n"
    # All of 900 men of age 1 die by 3, and 950 - 800 of 950 women before 2.
    good = "life,net,0,2,1,1,0.9,1.0\nlife,net,404,1,1,0,0.5,0.15789473684210525\n"
    files = [(head + good).encode(), lives.encode()]
    answers = sources.ANSWER_READERS["lifeeval"](ROW, *files)
    assert answers["stated_confidence"].tolist() == [0.9, 0.5]
    files[0] = files[0].replace(b"0.157", b"0.257")
    with pytest.raises(ValueError, match=r"row 1: 0\.257.* is not the life table's"):
        sources.ANSWER_READERS["lifeeval"](ROW, *files)


def test_pairs_leave_out_or_count_what_is_missing():
    outcome = np.array([[0, 1, 2, 1], [1, 1, 1, 2]], np.uint8)
    score = np.array([[0.5, 0.75, 0.25, np.nan], [0.5, np.nan, 1.0, 1.0]])
    group = np.array(["a", "a", "b", "b"])
    answers = sources.Answers("s", "d", ["one", "two"], outcome, {"kind": score}, group)
    score, hit = answers.pairs("one", "kind")
    assert score.tolist() == [0.5, 0.75] and hit.tolist() == [False, True]
    score, hit = answers.pairs("one", "kind", missing="wrong")
    assert score.tolist() == [0.5, 0.75, 0.25] and hit.tolist() == [False, True, False]
    assert len(answers.pairs("one", "kind", group="b")[0]) == 0
    rows, (first, second) = answers.paired("one", "two", "kind")
    assert rows.tolist() == [True, False, False, False]
    assert first[1].tolist() == [False] and second[1].tolist() == [True]


def drawn_pairs(n):
    rng = np.random.default_rng(3)
    score = np.round(rng.random(n), 1)
    return rng.random(n) < 0.3 + score / 2, score


def test_auroc_counts_pairs_of_answers_and_the_nll_of_a_certain_error_is_infinite():
    hit, score = drawn_pairs(60)
    every = [(r > w) + (r == w) / 2 for r in score[hit] for w in score[~hit]]
    assert auroc(hit, score).value == pytest.approx(np.mean(every))
    assert np.isnan(auroc(np.ones(3, bool), score[:3]).value)
    half = pair_nll(np.array([True, False]), np.array([0.5, 0.75]))
    assert half == pytest.approx((np.log(2) + np.log(4)) / 2)
    assert pair_nll(np.array([False]), np.array([1.0])) == np.inf


def test_weights_are_repetitions():
    hit, score = drawn_pairs(400)
    times = np.random.default_rng(4).integers(0, 3, size=(2, len(hit))).astype(float)
    weighted = weighted_measures(hit, score, times)
    for r, count in enumerate(times.astype(int)):
        h, s = np.repeat(hit, count), np.repeat(score, count)
        expected = {
            "accuracy": h.mean(),
            "overconfidence": s.mean() - h.mean(),
            "ece": calib.ece(h, s),
            "brier": calib.top1_brier(h, s),
            "auroc": auroc(h, s).value,
        }
        assert {name: weighted[name][r] for name in expected} == pytest.approx(expected)


def test_maps_are_fitted_on_the_other_half():
    hit, score = drawn_pairs(2000)
    flipped = hit.copy()
    first = random_halves(len(hit), np.random.default_rng(0))[0][0]
    flipped[first] = ~hit[first]  # does not touch what the first half's scores become
    before, after = (
        mapped_held_out("platt", h, score, np.random.default_rng(0))[0]
        for h in (hit, flipped)
    )
    assert np.array_equal(before[first], after[first])
    assert not np.allclose(before[~first], after[~first])


def test_errors_of_two_maps_do_not_cancel():
    """Of a constant, the halves' accuracies a and b give errors a - b and b - a."""
    hit, _ = drawn_pairs(2000)
    constant = np.full(len(hit), 0.5)
    rng = np.random.default_rng(0)
    after, halves = mapped_held_out("isotonic", hit, constant, rng)
    first, second = (hit[half].mean() for half in halves)
    assert mean_over(halves, calib.ece, hit, after) == pytest.approx(
        abs(first - second)
    )
    assert first != second
    # in the bins of both halves the two errors stand side by side
    assert calib.ece(hit, after) == pytest.approx(0, abs=1e-12)


def test_maps_leave_the_error_that_the_fit_owes_to_chance():
    """Of calibrated scores: near the root of two times the level of chance, not below it."""
    ratios = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        score = rng.beta(4, 2, 4000).round(1)
        hit = rng.random(4000) < score
        after, halves = mapped_held_out("isotonic", hit, score, rng)
        error = mean_over(halves, calib.ece, hit, after)
        ratios.append(error / mean_over(halves, calib.error_if_calibrated, after))
    assert 1.2 < np.mean(ratios) < 1.6


@pytest.mark.shared
def test_a_random_twentieth_is_measured_again(monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    table = load_results("metrics_of_answers")
    sets = [load_answers(name) for name in answer_sets()]
    name = sources.answer_sources("choices")[0]
    sets.append(choice_answers(sources.load_answer_source(name)))
    where = {(s.source, s.dataset, model): s for s in sets for model in s.models}
    keys = zip(table.source, table.dataset, table.model, strict=True)
    rows = table[[key in where for key in keys]]
    for row in rows.sample(frac=0.05, random_state=11).itertuples():
        stored_row = where[row.source, row.dataset, row.model]
        group = None if row.group == "all" else row.group
        again = metrics_of_answers.measured_row(
            stored_row, row.model, row.confidence, group, row.unanswered
        )
        for name, value in next(as_text(again)).items():
            stored = getattr(row, name)
            if not (value == "" and np.isnan(stored)) and str(value) != str(stored):
                assert float(value) == pytest.approx(stored, nan_ok=True), (
                    row.Index,
                    name,
                )


def test_the_sums_of_two_beliefs_are_those_that_the_paper_prints():
    """Mean beliefs of both sides, in per cent: Prasad and Nguyen (2025), abstract."""
    sums = load_results("beliefs_of_debaters").set_index(["experiment", "speech"])[
        "sum"
    ]
    itself = "a model against itself", "itself, told that it is 50 to 50"
    printed = {("two models", "opening"): 72.9, ("two models", "closing"): 83}
    printed |= {(itself[0], "opening"): 64.1, (itself[0], "closing"): 75.2}
    printed |= {(itself[1], "opening"): 50.0, (itself[1], "closing"): 57.1}
    for place, mean in printed.items():
        assert abs(50 * sums[place] - mean) < 0.4, place
