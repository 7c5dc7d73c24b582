"""What a calibrated network has of a metric, on rows by hand."""

import pandas as pd
import pytest
from method_rows import long

from evidence.claims import chance


def test_what_chance_makes_of_a_metric_is_in_points_and_by_its_own_brier_score():
    """Of 100 samples with the Brier scores .08 and .02: the root of pi / 2 times these."""
    briers = {"Top-1 Brier": 0.08, "Top-2 Brier": 0.02}
    rows = pd.concat(long([("n1", "A", b)], metric=name) for name, b in briers.items())
    rows = rows.assign(n=100)
    for metric, by_hand in (("KS", 3.5449), ("KS top-2", 1.7725), ("ECE", 8.7404)):
        found = chance.by_chance(rows, "A", metric).item()
        assert found == pytest.approx(by_hand, abs=1e-4)


def test_what_was_measured_of_chance_is_taken_before_the_formula():
    rows = long([("n1", "A", 0.7)], metric="ECE by chance").assign(n=100)
    assert chance.by_chance(rows, "A", "ECE").item() == 0.7


def test_a_metric_without_a_formula_is_not_given_that_of_the_ece():
    brier = long([("n1", "A", 0.1)], metric="Top-1 Brier").assign(n=100)
    assert len(chance.by_chance(brier, "A", "ECE")) == 1
    for metric in ("NLL", "ece_range", "KS top-3"):
        assert chance.by_chance(brier, "A", metric).empty
