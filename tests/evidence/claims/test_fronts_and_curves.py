"""Fronts and curves of training, on tables by hand."""

import pandas as pd

from evidence.claims import fronts_and_curves


def test_on_a_front_nobody_is_better_in_both():
    table = pd.DataFrame({"error": [1, 2, 3, 2, 1], "ece": [3, 2, 1, 3, 3]})
    on_front = [
        not any(
            (other.error <= row.error and other.ece <= row.ece)
            and (other.error < row.error or other.ece < row.ece)
            for other in table.itertuples()
        )
        for row in table.itertuples()
    ]
    assert fronts_and_curves.pareto(table, "error", "ece").tolist() == on_front
    assert on_front == [True, True, True, False, True]


def test_who_stays_on_the_front_is_counted():
    """Clean: a and b are on it. Shifted: b is beaten by a in both."""
    cells = {
        ("clean", "a"): (90.0, 5.0),
        ("clean", "b"): (80.0, 1.0),
        ("clean", "c"): (70.0, 6.0),
        ("shifted", "a"): (60.0, 2.0),
        ("shifted", "b"): (50.0, 3.0),
        ("shifted", "c"): (40.0, 1.0),
    }
    rows = pd.DataFrame(
        [
            (level, case, metric, value)
            for (level, case), values in cells.items()
            for metric, value in zip(("Accuracy", "ECE"), values, strict=True)
        ],
        columns=["away", "case", "metric", "value"],
    )
    cases = fronts_and_curves.stays_pareto(
        rows, column="away", first="clean", others=["shifted"]
    )
    assert cases.values.droplevel("level").to_dict() == {"a": True, "b": False}


def curve(values, metric, split="test"):
    rows = pd.DataFrame({"step": range(len(values)), "value": values})
    return rows.assign(metric=metric, split=split, case="n", name="n", dataset="a")


def test_a_curve_that_rises_again_overfits():
    rising, flat = [3.0, 1.0, 2.0], [3.0, 1.0, 1.009]
    for values, overfits in ((rising, True), ([3.0, 1.0, 1.011], True), (flat, False)):
        cases = fronts_and_curves.overfits(curve(values, "NLL"), metric="NLL")
        assert cases.values.to_dict() == {("n", "NLL"): overfits}
    better, worse = [50.0, 60.0, 61.0], [50.0, 60.0, 59.0]
    for accuracy, overfits in ((better, True), (worse, False)):
        rows = pd.concat([curve(rising, "NLL"), curve(accuracy, "Accuracy")])
        cases = fronts_and_curves.overfits(rows, metric="NLL", while_metric="Accuracy")
        assert cases.values.to_dict() == {("n", "NLL"): overfits}


def test_the_end_of_a_curve_lies_between_limits():
    rows = curve([9.0, 1.0, 3.0], "NLL", split="train")
    ends = {"metric": "NLL", "split": "train"}
    assert fronts_and_curves.ends(rows, **ends, below=4.0).values.all()
    assert not fronts_and_curves.ends(rows, **ends, below=2.0).values.any()
    assert fronts_and_curves.ends(
        rows, metric="NLL", split="test", below=4.0
    ).values.empty
