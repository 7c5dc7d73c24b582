"""What was asked, answered as it is and after the map."""

import numpy as np
from tempered_models import drawn

import calib_report
from calib_report import ModelOutputs, analyse
from calib_report.measuring.after_map import mistakes
from calib_report.measuring.outcome import outcome_as_is


def test_groups_are_judged_after_the_map_as_well():
    """All groups are overconfident alike, but one: after one temperature it alone is off."""
    y, logits = drawn(6000, 3, temperature=2.5)
    ward = np.random.default_rng(4).choice(["a", "b", "c", "d"], len(y))
    logits[ward == "d"] /= 2.5
    outputs = calib_report.read({"y": y, "logits": logits, "ward": ward}, groups="ward")
    rows = {row["group"]: row for row in analyse(outputs).numbers["groups"]["ward"]}
    for name in "abc":
        assert rows[name]["before"]["flagged"] and rows[name]["before"]["value"] > 0.05
        assert abs(rows[name]["after"]["value"]) < rows[name]["before"]["value"] / 2
    assert not rows["d"]["before"]["flagged"]
    assert rows["d"]["after"]["flagged"] and rows["d"]["after"]["value"] < -0.03


def mistakes_as_is(y, p, **about):
    outputs = ModelOutputs(y, probabilities=np.column_stack([1 - p, p]), **about)
    return mistakes(outputs, outcome_as_is(outputs))


def test_the_ten_surest_mistakes_are_told_ties_in_the_order_of_the_file():
    """Of twelve rows that say "b" the even ones are mistaken; then come ten alike."""
    p = np.append(np.linspace(0.7, 0.81, 12), np.full(10, 0.6))
    rows = mistakes_as_is(np.append(np.arange(12) % 2, np.zeros(10, int)), p)
    assert [row["row"] for row in rows] == [10, 8, 6, 4, 2, 0, 12, 13, 14, 15]
    assert [row["confidence"] for row in rows] == [p[row["row"]] for row in rows]


def test_a_mistake_is_told_with_its_id_its_label_and_what_was_predicted():
    y, p = np.array([0, 1, 1]), np.array([0.9, 0.9, 0.2])
    rows = mistakes_as_is(y, p, class_names=["a", "b"], ids=np.array(["x", "y", "z"]))
    told = [(row["id"], row["label"], row["prediction"]) for row in rows]
    assert told == [("x", "a", "b"), ("z", "b", "a")]


def test_of_pairs_a_mistake_is_an_answer_that_was_said_to_be_right():
    rows = mistakes_as_is(np.array([0, 0]), np.array([0.2, 0.9]), task="pairs")
    assert [row["confidence"] for row in rows] == [0.9, 0.2]
    assert rows[0]["prediction"] == rows[1]["prediction"] != rows[0]["label"]
