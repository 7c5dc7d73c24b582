"""An earlier report that a model is held to: what of it is no reference."""

import json

import pytest
from tempered_models import write
from weeks import week_of_three_classes

from calib_report.commands.main import main
from calib_report.gating.references import reference_numbers


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task": "pairs"}, "it is about pairs, and these are classes"),
        (
            {"classes": [{"class": "a"}, {"class": "b"}]},
            "are not the same: no comparison",
        ),
        ({"classes": []}, "does not name its 'classes'"),
        ({"before": {}}, "accuracy: not there"),
        ({"before": []}, "no numbers 'before'"),
        ({"task": ["classes"]}, "no numbers 'before'"),
    ],
)
def test_a_base_of_another_question_is_refused(base, tmp_path, capsys, change, message):
    path = write(tmp_path / "new.npz", **week_of_three_classes(seed=1))
    (tmp_path / "other.json").write_text(
        json.dumps(json.loads(base.read_text()) | change)
    )
    assert main(["check", path, "--against", str(tmp_path / "other.json")]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "value",
    ["NaN", '"0.5"', "[]", "true", "{}", "1e999", pytest.param("9" * 400, id="huge")],
)
def test_a_base_whose_numbers_are_none_is_refused(base, tmp_path, capsys, value):
    path = write(tmp_path / "new.npz", **week_of_three_classes(seed=1))
    content = json.loads(base.read_text())
    content["before"]["Brier"]["low"] = "HERE"
    (tmp_path / "other.json").write_text(json.dumps(content).replace('"HERE"', value))
    assert main(["check", path, "--against", str(tmp_path / "other.json")]) == 2
    assert "other.json: Brier" in capsys.readouterr().err


def test_of_labels_the_share_of_yes_is_no_accuracy():
    before = {name: {"value": 0.1} for name in ("NLL", "Brier", "ECE")}
    reference = reference_numbers({"task": "labels", "before": before}, "old.json")
    assert {*reference.numbers} == {*before}


@pytest.mark.parametrize("value", [0.3, 0.7])
def test_a_value_outside_its_interval_is_refused(value):
    number = {"value": 0.5, "low": 0.4, "high": 0.6}
    before = {name: dict(number) for name in ("NLL", "Brier", "ECE")}
    report = {"task": "labels", "before": before}
    assert reference_numbers(report, "old.json").numbers["ECE"] == number
    before["ECE"]["value"] = value
    with pytest.raises(ValueError, match="expected an interval that holds the value"):
        reference_numbers(report, "old.json")
