"""Measures of weighted answers, and differences of models by hand."""

import numpy as np
import pandas as pd
import pytest
from simulated_answers import drawn_pairs

import calib
from evidence.language import originals
from evidence.language.pair_measures import auroc
from evidence.studies.language import language_paired


def test_weights_are_repetitions():
    hit, score = drawn_pairs(400)
    times = np.random.default_rng(4).integers(0, 3, size=(2, len(hit))).astype(float)
    weighted = language_paired.weighted_measures(hit, score, times)
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


def test_pairs_of_models_differ_in_one_thing():
    names = [
        "Qwen3-8B",
        "Qwen3-8B-Base",
        "Qwen3-8B-think",
        "Qwen3-8B-AWQ",
        "Qwen3-1B-Base",
    ]
    names += ["Qwen3-8B-FP8", "Llama-8B-Base", "Llama-8B"]
    results = [*language_paired.comparisons(pd.DataFrame({"model": names}))]
    assert results == [
        ("tuned", "Qwen3-8B-Base", "Qwen3-8B"),
        ("reasoning", "Qwen3-8B", "Qwen3-8B-think"),
        ("quantised", "Qwen3-8B", "Qwen3-8B-AWQ"),
        ("quantised", "Qwen3-8B", "Qwen3-8B-FP8"),
        ("reasoning", "Phi-4-mini-instruct", "Phi-4-mini-reasoning"),
        ("reasoning", "deepseek-chat", "deepseek-reasoner"),
    ]


HEAD = ["source", "reasoning", "one", "two", "stated", "verbal"]


@pytest.fixture
def few_resamples(monkeypatch):
    monkeypatch.setattr(language_paired, "N_RESAMPLES", 200)


def test_a_difference_is_the_second_less_the_first_with_intervals_of_two_draws(
    few_resamples,
):
    """The confidence of one of two subjects rises by a half, of the other by nothing."""
    hit = np.tile([True, False], 100)
    first, group = np.full(200, 0.25), np.repeat(["a", "b"], 100)
    second = first + 0.5 * (group == "b")
    rows = language_paired.differences(HEAD, (first, hit), (second, hit), group)
    rows = {row["metric"]: row for row in rows}
    assert [*rows] == [*language_paired.PAIRED]
    row = rows["mean_confidence"]
    assert [row[key] for key in ("source", "comparison", "first", "second")] == HEAD[:4]
    assert (row["first_confidence"], row["second_confidence"]) == (
        "stated",
        "verbal",
    )
    assert (row["first_value"], row["second_value"], row["n"]) == (
        0.25,
        0.5,
        200,
    )
    # of two subjects drawn, both are the one or the other in a quarter of the draws
    assert (row["subject_low"], row["difference"], row["subject_high"]) == (
        0,
        0.25,
        0.5,
    )
    # of 200 questions, two standard errors of .25 / sqrt(200)
    assert row["low"] == pytest.approx(0.25 - 2 * 0.0177, abs=0.01)
    assert row["high"] == pytest.approx(0.25 + 2 * 0.0177, abs=0.01)
    accuracy = rows["accuracy"]  # the same questions are drawn for both
    ends = ("difference", "low", "high", "subject_low", "subject_high")
    assert [accuracy[end] for end in ends] == pytest.approx([0] * 5)
    brier = (0.25**2 + 0.75**2) / 2
    assert rows["brier"]["first_value"] == pytest.approx(brier)
    assert rows["overconfidence"]["second_value"] == pytest.approx(0)
    assert rows["auroc"]["first_value"] == pytest.approx(0.5)


@pytest.mark.parametrize(("n", "n_kinds"), [(999, 0), (1000, 1)])
def test_a_comparison_needs_a_thousand_questions_that_both_answered(
    n, n_kinds, few_resamples, monkeypatch
):
    """One question more has no confidence of a kind, and one no answer."""
    size = n + 2
    score = np.full((2, size), 0.5)
    sure = np.full((2, size), 0.75)
    score[:, 0] = np.nan
    outcome = np.tile([0, 1], size)[:size] * np.ones((2, 1), int)
    outcome[:, 1] = originals.MISSING
    models = ["deepseek-chat", "deepseek-reasoner"]
    kinds = {"stated": score, "verbal": sure}
    result = originals.Answers("s", "d", models, outcome, kinds, np.full(size, "all"))
    monkeypatch.setattr(
        language_paired,
        "comparisons",
        lambda models: [("reasoning", "deepseek-chat", "deepseek-reasoner")],
    )
    rows = [
        (row["comparison"], row["first"], row["second_confidence"], row["n"])
        for row in language_paired.paired_rows(result)
        if row["metric"] == "accuracy"
    ]
    of_kinds = [("kind", model, "verbal", n) for model in models]
    stated = [("reasoning", models[0], "stated", n)]
    # of the second kind one confidence more is known
    verbal = [("reasoning", models[0], "verbal", n + 1)]
    assert rows == stated * n_kinds + verbal + of_kinds * n_kinds


def test_a_kind_of_one_model_is_compared_on_its_own_answers(few_resamples):
    """Four answers in five are right, said with .5 and then with .75."""
    outcome = np.full((1, 1001), originals.RIGHT)
    outcome[0, 0], outcome[0, 1:201] = originals.MISSING, originals.WRONG
    kinds = {
        "stated": np.full((1, 1001), 0.5),
        "verbal": np.full((1, 1001), 0.75),
    }
    result = originals.Answers("s", "d", ["m"], outcome, kinds, np.full(1001, "all"))
    rows = {row["metric"]: row for row in language_paired.kind_rows(result)}
    assert rows["accuracy"]["first_value"] == pytest.approx(0.8)
    assert rows["mean_confidence"]["difference"] == pytest.approx(0.25)
    assert rows["ece"]["difference"] == pytest.approx(-0.25)
