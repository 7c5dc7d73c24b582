"""Calibration in order of time, and the test of a trend."""

import numpy as np
import pandas as pd
import pytest
from combined_files import HIT, TOP, N
from tempered_models import of_pairs

from calib_report.commands.main import main
from calib_report.measuring import by_time


def test_a_trend_is_found_as_often_as_its_level_says_and_holds_the_slope():
    """Gaps of a calibrated source with unequal variances; then of one that drifts by a tenth."""
    rng, rejected, covered = np.random.default_rng(0), [], []
    moment = np.arange(400)
    for _ in range(400):
        score = np.where(moment < 200, 0.5, 0.95)
        hit = rng.random(400) < score
        rejected.append(by_time.trend(moment, score - hit)["p_value"] < 0.05)
        drifted = rng.random(400) < 0.8 - 0.1 * moment / 399
        slope = by_time.trend(moment, 0.8 - drifted)
        covered.append(slope["low"] < 0.1 < slope["high"])
    assert 0.02 < np.mean(rejected) < 0.085 and 0.92 < np.mean(covered) < 0.98


def test_periods_are_in_the_order_of_time_and_hold_all_samples():
    day = np.array([f"2026-{1 + i % 9:02d}-{1 + i % 28:02d}" for i in range(900)])
    pairs = of_pairs(np.full(900, 0.7), (np.arange(900) % 10 < 7).astype(int))
    periods = by_time.time_table("day", day, pairs, pairs)
    ends = [end for row in periods["periods"] for end in (row["from"], row["to"])]
    assert ends == sorted(ends) and len(periods["periods"]) == by_time.MOST_PERIODS
    assert sum(row["samples"] for row in periods["periods"]) == 900
    with pytest.raises(ValueError, match="'ward' holds no numbers and no dates"):
        by_time.moments_of(np.array(["a", "b"]), "ward")


def test_moments_that_are_empty_are_refused(folder, capsys):
    days = np.where(np.arange(N) % 3, "2026-01-01", "")
    table = pd.DataFrame({"confidence": TOP, "correct": HIT, "day": days})
    table.to_csv("a.csv", index=False)
    assert main(["report", "a.csv", "--time", "day", "-o", "r.json"]) == 2
    assert "--leave-out-empty day" in capsys.readouterr().err


def test_a_trend_by_hand():
    """Of three moments ranks are -1, 0 and 1, over two: the slope is the last less the first."""
    number = by_time.trend(np.array([5, 70, 71]), np.array([0.1, 0.4, 0.3]))
    assert number["value"] == pytest.approx(0.2)
    # of one moment there is none
    assert by_time.trend(np.ones(3), np.array([0.1, 0.4, 0.3]))["value"] == 0


def test_moments_are_numbers_or_seconds_of_dates():
    assert by_time.moments_of(np.array(["3", "1.5"]), "week").tolist() == [3, 1.5]
    dates = np.array(["1970-01-02", "1970-01-01T00:01"])
    assert by_time.moments_of(dates, "day").tolist() == [86400, 60]
    # parts of a second, and hours that differ by their zones
    parts = np.array(["1970-01-01 00:00:00.000190", "1970-01-01T00:00:00.000191"])
    assert by_time.moments_of(parts, "t").tolist() == [0.00019, 0.000191]
    zones = np.array(["1970-01-01T02:00:00+02:00", "1970-01-01T00:00:01Z"])
    assert by_time.moments_of(zones, "t").tolist() == [0, 1]
    with pytest.raises(ValueError, match="zone all or none"):
        by_time.moments_of(np.array(["1970-01-01T02:00+02:00", "1970-01-02"]), "t")
    for word in ("now", "inf"):
        with pytest.raises(ValueError, match="no numbers and no dates"):
            by_time.moments_of(np.array(["1", word]), "day")


def periods_of(moments):
    pairs = of_pairs(np.full(len(moments), 0.7), np.ones(len(moments), int))
    return by_time.time_table("day", np.array(moments), pairs, pairs)["periods"]


def test_a_dozen_moments_are_told_one_by_one_and_more_in_periods_of_equal_size():
    dozen = periods_of([0, 0, 0, *range(12)])
    assert [row["samples"] for row in dozen] == [4, *[1] * 11]
    more = periods_of(range(24))
    assert [(row["from"], row["to"]) for row in more] == [
        (f"{k}", f"{k + 1}") for k in range(0, 24, 2)
    ]
    # a moment is never split: of one that holds half there are fewer periods
    halved = periods_of([*[0] * 24, *range(1, 25)])
    assert [row["samples"] for row in halved] == [24, *[4] * 6]


def test_a_trend_that_no_noise_hides_is_none_by_chance():
    """Residuals are zero: a slope is certain, and no slope is none."""
    moment = np.arange(4.0)
    rising = by_time.trend(moment, 0.3 * moment)
    assert rising["value"] == pytest.approx(0.9) and rising["p_value"] < 1e-9
