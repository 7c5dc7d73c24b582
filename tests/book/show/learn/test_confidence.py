"""What language models state, beside what they know: counted by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import heights, points, segments, texts, ticks

from book.show.learn import confidence

KINDS = {"verbal": "blue", "token": "green", "linguistic": "purple"}


def test_what_is_stated_stands_over_what_is_right():
    named = ["Qwen3-0.6B-Base", "deepseek-reasoner", "Mixtral-8x7B-v0.1"]
    stated = pd.DataFrame(
        {"model": named, "accuracy": [0.2, 0.8, 0.3], "mean_confidence": 0.9}
    )
    other = stated.assign(mean_confidence=0.5)
    tao = pd.concat(
        [stated.assign(confidence="verbal"), other.assign(confidence="token")]
    )
    (ax,) = confidence.draw_confidence_against_accuracy(tao, KINDS).axes
    assert points(ax, 2) == pytest.approx(np.array([[20, 50], [80, 50], [30, 50]]))
    assert points(ax, 3) == pytest.approx(np.array([[20, 90], [80, 90], [30, 90]]))
    assert points(ax, 5) == pytest.approx(np.array([[20, 90]]))
    assert "deepseek-reasoner\n80 % right" in texts(ax)


def answers():
    """Two models and five questions: 0 wrong, 1 right, 2 no answer."""
    outcome = np.array([[1, 0, 1, 1, 0], [2, 1, 1, 0, 2]])
    verbal = np.array([[0.9, 0.9, 1, 0.8, 0.5], [np.nan, 0.9, 0.6, 0.7, np.nan]])

    def pairs(model, kind):
        score = verbal["ab".index(model)]
        return score[~np.isnan(score)], None

    return SimpleNamespace(models=["a", "b"], outcome=outcome, pairs=pairs)


def test_stated_numbers_are_few_and_left_out_answers_are_no_wrong_ones(glued):
    table = pd.DataFrame(
        {
            "the answer is": ["right", "wrong"],
            "verbal": [0.9, 0.8],
            "token": [0.4, 0.8],
            "linguistic": [0.7, np.nan],
        }
    )
    confidence.glue_stated_numbers(answers(), KINDS, table)
    assert glued == {
        "know-right": "1",
        "know-verbal": "0.85",
        "know-gap": "0.50",
        "know-said": "8",
        "know-values": "6",
        "know-three": "62",  # 0.9 three times, and two others once each
        "know-missing": "40",
        "know-silent": "b",
        "know-left": "67",
        "know-counted": "40",
    }


def test_a_confidence_is_counted_in_whole_per_cent():
    axes = confidence.draw_round_numbers(KINDS, "a", answers()).axes
    for ax in axes:
        bars = heights(ax)
        assert bars[[50, 80, 90, 100], 3] == pytest.approx([20, 20, 40, 20])
        assert bars[:, 3].sum() == pytest.approx(100)
    assert [ax.get_title() for ax in axes] == ["verbal confidence", "token confidence"]


def paired():
    """Differences of the ECE of two kinds, first less second, of two models."""
    columns = (
        "comparison metric first_confidence second_confidence first difference".split()
    )
    rows = [
        ("kind", "ece", "token", "verbal", "a", -0.1),
        ("kind", "ece", "token", "verbal", "b", 0.2),
        ("kind", "ece", "verbal", "linguistic", "a", -0.1),
        ("kind", "brier", "token", "verbal", "a", -9),
        ("size", "ece", "token", "verbal", "a", -9),
    ]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(
        first_value=[0.1, 0.3, 0, 9, 9], second_value=[0.2, 0.1, 0, 9, 9]
    )


def test_models_are_counted_that_state_too_much(glued):
    tao = pd.DataFrame(
        {
            "mean_confidence": [0.9, 0.5, 0.8],
            "accuracy": [0.5, 0.6, 0.8],
            "ece": [0.4, 0.1, 0.1],
            "ece_chance": [0.02, 0.02, 0.2],
            "ece_low": [0.3, 0.01, 0.3],
        }
    )
    verbal = tao.assign(model=["a", "b", "c"])
    confidence.glue_models_too_sure(paired(), tao, verbal)
    assert glued == {
        "know-humble": "b",
        "know-over": "1 of 3",
        "know-stated": "80%",
        "know-accuracy": "60%",
        "know-outside": "1",
        "know-kind-verbal": "1 of 2",
        "know-kind-words": "1 of 1",
    }


def test_the_error_of_a_stated_number_stands_over_that_of_the_token():
    models = pd.DataFrame({"family": ["Qwen3", "Llama"]}, ["a", "b"])
    (ax,) = confidence.draw_ece_of_both_kinds(paired(), models).axes
    assert points(ax, 0) == pytest.approx(np.array([[30, 10]]))
    assert points(ax, 1) == pytest.approx(np.array([[10, 20]]))
    assert texts(ax)[:2] == ["other families", "Qwen3"]


def test_confidences_that_are_dealt_at_random_have_their_own_correlation():
    rows = pd.DataFrame(
        {"accuracy": [0.2, 0.4, 0.6, 0.8], "mean_confidence": [0.9, 0.8, 0.9, 0.8]}
    )
    rows["ece"] = rows.mean_confidence - rows.accuracy

    def correlation(a, ece, rng, families):
        assert families is None
        return np.corrcoef(a, ece)[0, 1], -1, 0

    line = confidence.own_and_dealt(
        correlation, {"verbal": rows}, np.random.default_rng(0)
    )
    found = line.loc["verbal"]
    assert found.n == 4 and (found.low, found.high) == (-1, 0)
    assert found.slope == pytest.approx(
        np.polyfit(rows.accuracy, rows.mean_confidence, 1)[0]
    )
    assert found.own == pytest.approx(np.corrcoef(rows.accuracy, rows.ece)[0, 1])
    deals = [
        np.corrcoef(rows.accuracy, np.abs(np.array(dealt) - rows.accuracy))[0, 1]
        for dealt in ([0.9, 0.9, 0.8, 0.8], [0.9, 0.8, 0.9, 0.8], [0.9, 0.8, 0.8, 0.9],
                      [0.8, 0.9, 0.9, 0.8], [0.8, 0.9, 0.8, 0.9], [0.8, 0.8, 0.9, 0.9])
    ]  # fmt: skip
    assert min(deals) <= found.dealt <= max(deals)
    assert found.dealt == pytest.approx(np.median(deals), abs=0.01)


def test_own_correlations_have_their_interval_and_the_dealt_ones_a_diamond():
    columns = ["own", "low", "high", "dealt"]
    rows = pd.DataFrame([[-0.9, -1, -0.5, -0.8]] * 4, [*"abcd"], columns)
    (ax,) = confidence.draw_own_and_dealt_correlations(rows).axes
    assert points(ax, 3).tolist() == [[-1, 1], [-0.5, 1]]
    assert points(ax, 4).tolist() == [[-0.9, 1]]
    assert points(ax, 5).tolist() == [[-0.8, 1.25]]


def test_bins_of_tuned_models_have_the_range_of_chance_about_their_confidence(
    monkeypatch,
):
    rows = [
        (f"Llama-3.1-{size}{end}", "alecwangcq", "none", n, 0.8 * n, 0.6 * n)
        for size in ("8B", "70B")
        for end in ("", "-Instruct")
        for n in (100, 19)  # too few samples for a dot
    ]
    columns = ["model", "source", "map", "count", "score_sum", "hit_sum"]
    bins = pd.DataFrame(rows, columns=columns)
    monkeypatch.setattr(confidence, "load_results", lambda name: bins)
    for ax in confidence.draw_bins_by_tuning().axes:
        assert points(ax, 0) == pytest.approx(np.array([[80, 60]]))
        half = 196 * np.sqrt(0.8 * 0.2 / 100)
        assert segments(ax.collections[1])[0] == pytest.approx(
            [80, 80 - half, 80, 80 + half]
        )


def test_tuning_multiplies_the_error_and_a_temperature_takes_it_back(
    glued, monkeypatch
):
    models = [
        f"Llama-3.1-{size}{end}" for size in ("8B", "70B") for end in ("", "-Instruct")
    ]
    everything = pd.DataFrame(
        {"model": models, "source": "alecwangcq", "ece": [0.02, 0.1, 0.01, 0.2]}
    )
    maps = pd.DataFrame(
        {
            "model": models,
            "map": "temperature",
            "temperature": [1, 2, 1.1, 3],
            "ece": 0.01,
        }
    )
    monkeypatch.setattr(confidence, "load_results", lambda name: maps)
    confidence.glue_ece_by_tuning(everything)
    assert glued == {
        "know-8B-times": "5.0",
        "know-8B-t": "1.00 to 2.00",
        "know-8B-back": "90",
        "know-70B-times": "20.0",
        "know-70B-t": "1.10 to 3.00",
        "know-70B-back": "95",
    }


GROUPS = {"tuned": "blue", "reasoning": "green", "quantised": "purple"}


def parts(n_tuned=3, still=2):
    """What changes in 23 pairs of models: tuned, with reasoning, quantised."""
    names = [("tuned", f"Qwen3-{i}") for i in range(n_tuned)]
    names += [("reasoning", f"R{i}-think") for i in range(13)]
    names += [("quantised", f"Q{i}-fp8-tput") for i in range(7)]
    index = pd.MultiIndex.from_tuples(names)
    values = {
        "ece": np.where(index.get_level_values(0) == "quantised", 0.5, -4.0),
        "accuracy": np.full(len(index), 2.0),
        "overconfidence": np.full(len(index), -8.0),
        "auroc": np.where(np.arange(len(index)) % 2, 1.0, -1.0),
        "mean_confidence": np.r_[[0.4] * still, [9.0] * (len(index) - still)],
    }
    return {name: pd.Series(column, index) for name, column in values.items()}


def test_changes_stand_in_groups_with_room_for_a_heading():
    found = parts()
    ends = pd.Series([(-5.0, -3.0)] * 23, found["ece"].index)
    (ax,) = confidence.draw_changes_in_pairs(ends, GROUPS, found).axes
    assert points(ax, 0).tolist() == [[-5, 0], [-3, 0]]
    assert points(ax, 1).tolist() == [[-4, 0]]
    assert points(ax, 2).tolist() == [[-2, 0]]  # minus the accuracy
    assert points(ax, 3 * 3)[0, 1] == 4.5  # the fourth row, in the second group
    assert ticks(ax.yaxis)[3] == "R0"
    headings = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert headings["reasoning"] == 3.5


TAO = pd.DataFrame({"confidence": ["token"] * 73 + ["verbal"]})


def test_pairs_are_counted_in_which_the_error_falls(glued):
    found = parts()
    ends = pd.Series([(-5, -3)] * 23, found["ece"].index)
    confidence.glue_effects_in_pairs(found, ends, TAO)
    assert glued == {
        "know-pairs-tuned": "3 of 3",
        "know-pairs-reasoning": "13 of 13",
        "know-pairs-quantised": "0 of 7",
        "know-pairs-still": "Qwen3-0 and Qwen3-1",
        "know-pairs-share": "25",
        "know-pairs-auroc": "7 of 13",
        "know-pairs-family": "3 of 23",
        "know-pairs-bits": "0.5",
    }


@pytest.mark.parametrize(
    ("changed", "tao", "said"),
    [
        (parts(still=1), TAO, "two sizes"),
        (parts(n_tuned=4), TAO, "23 pairs"),
        (parts(), TAO[1:], "73 are of tokens"),
    ],
)
def test_other_numbers_of_pairs_than_the_text_tells_stop_the_build(changed, tao, said):
    ends = pd.Series([(-5, -3)] * len(changed["ece"]), changed["ece"].index)
    with pytest.raises(ValueError, match=said):
        confidence.glue_effects_in_pairs(changed, ends, tao)


def test_both_sides_of_a_debate_are_summed_speech_by_speech():
    speeches = ("opening", "rebuttal", "closing")
    rows = [
        {"experiment": kind, "speech": speech, "sum": total}
        for kind in ("others", "itself, told")
        for speech, total in zip(speeches, (1.4, 1.5, 1.6), strict=True)
    ]
    debates = pd.DataFrame(rows)
    debates = debates.assign(low=debates["sum"] - 0.1, high=debates["sum"] + 0.1)
    (ax,) = confidence.draw_sums_in_debates(debates).axes
    assert points(ax, 0) == pytest.approx(np.array([[140, -0.27], [140, 0.73]]))
    assert points(ax, 2) == pytest.approx(np.array([[160, 0.27], [160, 1.27]]))
    assert segments(ax.collections[1])[0] == pytest.approx([140, 0, 160, 0])
    assert ticks(ax.yaxis) == ["others", "against itself,\n told"]


def life():
    """Ranges of four widths: what is stated, what the life table says, and the bias."""
    rows = [
        {
            "model": f"m{i}",
            "width": width,
            "probability": 0.1,
            "stated": 0.1 + bias,
            "bias": bias,
        }
        for width, biases in ((1, [0.2] * 7 + [-0.1] * 3), (20, [-0.2] * 10))
        for i, bias in enumerate(biases)
    ]
    table = pd.DataFrame(rows)
    table = pd.concat([table, table[:2].assign(width=5), table[:2].assign(width=10)])
    return table.assign(bias_low=table.bias - 0.25, bias_high=table.bias + 0.15)


def test_what_is_stated_stands_over_the_life_table_with_the_interval_of_its_bias():
    (ax,) = confidence.draw_stated_against_life_table(life()).axes
    assert points(ax, 0)[0] == pytest.approx([10, 30])
    # ends of the bias, upon the probability
    assert segments(ax.collections[0])[0] == pytest.approx([10, 5, 10, 45])
    assert texts(ax) == ["±1", "±5", "±10", "±20"]


def everything():
    return pd.DataFrame(
        {
            "source": ["michael"] * 4 + ["tao"],
            "confidence": ["stated"] * 3 + ["token", "stated"],
            "dataset": ["LSAT-AR", "SAT-EN", "HaluEval-QA", "SAT-EN", "SAT-EN"],
            "mean_confidence": [0.9, 0.8, 0.9, 0, 0],
            "accuracy": [0.3, 0.95, 0.1, 0, 0],
        }
    )


def test_models_are_counted_that_claim_too_much_of_narrow_ranges(glued):
    confidence.glue_bias_by_width(life(), everything())
    assert glued == {
        "know-life-narrow": "0 of 10",
        "know-life-wide": "10 of 10",
        "know-life-lsat": "60",
        "know-life-sat": "−15",
    }
    with pytest.raises(ValueError, match="7 and 10"):
        confidence.glue_bias_by_width(life()[1:], everything())
