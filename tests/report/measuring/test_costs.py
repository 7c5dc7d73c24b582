"""Costs of decisions."""

import numpy as np
import pytest

import calib_report
from calib_report import analyse
from calib_report.measuring import costs
from calib_report.measuring.outcome import Outcome, outcome_as_is


def rare(n=4000, seed=0, temperature=2.0):
    """Two classes, of which the second, sick, is one in ten."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.1).astype(int)
    x = rng.normal(2.0 * y)
    truth = 2 * x - 2 + np.log(1 / 9)  # log odds of sick
    return y, np.column_stack([np.zeros(n), temperature * truth])


def test_the_order_of_the_columns_does_not_change_the_decision():
    y, logits = rare()
    options = {"costs": "alarm=sick,false_alarm=1,miss=5"}
    one = analyse(
        calib_report.read({"y": y, "logits": logits}, classes=["healthy", "sick"]),
        **options,
    ).numbers
    other = analyse(
        calib_report.read(
            {"y": 1 - y, "logits": logits[:, ::-1]}, classes=["sick", "healthy"]
        ),
        **options,
    ).numbers
    for numbers in (one, other):
        assert numbers["costs"]["alarm"] == "sick"
        assert numbers["costs"]["threshold"] == pytest.approx(1 / 6)
        assert numbers["costs"]["constant_decision"] == "healthy"
    assert one["recommended"]["name"] == other["recommended"]["name"]
    for key in ("before", "after"):
        assert one["costs"][key]["value"] == pytest.approx(
            other["costs"][key]["value"], rel=1e-6
        )


def test_from_one_fifth_on_an_alarm_is_cheaper_than_a_miss_of_four():
    prices = costs.read_costs("alarm=yes,false_alarm=1,miss=4", ["no", "yes"])
    assert costs.alarm_threshold(prices) == 0.2
    p = np.array([[0.7, 0.3], [0.9, 0.1]])
    assert Outcome.of(np.array([0, 1]), p, costs=prices.matrix).cost.tolist() == [1, 4]


def test_where_all_mistakes_cost_the_same_the_most_frequent_class_is_the_constant():
    outputs = calib_report.ModelOutputs(
        [0, 1, 2, 2], probabilities=np.eye(3)[[0, 1, 2, 0]]
    )
    of_three = costs.Costs(1 - np.eye(3))
    as_is = outcome_as_is(outputs, of_three.matrix)
    table = costs.cost_table(of_three, as_is, as_is, outputs)
    assert (table["constant_decision"], table["constant"]) == ("2", 0.5)
    assert table["before"]["value"] == 1 / 4


def test_the_cost_is_that_of_new_samples():
    """Map, then decide at the threshold."""
    y, logits = rare(6000)
    outputs = calib_report.read({"y": y, "logits": logits}, classes=["healthy", "sick"])
    report = analyse(outputs, costs="alarm=sick,false_alarm=1,miss=3")
    table = report.numbers["costs"]
    y, logits = rare(400_000, seed=1)
    alarms = report.fitted.predict_proba(logits)[:, 1] >= table["threshold"]
    cost = np.where(y == 1, 3.0 * ~alarms, 1.0 * alarms).mean()
    assert table["after"]["low"] < cost < table["after"]["high"]
    assert table["constant"] == pytest.approx(3 * (outputs.y == 1).mean())


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (costs.read_costs, "miss=1", "alarm=CLASS"),
        (
            costs.read_costs,
            "alarm=ill,false_alarm=1,miss=2",
            "there is no class 'ill'",
        ),
        (
            costs.read_costs,
            "alarm=sick,false_alarm=one,miss=2",
            "^costs: false_alarm=one,",
        ),
        (costs.read_costs, "alarm=sick,false_alarm=1,miss=inf", "finite"),
        (costs.read_costs, "costs.csv", r"costs.csv: .*expected no heading"),
    ],
)
def test_wrong_costs_are_refused(read, text, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "costs.csv").write_text("wait,treat\n0,1\n5,0\n")
    with pytest.raises(ValueError, match=message):
        read(text, ["healthy", "sick"])


def test_costs_of_two_classes_where_there_are_four_are_refused_in_one_line(
    refused_line,
):
    line = "report outputs.npz -o a.html --cost miss=1"
    assert "--cost: 'miss=1' of the classes" in refused_line(line)


def test_of_a_square_file_of_two_classes_the_second_is_the_alarm(tmp_path):
    """A false alarm costs 1, a miss 4: from a probability of 1 / 5 on the alarm is cheaper."""
    path = tmp_path / "costs.csv"
    path.write_text("0,1\n4,0\n")
    prices = costs.read_costs(path, ["healthy", "sick"])
    assert prices.alarm == 1 and costs.alarm_threshold(prices) == 0.2
    outputs = calib_report.ModelOutputs(
        [0, 0, 0, 1], probabilities=[[0.7, 0.3]] * 4, class_names=["healthy", "sick"]
    )
    as_is = outcome_as_is(outputs, prices.matrix)
    table = costs.cost_table(prices, as_is, as_is, outputs)
    assert (table["alarm"], table["threshold"]) == ("sick", 0.2)
    # an alarm for all: 3 of 4 are false, which costs less than one miss
    assert table["before"]["value"] == table["constant"] == 0.75
    assert table["constant_decision"] == "sick"


def test_costs_of_three_decisions_have_no_alarm(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("0,1,0.5\n4,0,0.5\n")
    assert costs.read_costs(path, ["healthy", "sick"]).alarm is None
    (tmp_path / "three.csv").write_text("0,1,1\n1,0,1\n1,1,0\n")
    assert costs.read_costs(tmp_path / "three.csv", ["a", "b", "c"]).alarm is None


@pytest.mark.parametrize(
    "table", ["0,1\n4,0\n1,1\n", "0,1\n", "0,nan\n4,0\n", "0,1\ninf,0\n"]
)
def test_a_file_of_costs_has_a_row_of_finite_numbers_a_class(table, tmp_path):
    (tmp_path / "costs.csv").write_text(table)
    with pytest.raises(ValueError, match=r"^costs: shape .* expected 2 rows of finite"):
        costs.read_costs(tmp_path / "costs.csv", ["healthy", "sick"])


def test_only_differences_within_a_row_decide_about_an_alarm():
    dear = costs.Costs(np.array([[5.0, 6.0], [9.0, 5.0]]), 1)
    assert costs.alarm_threshold(dear) == 0.2
    # of the other class the alarm begins at the rest
    assert costs.alarm_threshold(costs.Costs(dear.matrix, 0)) == 0.8
    # where none is named, the alarm is of the second
    assert costs.alarm_threshold(costs.Costs(dear.matrix)) == 0.2
    assert np.isnan(costs.alarm_threshold(costs.Costs(np.ones((2, 2)), 1)))


def outputs_of_four(names=("healthy", "sick")):
    """Four samples of which the first is of the second class, all said alike."""
    return calib_report.ModelOutputs(
        [1, 0, 0, 0], probabilities=[[0.7, 0.3]] * 4, class_names=[*names]
    )


@pytest.mark.parametrize("without", [0, 1])
def test_decisions_are_taken_with_costs_before_and_after(without):
    outputs, prices = outputs_of_four(), costs.Costs(1 - np.eye(2))
    sides = [outcome_as_is(outputs, prices.matrix) for _ in range(2)]
    sides[without] = outcome_as_is(outputs)
    with pytest.raises(ValueError, match="taken without costs"):
        costs.cost_table(prices, *sides, outputs)


def test_a_decision_that_is_for_no_class_has_a_number():
    """To wait costs one in four of 4, to treat 1, to test always a half."""
    outputs = outputs_of_four()
    prices = costs.Costs(np.array([[0, 1, 0.5], [4, 1, 0.5]]))
    as_is = outcome_as_is(outputs, prices.matrix)
    table = costs.cost_table(prices, as_is, as_is, outputs)
    assert (table["constant"], table["constant_decision"]) == (0.5, "decision 3")
    assert "threshold" not in table


@pytest.mark.parametrize(
    ("false_alarm", "miss", "threshold"),
    [(0, 1, 0), (1, 0, 1), (-1, 3, None), (3, -1, None)],
)
def test_where_one_decision_is_always_cheaper_there_is_no_threshold(
    false_alarm, miss, threshold
):
    outputs = outputs_of_four()
    prices = costs.Costs(np.array([[0, false_alarm], [miss, 0]]), 1)
    as_is = outcome_as_is(outputs, prices.matrix)
    table = costs.cost_table(prices, as_is, as_is, outputs)
    assert table.get("threshold") == threshold
    assert table.get("alarm") == (None if threshold is None else "sick")


def test_the_change_is_the_cost_after_the_map_less_that_before():
    """Before it the sick one is missed, for 4; after it all are alarms, three of them false."""
    outputs, matrix = outputs_of_four(), np.array([[0, 1], [4, 0]])
    before = Outcome.of(outputs.y, np.tile([0.9, 0.1], (4, 1)), costs=matrix)
    after = Outcome.of(outputs.y, np.tile([0.5, 0.5], (4, 1)), costs=matrix)
    table = costs.cost_table(costs.Costs(matrix, 1), before, after, outputs)
    values = [table[name]["value"] for name in ("before", "after", "change")]
    assert values == [1, 0.75, -0.25]
