"""What maps leave of the error of language models, and what answers are kept: by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawings import ends_of_bars, points, segments

from book.show.learn import repair


def ends(numbers):
    return f"{numbers.min():.0f} to {numbers.max():.0f}"


def pairs():
    """Two models' kinds of confidence before a map and after three."""
    columns = (
        "model confidence map ece skill ece_chance p_first p_second brier n accuracy"
    )
    rows = [
        ("a", "verbal", "none", 0.30, -0.2, 0.01, 0.5, 0.5, 0.25, 100, 0.5),
        ("b", "verbal", "none", 0.20, 0.1, 0.01, 0.5, 0.5, 0.25, 100, 0.5),
        ("a", "verbal", "platt", 0.04, 0.05, 0.01, 0.5, 0.5, 0.2, 100, 0.5),
        ("b", "verbal", "platt", 0.02, 0.15, 0.01, 0.5, 0.5, 0.2, 100, 0.5),
        ("c", "verbal", "platt", 0.09, 0.15, 0.01, 0.5, 0.5, 0.2, 100, 0.5),
        ("a", "verbal", "isotonic", 0.02, 0.10, 0.01, 0.01, 0.5, 0.2, 400, 0.5),
        ("b", "verbal", "isotonic", 0.03, 0.20, 0.02, 0.5, 0.5, 0.1, 400, 0.8),
        ("a", "verbal", "histogram", 0.03, 0.10, 0.01, 0.01, 0.04, 0.2, 100, 0.5),
        ("b", "verbal", "histogram", 0.05, 0.20, 0.01, 0.5, 0.5, 0.2, 100, 0.5),
        ("a", "token", "isotonic", 0.02, 0.30, 0.01, 0.5, 0.5, 0.2, 100, 0.5),
    ]
    return pd.DataFrame(rows, columns=columns.split())


def test_a_map_lowers_the_error_and_hardly_changes_the_skill():
    errors, skill = repair.draw_ece_and_skill_by_map(pairs()).axes
    assert points(errors, 0) == pytest.approx(np.array([[30, 1], [2, 0]]))
    assert points(errors, 1) == pytest.approx(np.array([[20, 1], [3, 0]]))
    assert points(skill, 0) == pytest.approx(np.array([[-20, 1], [10, 0]]))
    assert segments(errors.collections[0])[0, 0] == pytest.approx(
        1.5
    )  # by chance, the median
    assert len(skill.collections) == 0


@pytest.mark.parametrize(
    ("model", "name"),
    [("Llama-3.1-8B", "8B"), ("Llama-3.1-70B-Instruct", "70B tuned")],
)
def test_a_model_is_named_by_its_size_and_whether_it_is_tuned(model, name):
    assert repair.tuned_or_base(model) == name


def test_subjects_that_fail_are_counted_with_each_temperature(glued):
    ways = ["by chance", "no temperature", "the others' temperature"]
    errors = pd.DataFrame(
        {
            "8B-Instruct": [0.01, 0.11, 0.03],
            "70B-Instruct": [0.02, 0.12, 0.07],
            "8B": [0, 9, 9],
        },
        index=ways,
    )
    choice = pd.DataFrame(
        {
            "fitted_on": ["other subjects"] * 4 + ["other half"] * 4,
            "model": ["8B", "8B", "70B", "70B"] * 2,
            "p_value": [0.01, 0.5, 0.01, 0.02, 0.5, 0.5, 0.5, 0.5],
            "p_first": [0.01, 0.5, 0.5, 0.5, 0.01, 0.01, 0.5, 0.5],
            "p_second": [0.01, 0.01, 0.5, 0.5, 0.5, 0.01, 0.01, 0.5],
        }
    )
    repair.glue_subjects_that_fail(errors, choice, ends)
    assert glued == {
        "repair-subjects": "1 to 2",
        "repair-own-subjects": "0.5 to 1.5",
        "repair-shared-subjects": "0.0 to 1.5",
        "repair-tuned-lost": "50 to 80",
    }


def test_subjects_stand_in_the_order_of_what_the_borrowed_temperature_leaves():
    model = "Llama-3.1-8B-Instruct"
    rows = [
        (model, group, way, over, 100, 0.8)
        for group, both in (("law", (0.2, 0.1)), ("art", (0.3, -0.05)))
        for way, over in zip(("nothing", "other subjects"), both, strict=True)
    ]
    rows.append(("other", "law", "nothing", 9, 1, 0.5))
    columns = ["model", "group", "fitted_on", "over", "n", "accuracy"]
    (ax,) = repair.draw_gaps_of_subjects(pd.DataFrame(rows, columns=columns)).axes
    assert points(ax, 0) == pytest.approx(np.array([[0, 30], [1, 20]]))
    assert points(ax, 1) == pytest.approx(np.array([[0, -5], [1, 10]]))
    half = 196 * np.sqrt(0.8 * 0.2 / 100)
    assert ends_of_bars(ax, 0)[1] == pytest.approx([10 - half, 10 + half])


def test_skills_after_a_map_are_medians_of_models(glued):
    repair.glue_skill_after_maps(pairs(), {"verbal": "blue", "token": "green"})
    assert glued == {
        "repair-negative": "1 of 2",
        "repair-skill-verbal": "15%",
        "repair-skill-token": "30%",
        "repair-platt-verbal": "4.0",
        "repair-isotonic-verbal": "2.5",
    }


def test_maps_without_a_shape_leave_a_multiple_of_chance(glued):
    repair.glue_error_after_free_maps(pairs())
    # verbal: isotonic 2 and 1.5 times, histogram 3 and 5; token 2. Halves that a test rejects:
    # isotonic 1 of 4, histogram 2 of 4, token none
    assert glued == {
        "repair-times-chance": "1.8 to 4.0",
        "repair-rejected": "0% to 50%",
    }


def test_skill_stands_over_accuracy_with_the_widest_interval_of_a_brier_score():
    kinds = {"verbal": "blue", "token": "green", "linguistic": "purple"}
    axes = repair.draw_skill_against_accuracy(pairs(), kinds).axes
    assert points(axes[0], 0) == pytest.approx(np.array([[50, 10], [80, 20]]))
    half = 196 * np.sqrt(0.1 * 0.9 / 400) / (0.8 * 0.2)
    assert ends_of_bars(axes[0], 0)[1] == pytest.approx([20 - half, 20 + half])
    assert points(axes[1], 0) == pytest.approx(np.array([[50, 30]]))


def transfer():
    """A subject's error with no map, its own and that of the others, of three models."""
    rows = [
        (model, "law", way, error, p, source, "verbal", 0.9, accuracy)
        for model, errors, source in (
            ("a", (0.10, 0.02, 0.04), "tao"),
            ("b", (0.03, 0.05, 0.04), "tao"),
            ("c", (0.0, 9, 9), "other"),
        )
        for way, error, p, accuracy in zip(
            ("nothing", "other half", "other subjects"),
            errors,
            ((0.5, 0.5), (0.01, 0.5), (0.01, 0.02)),
            (0.6, 0.7, 0.8 if model == "a" else 0.85),
            strict=True,
        )
    ]
    columns = ["model", "group", "fitted_on", "ece_half", "p", "source", "confidence"]
    table = pd.DataFrame(rows, columns=[*columns, "mean_confidence", "accuracy"])
    both = pd.DataFrame(table.pop("p").tolist(), columns=["p_first", "p_second"])
    return table.join(both)


def test_an_own_map_is_compared_with_a_borrowed_one(glued):
    repair.glue_own_and_borrowed_maps(transfer())
    assert glued == {
        "repair-own-wins": "50",
        "repair-own-fail": "50",
        "repair-others-fail": "100",
        "repair-tao-worse": "50",
        "repair-tao-other": "4.0",
        "repair-tao-none": "6.5",
    }


def test_gaps_after_the_map_of_the_others_have_quartiles_over_models():
    (ax,) = repair.draw_gaps_after_borrowed_map(transfer()).axes
    assert points(ax, 0)[0, 0] == pytest.approx(7.5)  # between 10 and 5 points
    assert segments(ax.collections[0])[0, [0, 2]] == pytest.approx([6.25, 8.75])


def test_models_are_counted_that_keep_half_hardly_any_and_too_wrong_answers(glued):
    kept = iter([0.6, 0.6, 0.4, 0.6, 0.01, 0.6] * 3)

    def decline(model, kind, rng):
        return {
            "kept": next(kept),
            "errors of kept": 0.15 if model == "a" else 0.05,
            "±": 0.04,
        }

    answers = SimpleNamespace(models=["a", "b"], pairs=lambda model, kind: ([], [1]))
    repair.glue_answers_kept(answers, decline, np.random.default_rng(0), 0.1)
    # cuts keep .6 .6, .4 .6, .01 .6
    assert glued["repair-half-verbal"] == "1 or 2 of 2"
    assert glued["repair-never-verbal"] == "0 or 1 of 2"
    assert glued["repair-over-verbal"] == "2 of 5"
    assert glued["repair-beyond-verbal"] == 2
    assert len(glued) == 12
