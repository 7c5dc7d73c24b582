"""Answers of language models: read without trust, kept exactly, and measured the same again."""

import numpy as np
import pytest
from helpers import need_shared

import calib
from evidence import load_results
from evidence.language import originals as sources
from evidence.language.all_answers import choice_answers
from evidence.language.answers import answer_sets, load_answers
from evidence.language.held_out_maps import MAPS, mapped_halves, random_halves
from evidence.language.pair_measures import as_text, auroc, generator, pair_nll
from evidence.studies.language import (
    language_maps,
    language_transfer,
    metrics_of_answers,
)
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
        list(mapped_halves("platt", h, score, np.random.default_rng(0)))
        for h in (hit, flipped)
    )
    # the map of the second half comes of the first, whose hits are flipped
    (of_second, its_hits), (of_first, _) = before
    assert np.array_equal(its_hits, hit[~first])
    assert np.array_equal(of_first, after[1][0])
    assert not np.allclose(of_second, after[0][0])


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


N_CALIBRATED, N_MODELS = 6000, 20
# in the middle of bins, where what two maps make of them stays
STATED = 0.3, 0.5, 0.7, 0.9


def calibrated_answers():
    """Answers of models whose confidence is the probability that the answer is right."""
    rng = np.random.default_rng(8)
    score = rng.choice(STATED, (N_MODELS, N_CALIBRATED))
    outcome = (rng.random(score.shape) < score).astype(np.uint8)
    models = [f"net {i}" for i in range(N_MODELS)]
    group = np.full(N_CALIBRATED, "all")
    return sources.Answers("s", "d", models, outcome, {"stated": score}, group)


def of_one_half(calibrator, rng):
    """ECE on one half after a map of the other, and that of a calibrated model with its scores."""
    score = rng.choice(STATED, N_CALIBRATED)
    hit, first = rng.random(len(score)) < score, np.arange(len(score)) % 2 == 0
    after = calibrator.fit(score[first], hit[first]).predict(score[~first])
    return calib.ece(hit[~first], after), calib.error_if_calibrated(after)


def means_and_errors(columns):
    """Mean of each column, and its standard error."""
    table = np.array(list(columns), float)
    return table.mean(axis=0), table.std(axis=0) / np.sqrt(len(table))


def agree(of_table, by_simulation):
    (mean, error), (expected, its_error) = of_table, by_simulation
    return np.abs(mean - expected) < 3 * np.hypot(error, its_error)


@pytest.fixture(scope="module")
def calibrated_rows():
    return list(language_maps.map_rows(calibrated_answers()))


@pytest.mark.parametrize("name", ["isotonic", "histogram"])
def test_after_a_map_the_error_of_two_halves_is_that_of_one(name, calibrated_rows):
    rng = np.random.default_rng(9)
    one = means_and_errors(of_one_half(MAPS[name], rng) for _ in range(400))
    rows = [row for row in calibrated_rows if row["map"] == name]
    table = means_and_errors((row["ece"], row["ece_chance"]) for row in rows)
    assert agree(table, one).all(), (table, one)
    # of both halves together the errors of the two maps cancel: below what chance would leave
    assert table[0][0] > 1.2 * table[0][1], table


def test_means_over_answers_are_those_of_both_halves_together():
    found = calibrated_answers()
    score, hit = found.pairs("net 0", "stated")
    rng = generator("maps", found.source, found.dataset, "net 0", "stated")
    halves = list(mapped_halves("platt", hit[1:], score[1:], rng))
    row = language_maps.map_row([""] * 6, halves, rng)
    after, hits = language_transfer.as_one(halves)
    assert row["n"] == len(hit) - 1 and row["accuracy"] == pytest.approx(hits.mean())
    assert row["brier"] == pytest.approx(calib.top1_brier(hits, after))
    assert row["nll"] == pytest.approx(pair_nll(hits, after))


def test_an_own_map_is_judged_on_one_half_beside_its_chance_level():
    rng = np.random.default_rng(10)
    one = means_and_errors(of_one_half(MAPS["isotonic"], rng) for _ in range(400))
    found, rows = calibrated_answers(), []
    for model in found.models:
        own, others = found.pairs(model, "stated"), found.pairs("net 0", "stated")
        *_, row = language_transfer.transfers(
            ["s", model, "d", "g", "stated"], own, others, ""
        )
        rows.append(row)
    assert {row["fitted_on"] for row in rows} == {"other half"}
    table = means_and_errors((row["ece_half"], row["chance_half"]) for row in rows)
    assert agree(table, one).all(), (table, one)


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
