"""What was asked, answered as it is and after the map."""

import numpy as np
from tempered_models import drawn

import calib_report
from calib import TemperatureScaling, VectorScaling
from calib_report import ModelOutputs, analyse
from calib_report.measuring.after_map import after_map, mistakes
from calib_report.measuring.outcome import outcome_as_is
from calib_report.measuring.request import request_of


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
    """Of twelve rows that say "b" the even ones are mistaken; then come sixty alike."""
    p = np.append(np.linspace(0.7, 0.81, 12), np.full(60, 0.6))
    rows = mistakes_as_is(np.append(np.arange(12) % 2, np.zeros(60, int)), p)
    assert [row["row"] for row in rows] == [10, 8, 6, 4, 2, 0, 12, 13, 14, 15]
    assert [row["confidence"] for row in rows] == [p[row["row"]] for row in rows]


def test_a_mistake_is_told_with_its_id_its_label_and_what_was_predicted():
    y, p = np.array([0, 1, 1]), np.array([0.9, 0.9, 0.2])
    rows = mistakes_as_is(y, p, class_names=["a", "b"], ids=np.array(["x", "y", "z"]))
    shown = [(row["id"], row["label"], row["prediction"]) for row in rows]
    assert shown == [("x", "a", "b"), ("z", "b", "a")]


def test_of_pairs_a_mistake_is_an_answer_that_was_said_to_be_right():
    rows = mistakes_as_is(np.array([0, 0]), np.array([0.2, 0.9]), task="pairs")
    assert [row["confidence"] for row in rows] == [0.9, 0.2]
    assert rows[0]["prediction"] == rows[1]["prediction"] != rows[0]["label"]


ASKED = {"costs": "alarm=1,false_alarm=1,miss=4", "coverage": 0.8, "time": "day"}
ANSWERED = {"costs": "costs", "coverage": "declined", "time": "time"}


def numbers_after(fitted, **asked):
    """What is told of two hundred and forty samples after a map that changes nothing."""
    y, logits = drawn(240, 0, 2, 1.0)
    day, ward = np.arange(240).astype(str), np.repeat(["a", "b"], 120)
    outputs = ModelOutputs(y, logits=logits, groups={"day": day, "ward": ward})
    request = request_of(outputs, **asked)
    as_is = outcome_as_is(outputs, request.costs and request.costs.matrix)
    rng = np.random.default_rng(1)
    return after_map(outputs, as_is, as_is, fitted, request, rng, seed=2)


def test_a_temperature_is_told_and_of_other_maps_none():
    y, logits = drawn(240, 0, 2, 1.0)
    fitted = TemperatureScaling().fit(logits, y)
    assert numbers_after(fitted)["temperature"] == fitted.temperature_
    assert "temperature" not in numbers_after(VectorScaling().fit(logits, y))


def test_an_answer_does_not_hang_on_what_else_is_asked():
    together = numbers_after(None, **ASKED)
    for name, asked in ASKED.items():
        alone = numbers_after(None, **{name: asked})
        assert {*ANSWERED.values()} & {*alone} == {ANSWERED[name]}
        assert alone[ANSWERED[name]] == together[ANSWERED[name]]


def test_the_column_of_moments_is_no_group():
    assert numbers_after(None, time="day")["groups"].keys() == {"ward"}
    assert numbers_after(None)["groups"].keys() == {"day", "ward"}
