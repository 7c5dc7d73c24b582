"""The figures of a report: what is drawn, and what stands below the axes."""

import numpy as np
import pytest
from tempered_models import of_pairs

import calib
from calib_report.measuring.tables import FEWEST_OF_BIN
from calib_report.writing import figures

WORDS = ("Confidence", "Accuracy")


@pytest.fixture
def drawn_values(monkeypatch):
    """What a template is given, in place of the figure."""
    monkeypatch.setattr(
        figures, "_svg", lambda name, **values: {"name": name, **values}
    )


# all of 36 that say 0.7 are right, and a third of nine that say 0.9
SCORE, HIT = np.repeat([0.7, 0.9], [36, 9]), np.repeat([1, 1, 0], [36, 3, 6])


def test_a_bin_is_drawn_between_its_edges_with_its_means_and_its_share(drawn_values):
    """Two of fifteen hold samples: the eleventh and the fourteenth."""
    values = figures.reliability(of_pairs(SCORE, HIT), WORDS)
    assert (values["name"], values["words"]) == ("reliability", WORDS)
    numbers = ("left", "right", "score", "hit", "share")
    bins = [[row[name] for name in numbers] for row in values["bins"]]
    assert bins == [
        pytest.approx([10 / 15, 11 / 15, 0.7, 1, 0.8]),
        pytest.approx([13 / 15, 14 / 15, 0.9, 1 / 3, 0.2]),
    ]
    assert values["error"] == pytest.approx(calib.ece(HIT, SCORE))


def test_a_bin_of_few_samples_is_shaded_and_one_that_is_too_sure_is_told(drawn_values):
    assert 9 < FEWEST_OF_BIN <= 36
    bins = figures.reliability(of_pairs(SCORE, HIT), WORDS)["bins"]
    assert [(row["few"], row["over"]) for row in bins] == [(False, False), (True, True)]
    # what a calibrated model would show, of nine samples more
    widths = [row["high"] - row["low"] for row in bins]
    assert bins[0]["low"] < 0.7 < bins[0]["high"] and widths[0] < widths[1]


def period(moment, before, after=0.0):
    """A period whose intervals end a hundredth beyond their values."""
    ends = [
        {"value": value, "low": value - 0.01, "high": value + 0.01}
        for value in (before, after)
    ]
    return {"from": moment, "before": ends[0], "after": ends[1]}


PERIODS = [period("1", 0.1, -0.2), period("2", -0.05, 0.3)]


@pytest.mark.parametrize(
    ("changed", "sides", "ticks"),
    [
        (False, ("before",), [-0.1, -0.05, 0, 0.05, 0.1, 0.15]),
        (True, ("before", "after"), [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4]),
    ],
)
def test_a_line_of_time_shows_both_sides_of_a_map_that_changed_them(
    changed, sides, ticks, drawn_values
):
    values = figures.in_time({"periods": PERIODS}, changed, WORDS)
    assert (values["name"], values["words"], values["sides"]) == ("time", WORDS, sides)
    assert values["rows"] == PERIODS and values["labels"] == ["1", "2"]
    assert values["ticks"] == pytest.approx(ticks)


def test_a_period_without_an_interval_is_left_out(drawn_values):
    alone = {"from": "3", "before": {"value": 0.9}, "after": {"value": 0.9}}
    values = figures.in_time({"periods": [*PERIODS, alone]}, False, WORDS)
    assert values["rows"] == PERIODS and values["labels"] == ["1", "2"]


@pytest.mark.parametrize(
    ("excess", "ticks"),
    [
        (0.5, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
        (-0.5, [-0.6, -0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1]),
    ],
)
def test_zero_and_a_hundredth_always_show(excess, ticks, drawn_values):
    values = figures.in_time({"periods": [period("1", excess)]}, False, WORDS)
    assert values["ticks"] == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("low", "width"), [(-0.0311, 0.15), (0, 0.01), (-3, 7.3), (0.2, 60)]
)
def test_ticks_are_at_most_eight_round_numbers_around_the_ends(low, width):
    ticks = np.array(figures._ticks(low, low + width))
    steps = np.diff(ticks)
    assert len(ticks) <= 8 and ticks[0] <= low and ticks[-1] >= low + width
    assert ticks[1] > low and ticks[-2] < low + width
    assert steps == pytest.approx(steps[0])
    assert f"{steps[0]:.5e}"[:7] in ("1.00000", "2.00000", "5.00000")


DAYS = [f"2025-01-{day:02d}T08:00:00" for day in range(1, 16)]


@pytest.mark.parametrize(
    ("moments", "labels"),
    [
        # days where they differ, hours of one year, else all
        (DAYS[:2], ["2025-01-01", "2025-01-02"]),
        ([DAYS[0], "2025-01-01T09:30:00"], ["01-01 08:00", "01-01 09:30"]),
        ([DAYS[0], "2025-01-01T09:30:00", "2026-01-01T09:30:00"],
         ["2025-01-01 …", "2025-01-01 …", "2026-01-01 …"]),
        # what is no date stands as it is, twelve letters at most
        (["week 1", "2025-01-01"], ["week 1", "2025-01-01"]),
        (["twelve lette", "thirteen lett"], ["twelve lette", "thirteen le…"]),
        # seven at most: of eight every other
        (list("abcdefg"), list("abcdefg")),
        (list("abcdefgh"), ["a", "", "c", "", "e", "", "g", ""]),
        (DAYS, ["2025-01-01", "", "", "2025-01-04", "", "", "2025-01-07", "", "",
                "2025-01-10", "", "", "2025-01-13", "", ""]),
    ],
)  # fmt: skip
def test_labels_of_time_are_short_and_few(moments, labels):
    assert figures.short_labels(moments) == labels
