"""The order in which metrics put the methods, on tables by hand."""

import pandas as pd
import pytest
from method_rows import by_method, who_agree

from evidence.claims import orders


def test_the_gap_of_two_methods_is_compared_between_metrics():
    """By the ECE the worse of the two has twice the value, by the NLL a tenth more."""
    rows = pd.concat(
        [
            by_method({"n": {"A": 1.0, "B": 2.0}}, metric="ECE"),
            by_method({"n": {"A": 1.0, "B": 1.1}}, metric="NLL"),
        ]
    )
    for metric, largest in (("ECE", True), ("NLL", False)):
        cases = orders.largest_relative_gap(rows, metric=metric, methods=["A", "B"])
        assert cases.values.to_dict() == {"ECE, 50%": largest}


def test_two_metrics_order_methods_alike_or_the_other_way():
    ece = by_method({"n": {"A": 1.0, "B": 2.0, "C": 3.0}}, metric="ECE")
    for values, tau in (((4, 5, 6), 1.0), ((6, 5, 4), -1.0), ((4, 6, 5), 1 / 3)):
        other = by_method({"n": dict(zip("ABC", values, strict=True))}, metric="NLL")
        rows = pd.concat([ece, other])
        cases = orders.agreement(rows, pair=["ECE", "NLL"])
        assert cases.values.tolist() == pytest.approx([tau])


# the first two methods by three metrics: which metric names another best than the ECE
BESTS = {
    "ECE": {"n1": (1, 2), "n2": (1, 2), "n3": (1, 2), "n4": (1, 2)},
    "NLL": {"n1": (2, 1), "n2": (2, 1), "n3": (2, 1), "n4": (1, 2)},
    "Brier": {"n1": (1, 2), "n2": (1, 2), "n3": (2, 1), "n4": (1, 2)},
}


def bests():
    rows = [
        by_method(
            {n: {"A": a, "B": b} for n, (a, b) in networks.items()}, metric=metric
        )
        for metric, networks in BESTS.items()
    ]
    return pd.concat(rows)


def test_metrics_name_different_best_methods():
    cases = orders.winners_differ(bests(), metrics=["ECE", "NLL"])
    assert who_agree(cases) == {"n1", "n2", "n3"}
    both = orders.winners_differ(bests(), metrics=["ECE", "NLL", "Brier"])
    assert both.values.groupby("metric").sum().to_dict() == {"NLL": 3, "Brier": 1}


def test_metrics_name_different_best_methods_more_often_than_others():
    """ECE and NLL differ on three networks, ECE and Brier score on one of them."""
    cases = orders.winners_differ(
        bests(), metrics=["ECE", "NLL"], beside=["ECE", "Brier"]
    )
    found = cases.values.droplevel("dataset").to_dict()
    assert found == {"n1": 1.0, "n2": 1.0, "n3": 0.0, "n4": 0.0}
    assert "in 75%, by ECE and Brier in 25%" in cases.summary


def test_one_metric_orders_methods_more_like_another_than_others_do():
    """Kendall's tau with the NLL: the ECE 1, the KS error 1/3, the Brier score -1."""
    places = {"NLL": (1, 2, 3), "ECE": (4, 5, 6), "KS": (4, 6, 5), "Brier": (3, 2, 1)}
    rows = pd.concat(
        by_method({"n": dict(zip("ABC", values, strict=True))}, metric=metric)
        for metric, values in places.items()
    )
    for than, change in ((["KS"], 2 / 3), (["KS", "Brier"], 1 + 1 / 3)):
        cases = orders.agrees_more(rows, pair=["ECE", "NLL"], than=than)
        assert cases.values.tolist() == pytest.approx([change])


def halves(differs, taus=(0.5, 0.5, 0.5)):
    """What halves of one network say: of ECE and ECE, ECE and NLL, NLL and NLL."""
    pairs = [("ECE", "ECE"), ("ECE", "NLL"), ("NLL", "NLL")]
    rows = pd.DataFrame(pairs, columns=["first", "second"])
    return rows.assign(dataset="a", case="n", differs=differs, tau=taus)


def test_metrics_differ_where_they_do_beyond_what_chance_makes():
    """By one metric halves differ in a fifth; across in .8: (.8 - .2) / (1 - .2) = .75."""
    rows = halves([0.2, 0.8, 0.2])
    names = {"first": "ECE", "second": "NLL"}
    cases = orders.winners_differ_by_metric(rows, **names)
    assert cases.values.tolist() == [True]
    assert "in 80% of the splits" in cases.summary and "alone in 20%" in cases.summary
    for clear, differs in ((0.74, True), (0.76, False)):
        clearer = orders.winners_differ_by_metric(rows, **names, clear=clear)
        assert clearer.values.tolist() == [differs]
    turned = {"first": "NLL", "second": "ECE"}
    assert orders.winners_differ_by_metric(rows, **turned).values.tolist() == [True]


def test_the_steadier_metric_orders_halves_more_alike():
    rows = halves([0.0, 0.0, 0.0], taus=(0.9, 0.1, 0.4))
    cases = orders.steadier(rows, metric="ECE", than="NLL")
    assert cases.values.tolist() == pytest.approx([0.5])


def test_the_best_of_one_method_differs_from_no_other():
    rows = pd.concat(
        [
            by_method({"n1": {"A": 1.0, "B": 2.0}, "n2": {"A": 1.0}}),
            by_method({"n1": {"A": 2.0, "B": 1.0}, "n2": {"A": 1.0}}, metric="NLL"),
        ]
    )
    cases = orders.winners_differ(rows, metrics=["ECE", "NLL"])
    assert cases.values.droplevel(0).to_dict() == {"n1": True}
