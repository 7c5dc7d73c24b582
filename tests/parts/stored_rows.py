"""Rows that are computed again are those that are stored."""

import pytest
from helpers import need_shared

from evidence import load_results


def same(found, stored, rel=1e-6, abs=1e-9):
    """Compare rows with the rows of a table that have the same words."""
    for row in found:
        there = load_results(stored) if isinstance(stored, str) else stored
        for key, value in row.items():
            if isinstance(value, str) and value:
                there = there[there[key].astype(str) == value]
        assert len(there) == 1, row
        for key, value in row.items():
            if isinstance(value, float):
                assert there[key].item() == pytest.approx(value, rel=rel, abs=abs), (
                    row,
                    key,
                )


def same_of_source(function, source, stored, monkeypatch):
    """Compute the rows of a public source again."""
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    rows = list(function(source))
    assert rows
    for row in rows:  # the least squares of a spline end 1e-5 apart on two processors
        same([row], stored, abs=2e-5 if row.get("calibrator") == "spline" else 1e-5)
